/**
 * Everything that the screen shows, as one value, and how it changes with what the engine, the servers and the registry tell.
 *
 * What keys do is in `UiKeys`.
 *
 * @since 0.1.0
 */
import type { EngineEvent } from "../engine/EngineEvent.ts"
import type { ServerPrompt } from "../engine/ServerPrompts.ts"
import type { Summary } from "../engine/SessionStore.ts"
import type { Waiting } from "../mcp/auth/LoginPrompt.ts"
import type { LogMessage } from "../mcp/McpSchema.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"
import type { ToolSet } from "../tool/ToolRegistry.ts"
import * as Form from "./Form.ts"
import * as Panel from "./Panel.ts"
import * as PanelRow from "./PanelRow.ts"
import * as Prompt from "./Prompt.ts"
import type { Question } from "./Question.ts"
import * as ServerSays from "./ServerSays.ts"
import * as SessionRows from "./SessionRows.ts"
import * as TextBuffer from "./TextBuffer.ts"
import * as Transcript from "./Transcript.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface UiState {
  readonly columns: number
  readonly rows: number
  /** Milliseconds since the epoch; moves only while something on the screen depends on it. */
  readonly now: number
  readonly model: string
  /** Models that could be used here. */
  readonly models: ReadonlyArray<string>
  /** Logins that wait for the person, by server. */
  readonly logins: ReadonlyMap<string, Waiting>
  readonly directory: string
  /** Where the built-in tools run, and what confines them. */
  readonly sandbox: string
  readonly statuses: ReadonlyArray<ServerStatus>
  readonly configs: ReadonlyMap<string, ServerConfig>
  /** The last stderr of servers in trouble, by name. */
  readonly stderr: ReadonlyMap<string, string>
  readonly toolSet: ToolSet
  /** The prompts of connected servers. */
  readonly prompts: ReadonlyArray<ServerPrompt>
  /** What servers have logged, by name. */
  readonly logs: ServerSays.Logs
  /** What could be gone on with, when a person has last asked. */
  readonly sessions: ReadonlyArray<Summary>
  readonly transcript: Transcript.Transcript
  readonly prompt: Prompt.Prompt
  /** Prompts that wait for the run under way to end. */
  readonly queued: ReadonlyArray<string>
  readonly dialog: Dialog | undefined
  readonly panel: Panel.Panel | undefined
  /** A word for the person, shown until the next key. */
  readonly message: Message | undefined
  /** When text was last typed into the prompt that is not sent yet. */
  readonly typedAt: number
  /** Only lines of text: no frames, no movement. */
  readonly plain: boolean
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Message {
  readonly text: string
  readonly tone: "info" | "error"
}

/**
 * The question that a person is asked, and how the answer stands.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dialog {
  readonly question: Question
  /** How many more wait. */
  readonly waiting: number
  readonly choice: number
  /** The first line of the arguments that is shown. */
  readonly scroll: number
  /** The word to the model that is being typed. */
  readonly reason: TextBuffer.TextBuffer | undefined
  /** What is filled in, where the question is a form. */
  readonly form: Form.Form | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  options: Pick<UiState, "columns" | "rows" | "now" | "model" | "directory" | "sandbox" | "plain">
): UiState => ({
  ...options,
  models: [],
  logins: new Map(),
  statuses: [],
  configs: new Map(),
  stderr: new Map(),
  toolSet: { tools: [], skipped: [], byName: new Map() },
  prompts: [],
  logs: new Map(),
  sessions: [],
  transcript: Transcript.empty,
  prompt: Prompt.empty,
  queued: [],
  dialog: undefined,
  panel: undefined,
  message: undefined,
  typedAt: 0
})

/**
 * @since 0.1.0
 * @category transitions
 */
export const onEngineEvent = (state: UiState, event: EngineEvent): UiState => ({
  ...state,
  transcript: Transcript.onEngineEvent(state.transcript, event, state.now)
})

/**
 * @since 0.1.0
 * @category transitions
 */
export const onStatuses = (state: UiState, statuses: ReadonlyArray<ServerStatus>): UiState =>
  withRows(state, { ...state, statuses })

/**
 * @since 0.1.0
 * @category transitions
 */
export const onStderr = (state: UiState, stderr: ReadonlyMap<string, string>): UiState =>
  withRows(state, { ...state, stderr })

/**
 * @since 0.1.0
 * @category transitions
 */
export const onConfigs = (state: UiState, configs: ReadonlyArray<ServerConfig>): UiState =>
  withRows(state, { ...state, configs: new Map(configs.map((config) => [config.name, config])) })

/**
 * @since 0.1.0
 * @category transitions
 */
export const onToolSet = (state: UiState, toolSet: ToolSet): UiState => withRows(state, { ...state, toolSet })

/**
 * @since 0.1.0
 * @category transitions
 */
export const onLogins = (state: UiState, logins: ReadonlyArray<Waiting>): UiState =>
  withRows(state, { ...state, logins: new Map(logins.map((login) => [login.server, login])) })

/**
 * @since 0.1.0
 * @category transitions
 */
export const onResize = (state: UiState, size: Pick<UiState, "columns" | "rows">): UiState =>
  withRows(state, { ...state, ...size })

/**
 * @since 0.1.0
 * @category transitions
 */
export const onTick = (state: UiState, now: number): UiState => ({ ...state, now })

/**
 * @since 0.1.0
 * @category transitions
 */
export const onMessage = (state: UiState, text: string, tone: Message["tone"] = "info"): UiState => ({
  ...state,
  message: { text, tone }
})

/**
 * The prompts of a server are these now.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onPrompts = (state: UiState, server: string, prompts: ReadonlyArray<ServerPrompt>): UiState => {
  const others = state.prompts.filter((prompt) => prompt.server !== server)
  return others.length === state.prompts.length && prompts.length === 0
    ? state
    : { ...state, prompts: [...others, ...prompts].toSorted((left, right) => (left.command < right.command ? -1 : 1)) }
}

/**
 * A server has logged something.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onLog = (state: UiState, server: string, message: LogMessage): UiState =>
  withRows(state, { ...state, logs: ServerSays.onLog(state.logs, server, message) })

/**
 * The questions that wait have changed. A dialog whose question was taken back goes; the next one comes.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onQuestions = (state: UiState, questions: ReadonlyArray<Question>): UiState => {
  const question = questions.find(({ id }) => id === state.dialog?.question.id) ?? questions[0]
  if (question === undefined) return { ...state, dialog: undefined }
  const waiting = questions.length - 1
  if (question.id === state.dialog?.question.id) return { ...state, dialog: { ...state.dialog, waiting } }
  const form = question._tag === "Form" ? Form.make(question.request) : undefined
  const dialog = { question, waiting, choice: 0, scroll: 0, reason: undefined, form }
  return { ...state, dialog }
}

/**
 * A view is opened.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onPanel = (state: UiState, subject: Panel.Subject): UiState => {
  const panel = Panel.make(subject)
  const opened = { ...state, panel, message: undefined }
  const first = rowsOf(opened).findIndex(PanelRow.isSelectable)
  return { ...opened, panel: { ...panel, selected: Math.max(0, first) } }
}

/**
 * The row of a server is selected in `/mcp`.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onServer = (state: UiState, server: string): UiState => {
  const rows = rowsOf(state)
  const index = rows.findIndex((row) => row._tag === "Server" && row.status.name === server)
  if (state.panel === undefined || index < 0) return state
  return { ...state, panel: Panel.select(state.panel, index, rows, panelHeight(state)) }
}

/**
 * The run is over, with what a person should know of its end.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onRunEnd = (state: UiState, notice?: Transcript.Item): UiState => ({
  ...state,
  transcript: Transcript.onEnd(state.transcript, state.now, notice)
})

/**
 * The run was cancelled: what was to follow it goes back to the input.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onCancelled = (state: UiState): UiState => {
  const ended = onRunEnd(state, Transcript.Item.Notice({ text: "cancelled", tone: "info" }))
  if (state.queued.length === 0) return ended
  const text = [...state.queued, TextBuffer.content(state.prompt.buffer)].join("\n").trim()
  return { ...ended, queued: [], prompt: Prompt.setText(state.prompt, text) }
}

/**
 * How wide the text of the input may be.
 *
 * @since 0.1.0
 * @category getters
 */
export const promptWidth = ({ columns }: UiState): number => Math.max(10, columns - 4)

/** Title, filter, key hints, and the line below the frame. */
const panelChrome = 4

/**
 * How many rows of a view are in sight.
 *
 * @since 0.1.0
 * @category getters
 */
export const panelHeight = ({ rows }: UiState): number => Math.max(1, rows - panelChrome)

/**
 * The finished tool calls, the last one first.
 *
 * @since 0.1.0
 * @category getters
 */
export const calls = ({ transcript }: UiState): ReadonlyArray<Transcript.Call> =>
  [...transcript.items.flatMap((item) => (item._tag === "Tool" ? [item.call] : [])), ...transcript.calls].reverse()

/**
 * The rows of the view that is open. They are made anew only when what they show has changed.
 *
 * @since 0.1.0
 * @category getters
 */
export const rowsOf = (state: UiState): ReadonlyArray<PanelRow.PanelRow> => {
  const { panel } = state
  if (panel === undefined) return []
  const { columns: width, configs, logins, logs, sessions, statuses, stderr, toolSet } = state
  const call = panel.subject._tag === "Call" ? calls(state)[panel.subject.back] : undefined
  const { filter, ...folding } = panel.folding
  const shown = [width, configs, logins, logs, sessions, statuses, stderr, toolSet, call]
  const inputs = [panel.subject._tag, folding.servers, folding.tools, folding.says, ...shown, filter]
  const place = filter === "" ? "all" : "filtered"
  const known = last[place]
  if (known !== undefined && inputs.every((input, index) => input === known.inputs[index])) return known.rows
  const rows = makeRows(state, panel, call)
  last[place] = { inputs, rows }
  return rows
}

interface Made {
  readonly inputs: ReadonlyArray<unknown>
  readonly rows: ReadonlyArray<PanelRow.PanelRow>
}

/** A filter that is taken back finds the rows of before: there may be very many. */
const last: { all?: Made; filtered?: Made } = {}

const makeRows = (state: UiState, panel: Panel.Panel, call: Transcript.Call | undefined) => {
  const width = state.columns
  if (panel.subject._tag === "Tools") return PanelRow.ofTools(state.toolSet, panel.folding, width)
  if (panel.subject._tag === "Sessions") return SessionRows.of(state.sessions, panel.folding.filter)
  if (panel.subject._tag === "Call") return call === undefined ? [] : PanelRow.ofCall(call, width)
  return PanelRow.ofServers({ ...state, width }, panel.folding)
}

const withRows = (before: UiState, after: UiState): UiState =>
  after.panel === undefined
    ? after
    : { ...after, panel: Panel.onRows(after.panel, rowsOf(before), rowsOf(after), panelHeight(after)) }
