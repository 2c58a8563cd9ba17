/**
 * Properties put into and taken out of the text of a JSON file, which otherwise stays as it was: comments, order, indentation,
 * line ends, trailing commas. (jsonc-parser's own `modify` takes the comments beside a removed property away with it.)
 */
import * as Jsonc from "jsonc-parser"
import { type Node, type Property, properties } from "./ConfigText.ts"

/** A text that has been parsed, and what its tree does not hold. */
export interface Source {
  readonly text: string
  /** The offsets of all commas. */
  readonly commas: ReadonlyArray<number>
  /** The ends of all comments that run to the end of their line. */
  readonly lineComments: ReadonlySet<number>
  readonly eol: string
  /** One step of indentation. */
  readonly unit: string
}

/** The text and its tree, without a byte order mark. */
export const source = (text: string, root: Node | undefined): Source => {
  const commas: Array<number> = []
  const lineComments = new Set<number>()
  Jsonc.visit(
    text,
    {
      onSeparator: (char, offset) => {
        if (char === ",") commas.push(offset)
      },
      onComment: (offset, length) => {
        if (text.startsWith("//", offset)) lineComments.add(offset + length)
      }
    },
    { allowTrailingComma: true, allowEmptyContent: true }
  )
  const [first] = root === undefined ? [] : properties(root)
  const unit = first === undefined ? undefined : ownIndentation(text, first.keyNode.offset)
  return { text, commas, lineComments, eol: /\r\n|\r|\n/.exec(text)?.[0] ?? "\n", unit: unit || "  " }
}

/** The text with the property in the object: in its present place, or as the last one. */
export const setProperty = (source: Source, object: Node, key: string, value: unknown): string => {
  const known = properties(object).findLast((property) => property.key === key)
  if (known === undefined) return append(source, object, value, key)
  const indentation = lineIndentation(source.text, known.keyNode.offset)
  return apply(source.text, [{ ...range(known.value), content: render(source, value, indentation) }])
}

/** The text without one property. An object that holds nothing afterwards, not even a comment, is written `{}`. */
export const removeProperty = (source: Source, object: Node, property: Property): string => {
  const { commas, lineComments, text } = source
  const begin = property.keyNode.offset
  const end = endOf(property.value)
  const siblings = properties(object)
  const index = siblings.findIndex(({ keyNode }) => keyNode === property.keyNode)
  const next = siblings[index + 1]?.keyNode.offset ?? endOf(object)
  const previous = siblings[index - 1]
  const comma =
    commas.find((offset) => offset >= end && offset < next) ??
    commas.find((offset) => previous !== undefined && offset >= endOf(previous.value) && offset < begin)
  const afterwards = comma !== undefined && comma >= end ? comma + 1 : end
  if (siblings.length === 1) {
    const around = text.slice(object.offset + 1, begin) + text.slice(afterwards, endOf(object) - 1)
    if (around.trim() === "") return apply(text, [{ offset: object.offset, length: object.length, content: "{}" }])
  }
  if (previous === undefined && /^[ \t]*$/.test(text.slice(afterwards, next))) {
    return apply(text, [{ offset: begin, length: next - begin, content: "" }])
  }
  const [restOfLine = ""] = /^[^\r\n]*/.exec(text.slice(afterwards)) ?? []
  const space = text.slice(0, begin).trimEnd().length
  const keepsItsLine = restOfLine.trimStart().startsWith("/") || (lineComments.has(space) && restOfLine.trim() !== "")
  const from = keepsItsLine ? begin : space
  return apply(text, [
    { offset: from, length: end - from, content: "" },
    ...(comma === undefined ? [] : [{ offset: comma, length: 1, content: "" }])
  ])
}

/** The text with the value as the last one of the list. */
export const appendItem = (source: Source, list: Node, value: unknown): string => append(source, list, value)

/** A value as the text of a new file. */
export const document = (source: Source, value: unknown): string => {
  const written = JSON.stringify(value, null, source.unit).replaceAll("\n", source.eol)
  const before = source.text.trimEnd()
  return `${before === "" ? "" : before + source.eol}${written}${source.eol}`
}

/** What stands in an object or a list, in its order. */
const members = (node: Node): ReadonlyArray<{ readonly begin: number; readonly end: number }> =>
  node.type === "array"
    ? (node.children ?? []).map((item) => ({ begin: item.offset, end: endOf(item) }))
    : properties(node).map(({ keyNode, value }) => ({ begin: keyNode.offset, end: endOf(value) }))

/** Without a key for a list. */
const append = (source: Source, parent: Node, value: unknown, key?: string): string => {
  const { commas, eol, text, unit } = source
  const close = endOf(parent) - 1
  const last = members(parent).at(-1)
  const begin = last === undefined ? parent.offset + 1 : last.end
  const tail = parent.offset + 1 + text.slice(parent.offset + 1, close).trimEnd().length
  const space = text.slice(tail, close)
  if (isInline(source, parent)) {
    const gap = /[,:{]\s/.test(text) ? " " : ""
    const member = (key === undefined ? "" : `${JSON.stringify(key)}:${gap}`) + JSON.stringify(value)
    return apply(text, [{ offset: begin, length: 0, content: last === undefined ? member : `,${gap}${member}` }])
  }
  const outer = lineIndentation(text, parent.offset)
  const indentation = (last && ownIndentation(text, last.begin)) ?? outer + unit
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `
  const member = `${eol}${indentation}${name}${render(source, value, indentation)}`
  if (last === undefined) {
    const isBlank = tail === parent.offset + 1
    const closing = isBlank || !/[\r\n]/.test(space) ? eol + outer : space
    return apply(text, [{ offset: tail, length: close - tail, content: member + closing }])
  }
  const hasTrailingComma = commas.some((offset) => offset >= begin && offset < close)
  return apply(text, [
    ...(hasTrailingComma ? [] : [{ offset: begin, length: 0, content: "," }]),
    { offset: tail, length: 0, content: member + (hasTrailingComma ? "," : "") }
  ])
}

/** Whether the members stand on one line. An empty object or list does in a file of one line. */
const isInline = ({ text }: Source, parent: Node): boolean => {
  const all = members(parent)
  const last = all.at(-1)
  if (last === undefined) return parent.length === 2 && !/[\r\n]/.test(text.trim())
  const from = all.at(-2)?.end ?? parent.offset
  return !/[\r\n]/.test(text.slice(from, last.begin) + text.slice(last.end, endOf(parent)))
}

const render = ({ eol, text, unit }: Source, value: unknown, indentation: string): string =>
  /[\r\n]/.test(text.trim())
    ? JSON.stringify(value, null, unit).replaceAll("\n", eol + indentation)
    : JSON.stringify(value)

const endOf = ({ length, offset }: Node): number => offset + length

const range = ({ length, offset }: Node) => ({ offset, length })

/** The space before what begins its line, if it does. */
const ownIndentation = (text: string, offset: number): string | undefined =>
  /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, offset))?.[1]

const lineIndentation = (text: string, offset: number): string =>
  /(?:^|[\r\n])([ \t]*)[^\r\n]*$/.exec(text.slice(0, offset))?.[1] ?? ""

const apply = (text: string, edits: ReadonlyArray<Jsonc.Edit>): string =>
  Jsonc.applyEdits(
    text,
    [...edits].sort((a, b) => a.offset - b.offset)
  )
