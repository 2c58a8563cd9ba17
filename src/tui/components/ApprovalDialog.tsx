/**
 * The question whether a tool may run: who offers it, what it would be given, and the answers.
 *
 * Everything that a server or a model wrote is shown with its invisible characters written out.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import wrapAnsi from "wrap-ansi"
import { keptPattern, type PermissionRequest, suggestedPattern } from "../../engine/Permission.ts"
import { shown } from "../../engine/PermissionRules.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import type { Tool } from "../../tool/Tool.ts"
import { choices } from "../Question.ts"
import type * as TextBuffer from "../TextBuffer.ts"
import type { Dialog } from "../UiState.ts"
import * as Width from "../Width.ts"
import { useCursor } from "./CursorContext.ts"
import { Choice, Frame, Scrolled } from "./Dialog.tsx"

/**
 * @since 0.1.0
 * @category models
 */
export interface ApprovalDialogProps {
  readonly request: PermissionRequest
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
export const ApprovalDialog = ({ columns, dialog, height, plain, request }: ApprovalDialogProps) => {
  const { tool } = request
  const all = choices(dialog.question)
  // Frame, title, name, two blank lines, the choices, and the word to the model.
  const chrome =
    (plain ? 4 : 6) + all.length + (dialog.reason === undefined ? 0 : 1) + (request.rule === undefined ? 0 : 1)
  return (
    <Frame title="Allow this tool to run?" waiting={dialog.waiting} columns={columns} plain={plain}>
      <Text wrap="truncate-end">
        <Text bold>{oneLine(tool.name)}</Text>
        <Text dimColor>{`  ${originOf(tool)}${tool.hints.destructive ? " · may destroy something" : ""}`}</Text>
      </Text>
      {request.rule !== undefined && (
        <Text dimColor wrap="truncate-end">{`by the rule ${oneLine(shown(request.rule))}`}</Text>
      )}
      <Scrolled
        lines={argumentLines(request, columns - 7)}
        scroll={dialog.scroll}
        height={Math.max(1, height - chrome)}
      />
      {all.map((choice, index) => (
        <Choice
          key={choice.key}
          selected={index === dialog.choice}
          label={`${choice.key}  ${labels[choice.answer]?.(request) ?? ""}`}
        />
      ))}
      {dialog.reason !== undefined && <Reason reason={dialog.reason} columns={columns} plain={plain} />}
    </Frame>
  )
}

const originOf = ({ origin }: Tool): string =>
  origin._tag === "Builtin" ? "built in" : `server ${oneLine(origin.server)}, tool ${oneLine(origin.tool)}`

const labels: Readonly<Record<string, (request: PermissionRequest) => string>> = {
  Once: () => "allow once",
  Session: (request) => `allow ${oneLine(suggestedPattern(request))} for this session`,
  Always: (request) => `always allow ${oneLine(keptPattern(request))}, written to harness9.json`,
  Deny: () => "deny",
  Word: () => "deny, with a word to the model"
}

/** A text argument is shown as text, so that its line ends are line ends; everything else as JSON. */
const argumentLines = (request: PermissionRequest, width: number): ReadonlyArray<string> => {
  const entries = Object.entries(request.arguments)
  if (entries.length === 0) return ["no arguments"]
  return entries.flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2)
    const line = `${oneLine(name)}: ${visible(text.replaceAll("\r\n", "\n"), { newlines: true }).replaceAll("\t", "  ")}`
    return wrapAnsi(line, Math.max(20, width), { hard: true, trim: false }).split("\n")
  })
}

interface ReasonProps {
  readonly reason: TextBuffer.TextBuffer
  readonly columns: number
  readonly plain: boolean
}

const why = "  why: "

/** The last line of the dialog. The cursor stays in sight. */
const Reason = ({ columns, plain, reason }: ReasonProps) => {
  const frame = plain ? 0 : 2
  const before = Width.endOf(visible(reason.text.slice(0, reason.cursor)), columns - why.length - 2 * frame - 2)
  useCursor({ up: plain ? 2 : 3, column: frame + why.length + Width.of(before) })
  return (
    <Text wrap="truncate-end">
      {why}
      {before}
      {visible(reason.text.slice(reason.cursor))}
    </Text>
  )
}
