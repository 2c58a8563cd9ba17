/**
 * A server as another host has it, on its way to an entry of this configuration: what was taken over, and what could not be.
 *
 * @since 0.1.0
 */
import { isObject, type JsonObject } from "../JsonRpc.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface ForeignServer {
  readonly name: string
  /** The entry as it would stand here; without one the server cannot be taken over, and the notes say why. */
  readonly entry: JsonObject | undefined
  /** What a person should know: what is missing, what to set. Never a value. */
  readonly notes: ReadonlyArray<string>
  /** Of two servers of one name the one with the lower rank counts: what is nearer to the project. */
  readonly rank: number
}

/**
 * What one file of a host says.
 *
 * @since 0.1.0
 * @category models
 */
export interface ForeignFile {
  readonly servers: ReadonlyArray<ForeignServer>
  /** About the file as a whole. */
  readonly notes: ReadonlyArray<string>
}

/**
 * Puts a field into the entry under this project's name and form, or says why it is not.
 *
 * @since 0.1.0
 * @category models
 */
export type Rule = (value: unknown, draft: Draft, field: string) => void

/**
 * An entry that is being written.
 *
 * @since 0.1.0
 * @category models
 */
export interface Draft {
  readonly entry: Record<string, unknown>
  readonly notes: Array<string>
}

/**
 * Rewrites a text of the entry from the host's way to name variables to this one's; `field` is where it stands.
 *
 * @since 0.1.0
 * @category models
 */
export type Dialect = (text: string, note: (note: string) => void, field: string) => string

/**
 * @since 0.1.0
 * @category models
 */
export interface Format {
  readonly rules: Readonly<Record<string, Rule>>
  readonly dialect: Dialect
  /** What the transport follows from, where no rule says it. */
  readonly complete?: ((raw: JsonObject, draft: Draft) => void) | undefined
}

/**
 * A server by the rules of its host's format.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (name: string, raw: unknown, { complete, dialect, rules }: Format, rank: number): ForeignServer => {
  if (!isObject(raw)) return { name, entry: undefined, notes: ["it is no object"], rank }
  const draft: Draft = { entry: {}, notes: [] }
  for (const [field, value] of Object.entries(raw)) {
    if (value === null) continue
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined
    if (rule === undefined) draft.notes.push(`"${field}" was not taken over: there is no such field here`)
    else rule(value, draft, field)
  }
  complete?.(raw, draft)
  const hasTarget = draft.entry.command !== undefined || draft.entry.url !== undefined
  if (!hasTarget) return { name, entry: undefined, notes: [...draft.notes, "it has neither a command nor a URL"], rank }
  const notes = new Set(draft.notes)
  const entry = Object.fromEntries(
    Object.entries(draft.entry).map(([field, value]) => [
      field,
      expanded.has(field) ? translated(value, dialect, (note) => notes.add(note), field) : value
    ])
  )
  if (typeof entry.cwd === "string" && !/^([/\\~]|[A-Za-z]:|\$\{)/.test(entry.cwd)) {
    notes.add(`"cwd" is relative, and starts at the folder of the file that it is written to`)
  }
  return { name, entry, notes: [...notes], rank }
}

/** The fields in which this configuration puts variables in. */
const expanded: ReadonlySet<string> = new Set(["command", "args", "env", "cwd", "url", "headers", "oauth"])

const translated = (value: unknown, dialect: Dialect, note: (note: string) => void, field: string): unknown => {
  if (typeof value === "string") return dialect(value, note, field)
  if (Array.isArray(value)) return value.map((item) => translated(item, dialect, note, field))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, translated(item, dialect, note, `${field}.${key}`)])
  )
}

/**
 * The servers of an object that has them by name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const all = (servers: unknown, format: Format, rank: number): ReadonlyArray<ForeignServer> =>
  isObject(servers) ? Object.entries(servers).map(([name, raw]) => make(name, raw, format, rank)) : []

/**
 * The field as it is, under this name.
 *
 * @since 0.1.0
 * @category rules
 */
export const as =
  (name: string): Rule =>
  (value, { entry }) => {
    entry[name] = value
  }

/**
 * The variables or headers of the host put to those that are there already.
 *
 * @since 0.1.0
 * @category rules
 */
export const merged =
  (name: "env" | "headers", values: (value: unknown) => JsonObject): Rule =>
  (value, { entry }) => {
    const before = entry[name]
    entry[name] = { ...(isObject(before) ? before : {}), ...values(value) }
  }

/**
 * A login, by the names that the host has for its parts; what it has no part for here is told.
 *
 * @since 0.1.0
 * @category rules
 */
export const login =
  (names: Readonly<Record<string, string>>): Rule =>
  (value, { entry, notes }, field) => {
    if (!isObject(value)) return
    const parts = Object.entries(value).filter(([, part]) => part !== null && part !== "")
    const known = parts.flatMap(([key, part]) => {
      const name = Object.hasOwn(names, key) ? names[key] : undefined
      return name === undefined ? [] : [[name, part] as const]
    })
    const unknown = parts.filter(([key]) => !Object.hasOwn(names, key)).map(([key]) => `"${field}.${key}"`)
    const before = entry.oauth
    if (known.length > 0) entry.oauth = { ...(isObject(before) ? before : {}), ...Object.fromEntries(known) }
    if (unknown.length > 0) notes.push(`${unknown.join(", ")} not taken over: log in again here`)
  }

/**
 * Of no meaning here, and nothing to speak of.
 *
 * @since 0.1.0
 * @category rules
 */
export const ignored: Rule = () => {}

/**
 * Cannot be taken over.
 *
 * @since 0.1.0
 * @category rules
 */
export const lost =
  (why: string): Rule =>
  (_, { notes }, field) => {
    notes.push(`"${field}" was not taken over: ${why}`)
  }

/**
 * `true` switches the server on, or with `disabled` off.
 *
 * @since 0.1.0
 * @category rules
 */
export const switched =
  (off: boolean): Rule =>
  (value, { entry }) => {
    if (value === off) entry.disabled = true
  }

/**
 * A time as a number in the host's unit.
 *
 * @since 0.1.0
 * @category rules
 */
export const time =
  (name: "timeout" | "connectTimeout", millisPerUnit: number): Rule =>
  (value, { entry, notes }, field) => {
    if (typeof value === "number" && value > 0) entry[name] = value * millisPerUnit
    else notes.push(`"${field}" was not taken over: it is no time`)
  }
