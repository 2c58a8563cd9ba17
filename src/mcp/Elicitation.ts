/**
 * Elicitation: a server asks the person something (`elicitation/create`, from 2025-06-18), by a form or by a page to visit.
 *
 * @since 0.1.0
 */

/**
 * A form to fill in (2025-06-18).
 *
 * @since 0.1.0
 * @category models
 */
export interface FormRequest {
  /** What the server says it is for. */
  readonly message: string
  /** In the server's order. */
  readonly fields: ReadonlyArray<Field>
}

/**
 * One field of a form (2025-06-18). The values of a text, a choice and choices are texts; a field without a value is left out of the answer.
 *
 * @since 0.1.0
 * @category models
 */
export type Field = {
  /** The key of the value in the answer. */
  readonly name: string
  /** The name for people. */
  readonly title?: string | undefined
  /** What to write. */
  readonly description?: string | undefined
  /** Whether the form cannot be sent without it. */
  readonly required: boolean
} & (
  | {
      readonly type: "string"
      /** In characters. */
      readonly minLength?: number | undefined
      /** In characters. */
      readonly maxLength?: number | undefined
      /** What the text has to be. */
      readonly format?: "email" | "uri" | "date" | "date-time" | undefined
      /** A regular expression: shown, and left to the server to check. */
      readonly pattern?: string | undefined
      /** 2025-11-25. */
      readonly default?: string | undefined
    }
  | {
      readonly type: "number" | "integer"
      readonly minimum?: number | undefined
      readonly maximum?: number | undefined
      /** 2025-11-25. */
      readonly default?: number | undefined
    }
  /** Its default is there from 2025-06-18 on. */
  | { readonly type: "boolean"; readonly default?: boolean | undefined }
  /** One of the options; the default from 2025-11-25 on. */
  | { readonly type: "choice"; readonly options: ReadonlyArray<Option>; readonly default?: string | undefined }
  /** Some of the options (2025-11-25). */
  | {
      readonly type: "choices"
      readonly options: ReadonlyArray<Option>
      /** How few may be chosen. */
      readonly minItems?: number | undefined
      /** How many may be chosen. */
      readonly maxItems?: number | undefined
      readonly default?: ReadonlyArray<string> | undefined
    }
)

/**
 * What can be chosen (2025-06-18): the value goes to the server, the title is shown.
 *
 * @since 0.1.0
 * @category models
 */
export interface Option {
  readonly value: string
  readonly title: string
}

/**
 * A page that the person is asked to visit (2025-11-25): opened only when the person agrees, having seen the whole address
 * and its host, and never fetched by the host itself. Agreeing (`accept`) does not say that the visit is over.
 *
 * @since 0.1.0
 * @category models
 */
export interface UrlRequest {
  /** What the server says it is for. */
  readonly message: string
  /** The page: `https:` or `http:`. */
  readonly url: URL
  /** Names the visit in `completed` (2025-11-25; gone in 2026-07-28). */
  readonly elicitationId?: string | undefined
}

/**
 * What a person answers to a form (2025-06-18): filled in, refused, or put aside without an answer.
 *
 * @since 0.1.0
 * @category models
 */
export type FormAnswer =
  | { readonly action: "accept"; readonly content: Content }
  | { readonly action: "decline" }
  | { readonly action: "cancel" }

/**
 * What a person answers to the wish that a page be visited (2025-11-25).
 *
 * @since 0.1.0
 * @category models
 */
export interface UrlAnswer {
  /** Agreed to, refused, or put aside without an answer. */
  readonly action: "accept" | "decline" | "cancel"
}

/**
 * The values of a form, by the fields' names (2025-06-18; lists from 2025-11-25 on).
 *
 * @since 0.1.0
 * @category models
 */
export type Content = Readonly<Record<string, string | number | boolean | ReadonlyArray<string>>>

/**
 * The values with the defaults of the fields that have none.
 *
 * @since 0.1.0
 * @category content
 */
export const withDefaults = (fields: ReadonlyArray<Field>, content: Content): Content => {
  const filled: Record<string, Content[string]> = {}
  for (const field of fields) {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : field.default
    if (value !== undefined) filled[field.name] = value
  }
  return filled
}

/**
 * What is wrong with the value of a field, in half a sentence; undefined when nothing is. No value is fine unless one is
 * required.
 *
 * @since 0.1.0
 * @category content
 */
export const problem = (field: Field, value: Content[string] | undefined): string | undefined => {
  if (value === undefined) return field.required ? "must be given" : undefined
  switch (field.type) {
    case "string":
      return typeof value === "string" ? textProblem(field, value) : "must be a text"
    case "number":
    case "integer":
      return typeof value === "number" && Number.isFinite(value) ? numberProblem(field, value) : "must be a number"
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false"
    case "choice":
      return field.options.some((option) => option.value === value) ? undefined : "must be one of the options"
    case "choices":
      return Array.isArray(value) ? choicesProblem(field, value) : "must be a list of options"
  }
}

/**
 * What is wrong with the values of a form, by the fields' names; empty when it can be sent.
 *
 * @since 0.1.0
 * @category content
 */
export const problems = (fields: ReadonlyArray<Field>, content: Content): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const field of fields) {
    const wrong = problem(field, Object.hasOwn(content, field.name) ? content[field.name] : undefined)
    if (wrong !== undefined) found[field.name] = wrong
  }
  return found
}

type FieldOf<Type extends Field["type"]> = Extract<Field, { readonly type: Type }>

const textProblem = ({ format, maxLength, minLength }: FieldOf<"string">, value: string): string | undefined => {
  const length = [...value].length
  if (minLength !== undefined && length < minLength) return `must have at least ${minLength} characters`
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`
  return format === undefined || formats[format].test(value) ? undefined : formats[format].problem
}

const formats = {
  email: { test: (text: string) => /^[^\s@]+@[^\s@]+$/.test(text), problem: "must be an email address" },
  uri: { test: (text: string) => URL.canParse(text), problem: "must be a URI" },
  date: {
    test: (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
    problem: "must be a date (YYYY-MM-DD)"
  },
  "date-time": {
    test: (text: string) => /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)),
    problem: "must be a date with a time (YYYY-MM-DDTHH:MM:SSZ)"
  }
}

const numberProblem = (
  { maximum, minimum, type }: FieldOf<"number" | "integer">,
  value: number
): string | undefined => {
  if (type === "integer" && !Number.isInteger(value)) return "must be a whole number"
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined
}

const choicesProblem = (
  { maxItems, minItems, options }: FieldOf<"choices">,
  value: ReadonlyArray<unknown>
): string | undefined => {
  if (!value.every((one) => options.some((option) => option.value === one))) return "must be some of the options"
  if (minItems !== undefined && value.length < minItems) return `needs at least ${minItems} of the options`
  return maxItems !== undefined && value.length > maxItems ? `takes at most ${maxItems} of the options` : undefined
}
