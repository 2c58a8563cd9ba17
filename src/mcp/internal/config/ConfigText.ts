/**
 * The text of a configuration file as a tree that remembers positions: JSON with comments and trailing commas.
 */
import * as Either from "effect/Either"
import * as Jsonc from "jsonc-parser"
import { McpError } from "../../McpError.ts"

export type Node = Jsonc.Node

export interface Property {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

/** A parsed file. `root` is missing when the file holds nothing but space and comments. */
export interface ConfigText {
  readonly root: Node | undefined
  /** Where a node begins, for people: `line 3, column 5`. */
  readonly position: (node: Node) => string
}

const byteOrderMark = "\uFEFF"

/** No configuration needs more; what walks the tree below relies on it. */
const deepest = 200

/** The text of a file, or why its bytes are none. */
export const decode = (bytes: Uint8Array, path: string): Either.Either<string, McpError> => {
  const [first, second] = bytes
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (marked || (bytes.length > 1 && (first === 0 || second === 0))) {
    return Either.left(broken(`${path} is encoded as UTF-16`, "save the file as UTF-8"))
  }
  return Either.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => broken(`${path} is not encoded as UTF-8`, "save the file as UTF-8")
  })
}

export const parse = (raw: string, path: string): Either.Either<ConfigText, McpError> => {
  const text = raw.startsWith(byteOrderMark) ? raw.slice(1) : raw
  const errors: Array<Jsonc.ParseError> = []
  return Either.try({
    try: () => Jsonc.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true }),
    catch: () => tooDeep(path)
  }).pipe(
    Either.flatMap((root) => {
      const [first] = errors
      if (first !== undefined) {
        const { column, line } = locate(text, first.offset)
        const what = descriptions[Jsonc.printParseErrorCode(first.error)] ?? "a symbol that JSON does not know"
        return Either.left(broken(`${path}:${line}:${column}: ${what} (line ${line}, column ${column})`))
      }
      if (root !== undefined && isDeeperThan(root, deepest)) return Either.left(tooDeep(path))
      const position = (node: Node) => {
        const { column, line } = locate(text, node.offset)
        return `line ${line}, column ${column}`
      }
      return Either.right({ root, position })
    })
  )
}

/** The properties of an object in the order of the file; of a key that is there twice, each. None for other nodes. */
export const properties = (node: Node): ReadonlyArray<Property> =>
  node.type !== "object"
    ? []
    : (node.children ?? []).flatMap(({ children: [keyNode, value] = [] }) =>
        keyNode === undefined || value === undefined ? [] : [{ key: String(keyNode.value), keyNode, value }]
      )

/** The plain value of a node. Of a key that is there twice the later counts; `__proto__` is a key like any other. */
export const toValue = (node: Node): unknown => {
  if (node.type === "array") return (node.children ?? []).map(toValue)
  if (node.type === "object") return Object.fromEntries(properties(node).map(({ key, value }) => [key, toValue(value)]))
  return node.value
}

/** The innermost node on a path that there is. */
export const find = (node: Node, path: ReadonlyArray<PropertyKey>): Node => {
  const [segment, ...rest] = path
  if (segment === undefined) return node
  const child =
    node.type === "array"
      ? node.children?.[Number(segment)]
      : properties(node).findLast(({ key }) => key === segment)?.value
  return child === undefined ? node : find(child, rest)
}

/** The properties of an object, of a key that is there twice only the later. */
export const lastProperties = (node: Node): ReadonlyArray<Property> => [
  ...new Map(properties(node).map((property) => [property.key, property])).values()
]

/** The keys of an object that stand there again. */
export const repeated = (node: Node): ReadonlyArray<Property> => {
  const seen = new Set<string>()
  return properties(node).filter(({ key }) => seen.size === seen.add(key).size)
}

/** The same for an object and everything inside of it. */
export const repeatedWithin = (node: Node): ReadonlyArray<Property> => {
  const children = node.type === "array" ? (node.children ?? []) : properties(node).map(({ value }) => value)
  return [...repeated(node), ...children.flatMap(repeatedWithin)]
}

const isDeeperThan = (node: Node, limit: number): boolean =>
  limit === 0 || (node.children ?? []).some((child) => isDeeperThan(child, limit - 1))

const locate = (text: string, offset: number) => {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

const tooDeep = (path: string) => broken(`${path} is nested too deeply to be read`)

const broken = (message: string, hint?: string): McpError =>
  new McpError({ server: "", phase: "config", kind: "config", message, hint })

const descriptions: Readonly<Record<string, string>> = {
  InvalidSymbol: "a symbol that JSON does not know (texts stand in double quotes)",
  InvalidNumberFormat: "a malformed number",
  PropertyNameExpected: "a key in double quotes is expected here",
  ValueExpected: "a value is expected here",
  ColonExpected: "a colon is expected here",
  CommaExpected: "a comma is expected here",
  CloseBraceExpected: "a closing } is expected here",
  CloseBracketExpected: "a closing ] is expected here",
  EndOfFileExpected: "the end of the file is expected here",
  InvalidCommentToken: "a malformed comment",
  UnexpectedEndOfComment: "a comment without an end",
  UnexpectedEndOfString: "a text without its closing quote",
  UnexpectedEndOfNumber: "a number without its end",
  InvalidUnicode: "a malformed \\u escape",
  InvalidEscapeCharacter: "a backslash before a character that needs none",
  InvalidCharacter: "a control character inside a text"
}
