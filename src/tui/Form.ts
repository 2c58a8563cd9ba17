/**
 * A server's form while a person fills it in: the fields one below the other, then what to do with it.
 *
 * @since 0.1.0
 */
import * as Elicitation from "../mcp/Elicitation.ts"
import * as FieldText from "./FieldText.ts"
import type { Key } from "./Keys.ts"
import * as TextBuffer from "./TextBuffer.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Form {
  readonly inputs: ReadonlyArray<Input>
  /** The index of the field in use; behind them those of the actions. */
  readonly focus: number
}

/**
 * A field, and what is in it: a text, or the options that are chosen.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly field: Elicitation.Field
  readonly text: TextBuffer.TextBuffer
  readonly chosen: ReadonlySet<string>
  /** The option that the space bar is meant for. */
  readonly cursor: number
  /** What is wrong with the value; said once the form was to be sent. */
  readonly problem: string | undefined
}

/**
 * What can be done with the form, in the order shown.
 *
 * @since 0.1.0
 * @category constants
 */
export const actions = ["accept", "decline", "cancel"] as const

/**
 * The form with the defaults filled in.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ fields }: Elicitation.FormRequest): Form => ({ inputs: fields.map(input), focus: 0 })

const input = (field: Elicitation.Field): Input => {
  const chosen = new Set(chosenAtFirst(field))
  const first = optionsOf(field).findIndex(({ value }) => chosen.has(value))
  const text = isText(field) ? FieldText.initial(field) : ""
  return { field, text: TextBuffer.make(text), chosen, cursor: Math.max(0, first), problem: undefined }
}

const chosenAtFirst = (field: Elicitation.Field): ReadonlyArray<string> => {
  if (field.default === undefined || isText(field)) return []
  return field.type === "choices" ? field.default : [String(field.default)]
}

const isText = ({ type }: Elicitation.Field): boolean => type === "string" || type === "number" || type === "integer"

const truths: ReadonlyArray<Elicitation.Option> = [
  { value: "true", title: "yes" },
  { value: "false", title: "no" }
]

/**
 * What can be chosen in a field; nothing where a text is typed.
 *
 * @since 0.1.0
 * @category getters
 */
export const optionsOf = (field: Elicitation.Field): ReadonlyArray<Elicitation.Option> => {
  if (field.type === "boolean") return truths
  return field.type === "choice" || field.type === "choices" ? field.options : []
}

/**
 * The value of a field; undefined when it has none. Where there is a default, an emptied text or list is a value of its own:
 * without one, the default would be sent.
 *
 * @since 0.1.0
 * @category getters
 */
export const valueOf = ({ chosen, field, text }: Input): Elicitation.Content[string] | undefined => {
  if (isText(field)) {
    const written = FieldText.parse(field, TextBuffer.content(text))
    return written ?? (field.type === "string" && field.default !== undefined ? "" : undefined)
  }
  const values = optionsOf(field).flatMap(({ value }) => (chosen.has(value) ? [value] : []))
  if (values.length === 0) return field.type === "choices" && field.default !== undefined ? [] : undefined
  if (field.type === "boolean") return values[0] === "true"
  return field.type === "choices" ? values : values[0]
}

/**
 * The answer, or the form with what is wrong in it and its first such field in use.
 *
 * @since 0.1.0
 * @category getters
 */
export const submitted = (form: Form): Form | Elicitation.FormAnswer => {
  const inputs = form.inputs.map((each) => ({ ...each, problem: Elicitation.problem(each.field, valueOf(each)) }))
  const wrong = inputs.findIndex(({ problem }) => problem !== undefined)
  if (wrong >= 0) return { inputs, focus: wrong }
  const values = inputs.flatMap((each) => {
    const value = valueOf(each)
    return value === undefined ? [] : [[each.field.name, value] as const]
  })
  return { action: "accept", content: Object.fromEntries(values) }
}

/**
 * The form after a key that edits it or moves in it.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onKey = (form: Form, key: Key): Form => {
  if (key._tag === "Press") {
    const step = steps[key.key]
    if (step !== undefined) return moved(form, step)
  }
  const focused = form.inputs[form.focus]
  if (focused === undefined) return form
  const edited = isText(focused.field) ? onTextKey(focused, key) : onOptionKey(focused, key)
  const inputs = form.inputs.with(form.focus, { ...edited, problem: problemOf(focused, edited) })
  return { ...form, inputs }
}

const steps: Readonly<Record<string, 1 | -1>> = { up: -1, "shift+tab": -1, down: 1, tab: 1, enter: 1 }

const moved = (form: Form, step: 1 | -1): Form => {
  const count = form.inputs.length + actions.length
  return { ...form, focus: (form.focus + step + count) % count }
}

/** What was found wrong is looked at again with each key; what was not yet, is left until the form is sent. */
const problemOf = (before: Input, after: Input): string | undefined =>
  before.problem === undefined ? undefined : Elicitation.problem(after.field, valueOf(after))

const onTextKey = (focused: Input, key: Key): Input => {
  if (key._tag !== "Press") return { ...focused, text: TextBuffer.insert(focused.text, key.text) }
  const edit = TextBuffer.keys[key.key]
  return edit === undefined ? focused : { ...focused, text: edit(focused.text) }
}

const onOptionKey = (focused: Input, key: Key): Input => {
  const name = key._tag === "Press" ? key.key : key.text.charAt(0)
  const options = optionsOf(focused.field)
  const isMulti = focused.field.type === "choices"
  const chosenAt = options.findIndex(({ value }) => focused.chosen.has(value))
  switch (name) {
    case "left":
    case "right": {
      const step = name === "left" ? -1 : 1
      const from = isMulti || chosenAt >= 0 ? focused.cursor : step === 1 ? -1 : 0
      const cursor = (from + step + options.length) % options.length
      return isMulti ? { ...focused, cursor } : choose(focused, cursor)
    }
    case " ":
    case "space":
      if (!isMulti) return choose(focused, chosenAt < 0 ? 0 : (chosenAt + 1) % options.length)
      return toggle(focused, focused.cursor)
    case "backspace":
    case "delete":
      return focused.field.default === undefined || isMulti ? { ...focused, chosen: new Set() } : focused
    default:
      return onOptionText(focused, name)
  }
}

/** The number of an option, or the letter that its title begins with. */
const onOptionText = (focused: Input, char: string): Input => {
  const options = optionsOf(focused.field)
  const number = /^[1-9]$/.test(char) ? Number(char) - 1 : -1
  const lettered = options.findIndex(({ title }) => title.toLowerCase().startsWith(char.toLowerCase()))
  const index = number >= 0 ? number : lettered
  if (options[index] === undefined || char.length !== 1) return focused
  return focused.field.type === "choices" ? toggle({ ...focused, cursor: index }, index) : choose(focused, index)
}

const choose = (focused: Input, index: number): Input => {
  const option = optionsOf(focused.field)[index]
  return option === undefined ? focused : { ...focused, chosen: new Set([option.value]), cursor: index }
}

const toggle = (focused: Input, index: number): Input => {
  const option = optionsOf(focused.field)[index]
  if (option === undefined) return focused
  const chosen = new Set(focused.chosen)
  if (!chosen.delete(option.value)) chosen.add(option.value)
  return { ...focused, chosen }
}
