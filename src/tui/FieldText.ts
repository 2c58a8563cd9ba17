/**
 * A field of a server's form as a person writes it: its values are texts, several of them parted by commas.
 *
 * @since 0.1.0
 */
import type * as Elicitation from "../mcp/Elicitation.ts"
import { oneLine } from "../mcp/VisibleText.ts"

/**
 * What the field holds before a person changes it; empty when it has no default.
 *
 * @since 0.1.0
 * @category getters
 */
export const initial = (field: Elicitation.Field): string => {
  if (field.default === undefined) return ""
  if (field.type === "boolean") return field.default ? "yes" : "no"
  return field.type === "choices" ? field.default.join(", ") : String(field.default)
}

/**
 * The value that is written; a text that is none for the field comes back as it is, for `Elicitation.problem` to say why. An
 * empty text is no value.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (field: Elicitation.Field, text: string): Elicitation.Content[string] | undefined => {
  const trimmed = text.trim()
  if (trimmed === "") return undefined
  switch (field.type) {
    case "string":
      return text
    case "number":
    case "integer":
      return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed)
    case "boolean":
      return truths.get(trimmed.toLowerCase()) ?? trimmed
    case "choice":
      return valueOf(field.options, trimmed)
    case "choices":
      return trimmed
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .map((part) => valueOf(field.options, part))
  }
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["y", true],
  ["true", true],
  ["no", false],
  ["n", false],
  ["false", false]
])

/** An option by its value, its title or its number. */
const valueOf = (options: ReadonlyArray<Elicitation.Option>, text: string): string => {
  const lower = text.toLowerCase()
  const found =
    options.find(({ value }) => value === text) ??
    options.find(({ title, value }) => title.toLowerCase() === lower || value.toLowerCase() === lower) ??
    (/^\d+$/.test(text) ? options[Number(text) - 1] : undefined)
  return found?.value ?? text
}

/**
 * The name of the field with what is wanted there, on a line.
 *
 * @since 0.1.0
 * @category formatting
 */
export const label = (field: Elicitation.Field): string => {
  const about = [field.description, wanted(field)].filter((part) => part !== undefined && part !== "")
  const name = `${oneLine(field.title ?? field.name)}${field.required ? "*" : ""}`
  return about.length === 0 ? name : `${name} (${oneLine(about.join("; "))})`
}

/**
 * What a value must be, in a few words.
 *
 * @since 0.1.0
 * @category formatting
 */
export const wanted = (field: Elicitation.Field): string => {
  switch (field.type) {
    case "string":
      return [field.format, field.pattern].filter((part) => part !== undefined).join(", ")
    case "number":
    case "integer":
      return [
        [field.type, range(field.minimum, field.maximum)].filter((part) => part !== "").join(" "),
        ...(field.default === undefined ? [] : [`${field.default} when empty`])
      ].join(", ")
    case "boolean":
      return "yes or no"
    case "choice":
      return `one of ${titles(field.options)}`
    case "choices":
      return `some of ${titles(field.options)}`
  }
}

const range = (minimum: number | undefined, maximum: number | undefined): string => {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `from ${minimum}`
  return maximum === undefined ? "" : `to ${maximum}`
}

/** More than this a person does not read on a line. */
const mostTitles = 30

const titles = (options: ReadonlyArray<Elicitation.Option>): string => {
  const shown = options.slice(0, mostTitles).map(({ title }, index) => `${index + 1} ${title}`)
  return [...shown, ...(options.length > mostTitles ? ["…"] : [])].join(", ")
}
