/**
 * How the offline model fills a tool's arguments: from the JSON, `key=value` pairs, quoted strings, paths, numbers and words of
 * a step, as the tool's input schema asks for them.
 *
 * @since 0.1.0
 */
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import * as OfflineWords from "./OfflineWords.ts"

/**
 * What a step says, taken apart.
 *
 * @since 0.1.0
 * @category models
 */
export interface Said {
  readonly json: ReadonlyArray<unknown>
  readonly pairs: ReadonlyMap<string, string>
  readonly quoted: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
  readonly urls: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
  /** The step without what is above. */
  readonly rest: string
  /** The result of the step before, when this one speaks of it. */
  readonly previous: string | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Filled {
  readonly arguments: JsonObject
  /** Required properties for which the step has nothing. */
  readonly missing: ReadonlyArray<string>
  /** How many of the step's values found a place, and how many did not. */
  readonly used: number
  readonly unused: number
}

/**
 * Takes a step apart.
 *
 * @since 0.1.0
 * @category parsing
 */
export const read = (step: string, previous: string | undefined): Said => {
  const quoted: Array<string> = []
  const pairs = new Map<string, string>()
  const urls: Array<string> = []
  const paths: Array<string> = []
  const numbers: Array<number> = []
  const { json, text } = takeJson(step)
  const withPrevious = (value: string) => value.replaceAll(previousMark, previous ?? "")
  const take = (value: string, list: Array<string>) => {
    list.push(withPrevious(value))
    return " "
  }
  const rest = text
    .replace(/(?<![\w.])([A-Za-z_][\w-]*)=("[^"]*"|'[^']*'|\S+)/g, (_, key: string, value: string) => {
      pairs.set(key, withPrevious(value.replace(/^(["'])([\s\S]*)\1$/, "$2").replace(/[,;]$/, "")))
      return " "
    })
    .replace(quotedText, (_, ...groups: ReadonlyArray<unknown>) => take(String(groups.find(isString) ?? ""), quoted))
    .replace(/\bhttps?:\/\/[^\s,;]+/g, (url) => take(url, urls))
    .replace(pathText, (path) => take(path, paths))
    .replace(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g, (number) => {
      numbers.push(Number(number))
      return " "
    })
  const refersBack = step.includes(previousMark) || /\b(?:it|the (?:result|output|answer)|that)\b/i.test(rest)
  return { json, pairs, quoted, paths, urls, numbers, rest: rest.trim(), previous: refersBack ? previous : undefined }
}

/**
 * Fills a tool's arguments. `toolWords` are the words of the tool itself: at the head of a step they name it and are no value.
 *
 * @since 0.1.0
 * @category filling
 */
export const fill = (schema: JsonObject, said: Said, toolWords: ReadonlyArray<string>): Filled => {
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const required = new Set(Array.isArray(schema.required) ? schema.required.filter(isString) : [])
  const whole = said.json.find(isObject)
  if (whole !== undefined && fits(whole, properties)) {
    const missing = [...required].filter((name) => !(name in whole))
    return { arguments: whole, missing, used: 1, unused: said.json.length - 1 }
  }

  const left = new Left(said)
  const filled: Record<string, unknown> = {}
  for (const [name, property] of properties) {
    const value = left.named(name, objectOf(property))
    if (value !== undefined) filled[name] = value
  }
  const inOrder = [
    ...properties.filter(([name]) => required.has(name)),
    ...properties.filter(([name]) => !required.has(name))
  ]
  for (const [name, property] of inOrder) {
    if (name in filled) continue
    const value = left.fitting(name, objectOf(property), required.has(name))
    if (value !== undefined) filled[name] = value
  }
  const open = [...required].filter((name) => !(name in filled))
  for (const name of open) {
    const value = left.lastResort(name, objectOf(Object.fromEntries(properties)[name]), toolWords)
    if (value !== undefined) filled[name] = value
  }
  return {
    arguments: filled,
    missing: open.filter((name) => !(name in filled)),
    used: left.used,
    unused: left.unused
  }
}

const previousMark = "{{previous}}"

const quotedText = /"([^"]*)"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))*)'|`([^`]*)`|“([^”]*)”/g

// With a slash, an ending, or a dot or tilde alone.
const pathText =
  /(?<!\S)(?:~|\.{1,2}|(?:~\/|\.{1,2}\/|\/)\S*|[\w@-][\w@.-]*\/\S*|[\w@-][\w@.-]*\.[A-Za-z]\w{0,7})(?=[\s,;:?!]|\.?$)/g

const isString = (value: unknown): value is string => typeof value === "string"

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Whole JSON values of a step, and the step without them. */
const takeJson = (step: string): { readonly json: ReadonlyArray<unknown>; readonly text: string } => {
  const start = step.search(/[{[](?!\{previous)/)
  if (start === -1) return { json: [], text: step }
  for (let end = step.length; end > start; end--) {
    if (step[end - 1] !== "}" && step[end - 1] !== "]") continue
    const value = parseJson(step.slice(start, end))
    if (value === undefined) continue
    const after = takeJson(step.slice(end))
    return { json: [value, ...after.json], text: `${step.slice(0, start)} ${after.text}` }
  }
  return { json: [], text: step }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An object is the arguments as a whole when the tool knows its keys, or takes any. */
const fits = (value: JsonObject, properties: ReadonlyArray<readonly [string, unknown]>): boolean =>
  properties.length === 0 || Object.keys(value).every((key) => properties.some(([name]) => name === key))

const isPathName = (name: string): boolean =>
  OfflineWords.of(name).some((word) =>
    ["path", "file", "filename", "dir", "directory", "folder", "source", "destination"].includes(word)
  )

/** What of a step has not found its place yet. */
class Left {
  used = 0
  readonly #pairs: Map<string, string>
  readonly #json: Array<unknown>
  readonly #quoted: Array<string>
  readonly #paths: Array<string>
  readonly #urls: Array<string>
  readonly #numbers: Array<number>
  readonly #said: Said

  constructor(said: Said) {
    this.#said = said
    this.#pairs = new Map(said.pairs)
    this.#json = [...said.json]
    this.#quoted = [...said.quoted]
    this.#paths = [...said.paths]
    this.#urls = [...said.urls]
    this.#numbers = [...said.numbers]
  }

  get unused(): number {
    const lists = [this.#json, this.#quoted, this.#paths, this.#urls, this.#numbers]
    return this.#pairs.size + lists.reduce((sum, list) => sum + list.length, 0)
  }

  /** The value that the step gives the property by name: `count=3`. */
  named(name: string, property: JsonObject): unknown {
    const key = [...this.#pairs.keys()].find((candidate) => candidate.toLowerCase() === name.toLowerCase())
    if (key === undefined) return undefined
    const value = coerce(this.#pairs.get(key) ?? "", property)
    if (value === undefined) return undefined
    this.#pairs.delete(key)
    this.used += 1
    return value
  }

  /** The next value of the property's kind. */
  fitting(name: string, property: JsonObject, isRequired: boolean): unknown {
    if (Array.isArray(property.enum)) return this.#enum(property.enum)
    switch (property.type) {
      case "number":
      case "integer":
        return isRequired || this.#isMentioned(name) ? this.#take(this.#numbers) : undefined
      case "boolean":
        return this.#boolean(name)
      case "array":
        return isRequired ? this.#array(objectOf(property.items)) : undefined
      case "object":
        return this.#takeWhere(this.#json, isObject)
      default:
        return this.#string(name, property, isRequired)
    }
  }

  /** What a required string can still be: the step's own words after those that name the tool. */
  lastResort(name: string, property: JsonObject, toolWords: ReadonlyArray<string>): unknown {
    if ((property.type !== "string" && property.type !== undefined) || property.enum !== undefined) return undefined
    if (isPathName(name)) return this.#place(toolWords)
    if (/pattern|glob|regex/i.test(name) || this.unused > 0) return undefined
    const words = this.#said.rest.split(/\s+/)
    const known = [...toolWords, ...OfflineWords.of(name), "text", "string", "message", "command"]
    const isKnown = (word: string) =>
      OfflineWords.of(word).every((one) => known.some((other) => OfflineWords.likeness(one, other) > 0))
    const start = words.findIndex((word) => !isKnown(word))
    if (start < 1) return undefined
    this.used += 1
    return words
      .slice(start)
      .join(" ")
      .replace(/[.?!,:]+$/, "")
  }

  /** A folder said in a word (`in src`, `the directory docs`), or the present one for a tool that lists. */
  #place(toolWords: ReadonlyArray<string>): string | undefined {
    const said = /\b(?:in|of|directory|folder|file)\s+(?!the\b|this\b|my\b|a\b|with\b|in\b|of\b)([\w-]+)/i.exec(
      this.#said.rest
    )?.[1]
    if (said !== undefined) {
      this.used += 1
      return said
    }
    const isHere = /\b(?:here|current|working|this)\b/i.test(this.#said.rest)
    return isHere || toolWords.includes("list") || toolWords.includes("tree") ? "." : undefined
  }

  #take<A>(list: Array<A>): A | undefined {
    return this.#takeWhere(list, (_): _ is A => true)
  }

  #takeWhere<A, B extends A>(list: Array<A>, accepts: (value: A) => value is B): B | undefined {
    const index = list.findIndex(accepts)
    if (index === -1) return undefined
    this.used += 1
    // The predicate has accepted this one.
    return list.splice(index, 1)[0] as B
  }

  #enum(values: ReadonlyArray<unknown>): unknown {
    const said = `${this.#said.rest} ${this.#quoted.join(" ")}`.toLowerCase()
    const found = values.find(
      (value) => isString(value) && new RegExp(`(?<!\\w)${escape(value.toLowerCase())}(?!\\w)`).test(said)
    )
    if (found === undefined) return undefined
    const quoted = this.#quoted.findIndex((text) => text.toLowerCase() === String(found).toLowerCase())
    if (quoted !== -1) this.#quoted.splice(quoted, 1)
    this.used += 1
    return found
  }

  #boolean(name: string): boolean | undefined {
    const words = `(?:${OfflineWords.of(name).map(escape).join("|")})\\w*`
    const said = new RegExp(
      `\\b(no|not|without|with|and|including|include)?\\s*(?:an?\\s+|the\\s+)?${words}(?:\\s+(on|off|true|false))?`,
      "i"
    ).exec(this.#said.rest)
    if (said === null || (said[1] === undefined && said[2] === undefined)) return undefined
    return !/^(?:no|not|without)$/i.test(said[1] ?? "") && !/^(?:off|false)$/i.test(said[2] ?? "")
  }

  #array(items: JsonObject): unknown {
    const given = this.#takeWhere(this.#json, Array.isArray)
    if (given !== undefined) return given
    const list: Array<unknown> | undefined =
      items.type === "number" || items.type === "integer"
        ? this.#numbers
        : items.type === "string"
          ? this.#quoted.length > 0
            ? this.#quoted
            : this.#paths
          : undefined
    if (list === undefined || list.length === 0) return undefined
    this.used += list.length
    return list.splice(0)
  }

  #string(name: string, property: JsonObject, isRequired: boolean): unknown {
    if (isPathName(name)) return this.#take(this.#paths) ?? (isRequired ? this.#take(this.#quoted) : undefined)
    if (property.format === "uri" || /ur[il]/i.test(name)) return this.#take(this.#urls)
    if (!isRequired) return undefined
    return (
      this.#take(this.#quoted) ?? this.#takePrevious() ?? (this.#isGlob(name) ? this.#take(this.#paths) : undefined)
    )
  }

  #takePrevious(): string | undefined {
    if (this.#said.previous !== undefined) this.used += 1
    return this.#said.previous
  }

  #isGlob(name: string): boolean {
    return /pattern|glob/i.test(name) && this.#paths.length > 1
  }

  #isMentioned(name: string): boolean {
    const said = OfflineWords.of(this.#said.rest)
    return OfflineWords.of(name).some((word) => said.includes(word))
  }
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const coerce = (text: string, property: JsonObject): unknown => {
  switch (property.type) {
    case "number":
    case "integer": {
      const number = Number(text)
      return text.trim() === "" || Number.isNaN(number) ? undefined : number
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined
    case "array": {
      const value = parseJson(text)
      return Array.isArray(value) ? value : text.split(",")
    }
    case "object":
      return parseJson(text)
    default:
      return text
  }
}
