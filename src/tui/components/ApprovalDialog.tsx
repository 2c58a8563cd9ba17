/**
 * The question whether a tool may run: who offers it, what it would be given, and the answers.
 *
 * Everything that a server or a model wrote is shown with its invisible characters written out.
 *
 * @since 0.1.0
 */
import { Box, Text } from "ink"
import wrapAnsi from "wrap-ansi"
import { type Answer, type PermissionRequest, suggestedPattern } from "../../engine/Permission.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import type { Tool } from "../../tool/Tool.ts"
import { choices } from "../DialogKeys.ts"
import type * as TextBuffer from "../TextBuffer.ts"
import * as Theme from "../Theme.ts"
import type { Dialog } from "../UiState.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface ApprovalDialogProps {
  readonly dialog: Dialog
  readonly columns: number
  /** How many rows there are for it. */
  readonly height: number
  readonly plain: boolean
}

/**
 * @since 0.1.0
 * @category components
 */
export const ApprovalDialog = ({ columns, dialog, height, plain }: ApprovalDialogProps) => {
  const { question, waiting } = dialog
  const { tool } = question.request
  // Frame, title, name, two blank lines, the choices, and the word to the model.
  const chrome = (plain ? 4 : 6) + choices.length + (dialog.reason === undefined ? 0 : 1)
  const frame = plain ? {} : { borderStyle: "round" as const, borderColor: Theme.color.warning, paddingX: 1 }
  return (
    <Box flexDirection="column" width={columns - 1} {...frame}>
      <Text wrap="truncate-end">
        <Text bold color={Theme.color.warning}>
          Allow this tool to run?
        </Text>
        {waiting > 0 && <Text dimColor>{`  ${waiting} more waiting`}</Text>}
      </Text>
      <Text wrap="truncate-end">
        <Text bold>{oneLine(tool.name)}</Text>
        <Text dimColor>{`  ${originOf(tool)}${tool.hints.destructive ? " · may destroy something" : ""}`}</Text>
      </Text>
      <Arguments dialog={dialog} width={columns - 7} height={Math.max(1, height - chrome)} />
      {choices.map((choice, index) => (
        <Choice
          key={choice.key}
          selected={index === dialog.choice}
          label={`${choice.key}  ${labels[choice.answer](question.request)}`}
        />
      ))}
      {dialog.reason !== undefined && <Reason reason={dialog.reason} />}
    </Box>
  )
}

const originOf = ({ origin }: Tool): string =>
  origin._tag === "Builtin" ? "built in" : `server ${oneLine(origin.server)}, tool ${oneLine(origin.tool)}`

const labels: Readonly<Record<Answer["_tag"] | "Word", (request: PermissionRequest) => string>> = {
  Once: () => "allow once",
  Session: (request) => `allow ${oneLine(suggestedPattern(request))} for this session`,
  Always: (request) => `always allow ${oneLine(suggestedPattern(request))}`,
  Deny: () => "deny",
  Word: () => "deny, with a word to the model"
}

const Choice = ({ label, selected }: { readonly label: string; readonly selected: boolean }) => (
  <Text wrap="truncate-end" bold={selected} {...(selected ? { color: Theme.color.accent } : {})}>
    {`${selected ? "›" : " "} ${label}`}
  </Text>
)

const Arguments = (props: { readonly dialog: Dialog; readonly width: number; readonly height: number }) => {
  const { dialog, width } = props
  const lines = argumentLines(dialog.question.request, width)
  const height = lines.length > props.height ? Math.max(1, props.height - 1) : props.height
  const scroll = Math.max(0, Math.min(dialog.scroll, lines.length - height))
  const below = lines.length - scroll - height
  return (
    <Box flexDirection="column" marginY={1}>
      <Text>{lines.slice(scroll, scroll + height).join("\n")}</Text>
      {(below > 0 || scroll > 0) && (
        <Text dimColor>{`${scroll} lines above, ${Math.max(0, below)} below (PgUp PgDn)`}</Text>
      )}
    </Box>
  )
}

/** A text argument is shown as text, so that its line ends are line ends; everything else as JSON. */
const argumentLines = (request: PermissionRequest, width: number): ReadonlyArray<string> => {
  const entries = Object.entries(request.arguments)
  if (entries.length === 0) return ["no arguments"]
  return entries.flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2)
    const shown = `${oneLine(name)}: ${visible(text.replaceAll("\r\n", "\n"), { newlines: true }).replaceAll("\t", "  ")}`
    return wrapAnsi(shown, Math.max(20, width), { hard: true, trim: false }).split("\n")
  })
}

const Reason = ({ reason }: { readonly reason: TextBuffer.TextBuffer }) => (
  <Text>
    {"  why: "}
    {visible(reason.text.slice(0, reason.cursor))}
    <Text inverse> </Text>
    {visible(reason.text.slice(reason.cursor))}
  </Text>
)
