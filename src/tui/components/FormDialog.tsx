/**
 * A form that a server wants to be filled in: who asks and for what, the fields with what is in them, and what to do with it.
 *
 * @since 0.1.0
 */
import { Text } from "ink"
import type { ReactNode } from "react"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import * as FieldText from "../FieldText.ts"
import * as Form from "../Form.ts"
import type { Question } from "../Question.ts"
import * as Theme from "../Theme.ts"
import * as Width from "../Width.ts"
import { useCursor } from "./CursorContext.ts"
import { Choice, Frame } from "./Dialog.tsx"

/**
 * @since 0.1.0
 * @category models
 */
export interface FormDialogProps {
  readonly question: Extract<Question, { readonly _tag: "Form" }>
  readonly form: Form.Form
  readonly waiting: number
  readonly columns: number
  /** How many rows there are for it. */
  readonly height: number
  readonly plain: boolean
}

/**
 * @since 0.1.0
 * @category components
 */
export const FormDialog = ({ columns, form, height, plain, question, waiting }: FormDialogProps) => {
  const { message } = question.request
  // Frame, title, message.
  const room = Math.max(1, height - (plain ? 2 : 4))
  const rows = [
    ...form.inputs.flatMap((input, index) => fieldRows(input, index === form.focus, columns)),
    ...actionRows(form)
  ]
  const { below, lines } = inSight(rows, room)
  const focused = form.inputs[form.focus]
  const before = focused && typedBefore(focused, columns)
  // Below the rows are the frame and the key hints.
  const column = (plain ? 0 : 2) + Width.of(`${focused ? nameOf(focused, true) : ""}${before}`)
  useCursor(before === undefined ? undefined : { up: below + (plain ? 1 : 2), column })
  return (
    <Frame title={`${oneLine(question.origin.server)} asks you`} waiting={waiting} columns={columns} plain={plain}>
      <Text wrap="truncate-end">{oneLine(message)}</Text>
      {lines}
    </Frame>
  )
}

interface Row {
  readonly focused: boolean
  readonly line: ReactNode
}

/** The rows around the ones in use, as many as there is room for; and how far the first of those is above the end. */
const inSight = (rows: ReadonlyArray<Row>, room: number) => {
  const first = rows.findIndex(({ focused }) => focused)
  const last = rows.findLastIndex(({ focused }) => focused)
  const start = Math.max(0, Math.min(first - 1, rows.length - room, Math.max(first - 1, last - room + 1)))
  const shown = rows.slice(start, start + room)
  return { lines: shown.map(({ line }) => line), below: shown.length - (first - start) }
}

const nameOf = ({ field }: Form.Input, focused: boolean): string =>
  `${focused ? "›" : " "} ${oneLine(field.title ?? field.name)}${field.required ? "*" : ""}: `

/** What is shown of the text before the cursor, so that the cursor stays in sight; nothing where none is typed. */
const typedBefore = (input: Form.Input, columns: number): string | undefined => {
  if (Form.optionsOf(input.field).length > 0) return undefined
  const room = Math.max(10, columns - Width.of(nameOf(input, true)) - 6)
  return Width.endOf(visible(input.text.text.slice(0, input.text.cursor)), room)
}

const fieldRows = (input: Form.Input, focused: boolean, columns: number): ReadonlyArray<Row> => {
  const { field, problem } = input
  const about = [FieldText.wanted(field), field.description].filter((part) => part !== undefined && part !== "")
  const row = (key: string, line: ReactNode): Row => ({
    focused,
    line: <Line key={`${field.name} ${key}`}>{line}</Line>
  })
  return [
    row(
      "value",
      <>
        <Text bold={focused} {...(focused ? { color: Theme.color.accent } : {})}>
          {nameOf(input, focused)}
        </Text>
        <Value input={input} focused={focused} columns={columns} />
      </>
    ),
    ...(problem === undefined ? [] : [row("problem", <Text color={Theme.color.error}>{`    ${problem}`}</Text>)]),
    ...(focused && about.length > 0 ? [row("about", <Text dimColor>{`    ${oneLine(about.join("; "))}`}</Text>)] : [])
  ]
}

const Line = ({ children }: { readonly children: ReactNode }) => <Text wrap="truncate-end">{children}</Text>

const Value = (props: { readonly input: Form.Input; readonly focused: boolean; readonly columns: number }) => {
  const { columns, focused, input } = props
  const options = Form.optionsOf(input.field)
  if (options.length === 0) {
    const { cursor, text } = input.text
    return <Text>{focused ? `${typedBefore(input, columns) ?? ""}${visible(text.slice(cursor))}` : oneLine(text)}</Text>
  }
  if (!focused) return <Text>{chosen(input).join(", ")}</Text>
  const isMulti = input.field.type === "choices"
  return (
    <Text>
      {options.map(({ title, value }, index) => (
        <Text key={value} inverse={isMulti && index === input.cursor}>
          {`${mark(input.chosen.has(value), isMulti)} ${oneLine(title)}  `}
        </Text>
      ))}
    </Text>
  )
}

const chosen = (input: Form.Input): ReadonlyArray<string> =>
  Form.optionsOf(input.field).flatMap(({ title, value }) => (input.chosen.has(value) ? [oneLine(title)] : []))

const mark = (on: boolean, isMulti: boolean): string => {
  if (isMulti) return on ? "[x]" : "[ ]"
  return on ? "(•)" : "( )"
}

const labels = { accept: "send", decline: "decline", cancel: "not now" }

const actionRows = (form: Form.Form): ReadonlyArray<Row> =>
  Form.actions.map((action, index) => {
    const focused = form.focus === form.inputs.length + index
    return { focused, line: <Choice key={`action ${action}`} selected={focused} label={labels[action]} /> }
  })
