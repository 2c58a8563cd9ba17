/**
 * The fields of one entry under their own names, whichever of the spellings that hosts use it was written in.
 *
 * Nothing is ignored in silence: a field that is not known, or a variable that cannot be one, is reported.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { find, lastProperties, type Node, type Property, properties, toValue } from "./ConfigText.ts"
import { fields as knownFields, ServerEntry } from "./ServerEntry.ts"

export type Report = (message: string, at: Node) => void

/** What is wrong with a field, in words that follow its name. */
export interface Fault {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

export interface EntryFields {
  readonly entry: ServerEntry
  /** The field as it was written, for people: `headers.Authorization`. */
  readonly label: (path: ReadonlyArray<PropertyKey>) => string
  /** The node that a path leads to, or the nearest round it. */
  readonly nodeAt: (path: ReadonlyArray<PropertyKey>) => Node
}

/** An entry's fields, or none when something in it cannot be used: then the reasons have been reported. */
export const read = (node: Node, report: Report): Option.Option<EntryFields> => {
  if (node.type !== "object") {
    report("an entry must be an object", node)
    return Option.none()
  }
  return Option.flatMap(resolveSpellings(node, report), (fields) => decode(node, fields, report))
}

type Fields = ReadonlyMap<string, Property>

/** How other hosts call fields, and how they are called here. */
export const otherSpellings: ReadonlyMap<string, string> = new Map([
  ["httpUrl", "url"],
  ["serverUrl", "url"],
  ["transport", "type"]
])

const resolveSpellings = (node: Node, report: Report): Option.Option<Fields> => {
  const written = lastProperties(node).flatMap((property) =>
    property.key === "transport" && property.value.type === "object" ? lastProperties(property.value) : [property]
  )
  const fields = new Map<string, Property>()
  const unknown: Array<Property> = []
  let contradicts = false
  for (const property of written) {
    const name = otherSpellings.get(property.key) ?? property.key
    const other = fields.get(name)
    if (!knownFields.has(name)) unknown.push(property)
    else if (other === undefined) fields.set(name, property)
    else {
      contradicts = true
      const both =
        other.key === property.key ? `"${name}" is` : `"${other.key}" and "${property.key}" mean the same and are`
      report(`${both} given twice: keep one`, property.keyNode)
    }
  }
  const [first] = unknown
  if (first !== undefined) {
    const names = unknown.map(({ key }) => `"${key}"`).join(", ")
    report(`${unknown.length === 1 ? "unknown field" : "unknown fields"} ignored: ${names}`, first.keyNode)
  }
  return contradicts ? Option.none() : Option.some(fields)
}

const decode = (node: Node, fields: Fields, report: Report): Option.Option<EntryFields> => {
  const label = ([name, ...rest]: ReadonlyArray<PropertyKey>) =>
    [fields.get(String(name))?.key ?? String(name), ...rest.map(String)].join(".")
  const nodeAt = ([name, ...rest]: ReadonlyArray<PropertyKey>): Node => {
    const field = fields.get(String(name))?.value
    if (field === undefined) return node
    return name === "env" && field.type === "array" ? assignment(field, String(rest[0])) : find(field, rest)
  }
  const values = Object.fromEntries(
    [...fields].map(([name, { value }]) => [name, name === "env" ? usableVariables(value, report) : toValue(value)])
  )
  return Schema.decodeUnknownEither(ServerEntry, { errors: "all" })(values).pipe(
    Either.mapLeft((error) => {
      for (const { message, path } of ParseResult.ArrayFormatter.formatErrorSync(error)) {
        report(`"${label(path)}" ${message}`, nodeAt(path))
      }
    }),
    Either.map((entry) => ({ entry, label, nodeAt })),
    Either.getRight
  )
}

const assignment = (list: Node, variable: string): Node =>
  (list.children ?? []).findLast(({ value }) => String(value).startsWith(`${variable}=`)) ?? list

/** The value of `env` without what cannot be a variable: one bad variable costs that variable. */
const usableVariables = (env: Node, report: Report): unknown => {
  if (env.type === "object") {
    const usable = properties(env).filter(({ key, keyNode, value }) => {
      const fault = variableFault(key, value)
      if (fault !== undefined) report(`"env.${key}" ${fault}; ignored`, keyNode)
      return fault === undefined
    })
    return Object.fromEntries(usable.map(({ key, value }) => [key, toValue(value)]))
  }
  if (env.type === "array") return (env.children ?? []).filter(isAssignment(report)).map(toValue)
  return toValue(env)
}

const variableFault = (name: string, value: Node): string | undefined => {
  if (!isVariableName(name)) return "is no name that a variable can have"
  if (value.type === "null") return "is null: a variable is a text, a number, true or false"
  if (value.type === "array" || value.type === "object") {
    return `is ${value.type === "array" ? "a list" : "an object"}: a variable is a text, a number, true or false`
  }
  return undefined
}

const isAssignment = (report: Report) => {
  const seen = new Set<string>()
  return (item: Node, index: number): boolean => {
    const [, name] = item.type === "string" ? (/^([^=]+)=/.exec(String(item.value)) ?? []) : []
    if (name === undefined || !isVariableName(name)) {
      report(`"env.${index}" must be KEY=VALUE (KEY=\${KEY} passes a variable on); ignored`, item)
      return false
    }
    if (seen.has(name)) report(`"env" has ${name} twice: the later one counts`, item)
    seen.add(name)
    return true
  }
}

const isVariableName = (name: string): boolean => name !== "" && !/[=\0]/.test(name)
