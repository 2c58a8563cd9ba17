/**
 * The words of a server in source text: in a comment they end no comment and are no directive, in a string they are what they
 * were, and nothing in them is hidden from the eye.
 */
import * as VisibleText from "../../mcp/VisibleText.ts"
import { width } from "./Layout.ts"

/** How much of a server's words a comment holds. */
const longest = 1000

/** The lines of a doc comment, for a place that is indented by `indent`; none for an empty text. */
export const docComment = (text: string, indent: number): ReadonlyArray<string> => {
  const plain = inComment(text)
  if (plain === "") return []
  if (indent + plain.length + 7 <= width) return [`/** ${plain} */`]
  return ["/**", ...wrapped(plain, width - indent - 3).map((line) => ` * ${line}`), " */"]
}

/** On one line. No `@` begins a word, so that none is a tag (`@deprecated`) or a directive of a compiler. */
export const inComment = (text: string): string => {
  const line = VisibleText.oneLine(text)
  const cut = line.length > longest ? `${Array.from(line).slice(0, longest).join("")} …` : line
  return cut.replaceAll("*/", "*\\/").replace(/(?<![\w.])@/g, "\\@")
}

const wrapped = (text: string, room: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** A string literal: in the quotes that need fewer escapes. */
export const quote = (text: string): string => {
  const double = VisibleText.visible(JSON.stringify(text))
  const count = (mark: string) => text.split(mark).length - 1
  if (count('"') <= count("'")) return double
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** The key of an object literal or of an interface. */
export const key = (text: string): string => (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text) ? text : quote(text))
