/**
 * The whole screen: the conversation with its bars and input, or the full-screen view that is open.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import { type ComponentType, useLayoutEffect } from "react"
import type { ServerStatus } from "../../mcp/ServerStatus.ts"
import { duration } from "../Elapsed.ts"
import * as Heights from "../Heights.ts"
import * as Panel from "../Panel.ts"
import { counted } from "../ServerView.ts"
import * as Theme from "../Theme.ts"
import * as UiState from "../UiState.ts"
import type { UiStore } from "../UiStore.ts"
import { ApprovalDialog } from "./ApprovalDialog.tsx"
import { Completions } from "./Completions.tsx"
import { History, Live } from "./Conversation.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { Input } from "./Input.tsx"
import { type Hint, KeyHints } from "./KeyHints.tsx"
import type { MarkdownProps } from "./Markdown.tsx"
import { McpBar } from "./McpBar.tsx"
import { PanelView, type PanelViewProps } from "./PanelView.tsx"
import { RequestDialog } from "./RequestDialog.tsx"
import { SandboxBar } from "./SandboxBar.tsx"
import { StatusBar } from "./StatusBar.tsx"
import { useUi } from "./useUi.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface AppProps {
  readonly store: UiStore
  /** How many of the finished items are in the scrollback already. */
  readonly printed: number
  /** Called when more of them are. */
  readonly onPrinted: (count: number) => void
  readonly Markdown: ComponentType<MarkdownProps>
}

/**
 * @since 0.1.0
 * @category components
 */
export const App = (props: AppProps) => {
  const open = useUi(props.store, ({ panel }) => panel !== undefined)
  return open ? <OpenPanel store={props.store} /> : <Chat {...props} />
}

const Chat = ({ Markdown, onPrinted, printed, store }: AppProps) => (
  <Box flexDirection="column">
    <Finished store={store} printed={printed} onPrinted={onPrinted} Markdown={Markdown} />
    <Moving store={store} Markdown={Markdown} />
    <Bars store={store} />
    <Asked store={store} />
    <Typed store={store} />
  </Box>
)

const Finished = ({ Markdown, onPrinted, printed, store }: AppProps) => {
  const items = useUi(store, ({ transcript }) => transcript.items)
  const columns = useUi(store, (state) => state.columns)
  useLayoutEffect(() => onPrinted(items.length), [items.length, onPrinted])
  // Static counts from its own beginning: the items before it are in the scrollback.
  return <History items={printed === 0 ? items : items.slice(printed)} columns={columns} Markdown={Markdown} />
}

const Moving = ({ Markdown, store }: Pick<AppProps, "store" | "Markdown">) => {
  const state = useUi(store, (all) => all)
  const { columns, now, plain, queued, transcript } = state
  const { run } = transcript
  return (
    <Box flexDirection="column" marginBottom={run !== undefined || queued.length > 0 ? 1 : 0}>
      <Live
        transcript={transcript}
        now={now}
        columns={columns}
        height={Heights.make(state).live}
        plain={plain}
        Markdown={Markdown}
      />
      {run !== undefined && (
        <Text wrap="truncate-end">
          <Text color={Theme.color.warning}>{plain ? "" : `${Theme.spinner(now)} `}</Text>
          {activity(state)}
          <Text dimColor>{`  ${duration(Math.max(0, now - run.startedAt))}  Esc cancels`}</Text>
        </Text>
      )}
      {queued.length > 0 && <Text dimColor>{`  ${counted(queued.length, "prompt")} waiting`}</Text>}
    </Box>
  )
}

const activity = ({ dialog, transcript }: UiState.UiState): string =>
  dialog === undefined ? (transcript.run?.activity ?? "ready") : "waiting for an answer"

const Bars = ({ store }: Pick<AppProps, "store">) => {
  const state = useUi(store, (all) => all)
  if (!Heights.make(state).bars) return null
  return (
    <Box flexDirection="column">
      <StatusBar
        model={state.model}
        directory={state.directory}
        inputTokens={state.transcript.inputTokens}
        outputTokens={state.transcript.outputTokens}
        tools={state.toolSet.tools.length}
        offer={state.transcript.offer}
        activity={activity(state)}
        columns={state.columns}
      />
      <SandboxBar sandbox={state.sandbox} configs={state.configs} />
      <McpBar statuses={state.statuses} columns={state.columns} />
    </Box>
  )
}

const Asked = ({ store }: Pick<AppProps, "store">) => {
  const state = useUi(store, (all) => all)
  const { columns, dialog, plain } = state
  if (dialog === undefined) return null
  const { form, question, waiting } = dialog
  const room = { columns, height: Heights.make(state).dialog, plain }
  switch (question._tag) {
    case "Tool":
      return <ApprovalDialog dialog={dialog} request={question.request} {...room} />
    case "Form":
      return form === undefined ? null : <FormDialog question={question} form={form} waiting={waiting} {...room} />
    case "Sampling":
    case "Page":
      return <RequestDialog dialog={dialog} question={question} {...room} />
  }
}

const Typed = ({ store }: Pick<AppProps, "store">) => {
  const state = useUi(store, (all) => all)
  const { dialog, message, plain, prompt, transcript } = state
  if (dialog !== undefined) return <KeyHints hints={dialogHints(dialog)} message={message} />
  const heights = Heights.make(state)
  const { candidates, index } = Heights.menuOf(state)
  return (
    <Box flexDirection="column">
      <Input
        buffer={prompt.buffer}
        width={UiState.promptWidth(state)}
        height={heights.input}
        placeholder={transcript.run === undefined ? "Ask anything, or /help" : "Type ahead"}
        below={1 + heights.menu}
        plain={plain}
      />
      {heights.menu > 0 && <Completions candidates={candidates} index={index} height={heights.menu} />}
      <KeyHints hints={transcript.run === undefined ? idleHints : runHints} message={message} />
    </Box>
  )
}

const idleHints: ReadonlyArray<Hint> = [
  ["Alt+Enter", "new line"],
  ["Tab", "complete"],
  ["/mcp", "servers"],
  ["/help", "keys"],
  ["Ctrl+C", "quit"]
]

const runHints: ReadonlyArray<Hint> = [
  ["Esc", "cancel"],
  ["Ctrl+O", "tool call in full"],
  ["Enter", "send next"],
  ["Ctrl+C", "cancel"]
]

const dialogHints = ({ form, question, reason }: UiState.Dialog): ReadonlyArray<Hint> => {
  if (form !== undefined) return formHints
  const escape: Hint = question._tag === "Tool" ? ["Esc", "cancel the run"] : ["Esc", "not now"]
  return reason === undefined
    ? [["↑↓", "choose"], ["Enter", "answer"], ["PgUp PgDn", "scroll"], escape]
    : [
        ["Enter", "deny with this word"],
        ["Esc", "back"]
      ]
}

const formHints: ReadonlyArray<Hint> = [
  ["↑↓", "field"],
  ["←→ Space", "choose"],
  ["Enter", "next"],
  ["Esc", "not now"]
]

const OpenPanel = ({ store }: Pick<AppProps, "store">) => {
  const state = useUi(store, (all) => all)
  const { panel } = state
  if (panel === undefined) return null
  const waiting =
    state.dialog === undefined ? undefined : ({ text: "a tool waits for an answer: Esc", tone: "info" } as const)
  const words = { panel, rows: UiState.rowsOf(state), columns: state.columns, height: UiState.panelHeight(state) }
  const view = about(state, panel)
  const hints = panel.filtering ? findHints : view.hints
  return <PanelView {...words} {...view} hints={hints} message={state.message ?? waiting} />
}

type About = Pick<PanelViewProps, "title" | "summary" | "empty" | "hints">

const about = (state: UiState.UiState, panel: Panel.Panel): About => {
  const { subject } = panel
  switch (subject._tag) {
    case "Servers":
      return {
        title: "MCP Tool Management",
        summary: serverSummary(state.statuses),
        empty: state.statuses.length === 0 ? "no server is configured: e opens the file" : "no tool fits",
        hints: [
          ...(state.statuses.some(({ _tag }) => _tag === "NeedsAuth") ? [loginHint] : []),
          ...(state.statuses.some(({ _tag }) => _tag === "NeedsApproval") ? [agreeHint] : []),
          ...serverHints,
          ["d", isOff(state, panel) ? "on" : "off"],
          ["i", "info"]
        ]
      }
    case "Tools":
      return {
        title: "Tools",
        summary: `${state.toolSet.tools.length.toLocaleString("en")} offered to the model`,
        empty: "no tool fits",
        hints: toolHints
      }
    case "Sessions":
      return { title: "Sessions", summary: "", empty: "no session is kept yet", hints: sessionHints }
    case "Call": {
      const call = UiState.calls(state)[subject.back]
      return { title: call?.name ?? "", summary: "", empty: "", hints: callHints }
    }
  }
}

const isOff = (state: UiState.UiState, panel: Panel.Panel): boolean => {
  const selected = Panel.serverAt(panel, UiState.rowsOf(state))
  return state.statuses.some(({ _tag, name }) => _tag === "Disabled" && name === selected)
}

const serverSummary = (statuses: ReadonlyArray<ServerStatus>): string => {
  const connected = statuses.filter(({ _tag }) => _tag === "Connected").length
  return `${counted(statuses.length, "server")}, ${connected} connected`
}

const loginHint: Hint = ["l", "log in"]

const agreeHint: Hint = ["a", "agree"]

const sessionHints: ReadonlyArray<Hint> = [
  ["Enter", "go on with it"],
  ["↑↓/jk", "scroll"],
  ["/", "find"],
  ["Esc", "close"]
]

const serverHints: ReadonlyArray<Hint> = [
  ["e", "edit config"],
  ["↑↓/jk", "scroll"],
  ["Esc", "close"],
  ["↵", "open"],
  ["/", "find"],
  ["r", "retry"]
]

const findHints: ReadonlyArray<Hint> = [
  ["↵", "keep what is found"],
  ["Esc", "show all"]
]

const toolHints: ReadonlyArray<Hint> = [
  ["↑↓/jk", "scroll"],
  ["Esc", "close"],
  ["↵", "open"],
  ["/", "find"]
]

const callHints: ReadonlyArray<Hint> = [
  ["↑↓/jk", "scroll"],
  ["Esc", "close"],
  ["←→", "other calls"]
]
