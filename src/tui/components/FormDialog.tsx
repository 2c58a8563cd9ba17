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
import type * as TextBuffer from "../TextBuffer.ts"
import * as Theme from "../Theme.ts"
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
  return (
    <Frame title={`${oneLine(question.origin.server)} asks you`} waiting={waiting} columns={columns} plain={plain}>
      <Text wrap="truncate-end">{oneLine(message)}</Text>
      {inSight(rows, room)}
    </Frame>
  )
}

interface Row {
  readonly focused: boolean
  readonly line: ReactNode
}

/** The rows around the ones in use, as many as there is room for. */
const inSight = (rows: ReadonlyArray<Row>, room: number): ReadonlyArray<ReactNode> => {
  const first = rows.findIndex(({ focused }) => focused)
  const last = rows.findLastIndex(({ focused }) => focused)
  const start = Math.max(0, Math.min(first - 1, rows.length - room, Math.max(first - 1, last - room + 1)))
  return rows.slice(start, start + room).map(({ line }) => line)
}

const fieldRows = (input: Form.Input, focused: boolean, columns: number): ReadonlyArray<Row> => {
  const { field, problem } = input
  const name = `${oneLine(field.title ?? field.name)}${field.required ? "*" : ""}`
  const about = [FieldText.wanted(field), field.description].filter((part) => part !== undefined && part !== "")
  const row = (key: string, line: ReactNode): Row => ({
    focused,
    line: <Line key={`${field.name} ${key}`}>{line}</Line>
  })
  return [
    row(
      "value",
      <>
        <Text
          bold={focused}
          {...(focused ? { color: Theme.color.accent } : {})}
        >{`${focused ? "›" : " "} ${name}: `}</Text>
        <Value input={input} focused={focused} width={columns - name.length - 12} />
      </>
    ),
    ...(problem === undefined ? [] : [row("problem", <Text color={Theme.color.error}>{`    ${problem}`}</Text>)]),
    ...(focused && about.length > 0 ? [row("about", <Text dimColor>{`    ${oneLine(about.join("; "))}`}</Text>)] : [])
  ]
}

const Line = ({ children }: { readonly children: ReactNode }) => <Text wrap="truncate-end">{children}</Text>

const Value = (props: { readonly input: Form.Input; readonly focused: boolean; readonly width: number }) => {
  const { focused, input, width } = props
  const options = Form.optionsOf(input.field)
  if (options.length === 0)
    return focused ? <Typed text={input.text} width={width} /> : <Text>{oneLine(input.text.text)}</Text>
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

/** The cursor stays in sight. */
const Typed = ({ text, width }: { readonly text: TextBuffer.TextBuffer; readonly width: number }) => (
  <Text>
    {visible(text.text.slice(Math.max(0, text.cursor - Math.max(10, width)), text.cursor))}
    <Text inverse> </Text>
    {visible(text.text.slice(text.cursor))}
  </Text>
)

const labels = { accept: "send", decline: "decline", cancel: "not now" }

const actionRows = (form: Form.Form): ReadonlyArray<Row> =>
  Form.actions.map((action, index) => {
    const focused = form.focus === form.inputs.length + index
    return { focused, line: <Choice key={`action ${action}`} selected={focused} label={labels[action]} /> }
  })
