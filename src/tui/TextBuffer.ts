/**
 * The text of an input line while it is edited: many lines, a cursor, and blocks of pasted text that stand as one character.
 *
 * The cursor always stands between two graphemes. A pasted block is one private-use character in `text`; what it holds is
 * beside it, and `content` puts it back.
 *
 * @since 0.1.0
 */
import stringWidth from "string-width"
import { visible } from "../mcp/VisibleText.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface TextBuffer {
  readonly text: string
  /** An offset in `text`. */
  readonly cursor: number
  readonly pastes: ReadonlyArray<string>
  /** What was cut last, for `yank`. */
  readonly killed: string
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: TextBuffer = { text: "", cursor: 0, pastes: [], killed: "" }

/**
 * A buffer with this text and the cursor at its end.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (text: string): TextBuffer => paste(empty, text)

const firstBlock = 0xe000
const lastBlock = 0xf8ff
const privateUse = /[\ue000-\uf8ff]/g

/** From here on pasted text is a block: what would push everything else off the screen. */
const blockLines = 6
const blockLength = 800

/**
 * The whole text, pasted blocks included.
 *
 * @since 0.1.0
 * @category getters
 */
export const content = ({ pastes, text }: TextBuffer): string =>
  text.replace(privateUse, (char) => pastes[char.charCodeAt(0) - firstBlock] ?? "")

/**
 * Puts text in at the cursor.
 *
 * @since 0.1.0
 * @category editing
 */
export const insert = (buffer: TextBuffer, text: string): TextBuffer =>
  replace(buffer, buffer.cursor, buffer.cursor, text.replace(/\r\n?/g, "\n").replace(privateUse, ""))

/**
 * Puts pasted text in at the cursor: as a block when it is long.
 *
 * @since 0.1.0
 * @category editing
 */
export const paste = (buffer: TextBuffer, text: string): TextBuffer => {
  const lines = text.split("\n").length
  const block = firstBlock + buffer.pastes.length
  if ((lines < blockLines && text.length < blockLength) || block > lastBlock) return insert(buffer, text)
  const { cursor } = buffer
  return replace({ ...buffer, pastes: [...buffer.pastes, text] }, cursor, cursor, String.fromCharCode(block))
}

/**
 * Puts text in place of what stands between two offsets, with the cursor behind it.
 *
 * @since 0.1.0
 * @category editing
 */
export const replace = (buffer: TextBuffer, start: number, end: number, text: string): TextBuffer => ({
  ...buffer,
  text: buffer.text.slice(0, start) + text + buffer.text.slice(end),
  cursor: start + text.length
})

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** The segmenter joins some sequences over a block's boundary; blocks are few, so they are split off first. */
const split = (text: string): ReadonlyArray<string> =>
  text.split(/([\ue000-\uf8ff\n])/).flatMap((part) => Array.from(graphemes.segment(part), ({ segment }) => segment))

const before = ({ cursor, text }: TextBuffer): number => {
  const lineStart = Math.max(text.lastIndexOf("\n", cursor - 1), 0)
  return cursor - (split(text.slice(lineStart, cursor)).at(-1)?.length ?? 0)
}

const after = ({ cursor, text }: TextBuffer): number => {
  const lineEnd = text.indexOf("\n", cursor)
  const rest = text.slice(cursor, lineEnd < 0 ? undefined : Math.max(lineEnd, cursor + 1))
  return cursor + (split(rest)[0]?.length ?? 0)
}

const isWord = (char: string): boolean => /[\p{L}\p{N}\p{M}_]/u.test(char)

const wordBefore = (buffer: TextBuffer): number => {
  const chars = Array.from(buffer.text.slice(0, buffer.cursor))
  while (chars.length > 0 && !isWord(chars.at(-1) ?? "")) chars.pop()
  while (chars.length > 0 && isWord(chars.at(-1) ?? "")) chars.pop()
  return chars.join("").length
}

const wordAfter = ({ cursor, text }: TextBuffer): number => {
  const rest = /^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(cursor))
  return cursor + (rest?.[0].length ?? 0)
}

const lineStart = ({ cursor, text }: TextBuffer): number => (cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1)

const lineEnd = ({ cursor, text }: TextBuffer): number => {
  const end = text.indexOf("\n", cursor)
  return end < 0 ? text.length : end
}

const moveTo =
  (target: (buffer: TextBuffer) => number) =>
  (buffer: TextBuffer): TextBuffer => ({ ...buffer, cursor: target(buffer) })

const removeTo =
  (target: (buffer: TextBuffer) => number) =>
  (buffer: TextBuffer): TextBuffer => {
    const other = target(buffer)
    return replace(buffer, Math.min(other, buffer.cursor), Math.max(other, buffer.cursor), "")
  }

const killTo =
  (target: (buffer: TextBuffer) => number) =>
  (buffer: TextBuffer): TextBuffer => {
    const other = target(buffer)
    const killed = buffer.text.slice(Math.min(other, buffer.cursor), Math.max(other, buffer.cursor))
    return killed === "" ? buffer : { ...removeTo(target)(buffer), killed }
  }

/** At the end of a line, the line break itself is cut, as in a shell. */
const killEnd = (buffer: TextBuffer): number => {
  const end = lineEnd(buffer)
  return end === buffer.cursor ? after(buffer) : end
}

/**
 * What each editing key does.
 *
 * @since 0.1.0
 * @category editing
 */
export const keys: Readonly<Record<string, (buffer: TextBuffer) => TextBuffer>> = {
  left: moveTo(before),
  "ctrl+b": moveTo(before),
  right: moveTo(after),
  "ctrl+f": moveTo(after),
  "ctrl+left": moveTo(wordBefore),
  "alt+left": moveTo(wordBefore),
  "alt+b": moveTo(wordBefore),
  "ctrl+right": moveTo(wordAfter),
  "alt+right": moveTo(wordAfter),
  "alt+f": moveTo(wordAfter),
  home: moveTo(lineStart),
  "ctrl+a": moveTo(lineStart),
  end: moveTo(lineEnd),
  "ctrl+e": moveTo(lineEnd),
  "ctrl+home": moveTo(() => 0),
  "ctrl+end": moveTo(({ text }) => text.length),
  backspace: removeTo(before),
  delete: removeTo(after),
  "ctrl+d": removeTo(after),
  "ctrl+w": killTo(wordBefore),
  "alt+backspace": killTo(wordBefore),
  "ctrl+backspace": killTo(wordBefore),
  "alt+d": killTo(wordAfter),
  "ctrl+delete": killTo(wordAfter),
  "ctrl+k": killTo(killEnd),
  "ctrl+u": killTo(lineStart),
  "ctrl+y": (buffer) => replace(buffer, buffer.cursor, buffer.cursor, buffer.killed),
  "ctrl+j": (buffer) => insert(buffer, "\n"),
  "alt+enter": (buffer) => insert(buffer, "\n"),
  "shift+enter": (buffer) => insert(buffer, "\n"),
  "ctrl+enter": (buffer) => insert(buffer, "\n")
}

/**
 * A row of the screen: what is shown, and the piece of `text` that it shows.
 *
 * @since 0.1.0
 * @category models
 */
export interface Row {
  readonly shown: string
  readonly start: number
  readonly end: number
}

/**
 * The buffer on the screen.
 *
 * @since 0.1.0
 * @category models
 */
export interface Layout {
  readonly rows: ReadonlyArray<Row>
  /** Where the cursor stands. */
  readonly row: number
  readonly column: number
}

const shownAs = ({ pastes }: TextBuffer, grapheme: string): string => {
  const code = grapheme.charCodeAt(0)
  if (code >= firstBlock && code <= lastBlock) return label(pastes[code - firstBlock] ?? "")
  return grapheme === "\t" ? "  " : visible(grapheme)
}

const label = (block: string): string => {
  const lines = block.replace(/\n$/, "").split("\n").length
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${block.length} characters]`
}

/**
 * The rows that the text takes at a width, broken between graphemes, and where the cursor stands in them.
 *
 * @since 0.1.0
 * @category formatting
 */
export const layout = (buffer: TextBuffer, width: number): Layout => {
  const rows: Array<Row> = []
  let cursor = { row: 0, column: 0 }
  let shown = ""
  let column = 0
  let start = 0
  let offset = 0
  const finish = (next: number) => {
    rows.push({ shown, start, end: offset })
    shown = ""
    column = 0
    start = next
  }
  for (const grapheme of split(buffer.text)) {
    const piece = grapheme === "\n" ? "" : shownAs(buffer, grapheme)
    const pieceWidth = stringWidth(piece)
    if (column + pieceWidth > width && column > 0) finish(offset)
    if (offset === buffer.cursor) cursor = { row: rows.length, column }
    if (grapheme === "\n") finish(offset + 1)
    shown += piece
    column += pieceWidth
    offset += grapheme.length
  }
  if (column >= width) finish(offset)
  if (buffer.cursor >= buffer.text.length) cursor = { row: rows.length, column }
  finish(offset)
  return { rows, ...cursor }
}

/**
 * The buffer with the cursor `rows` screen rows further down; `undefined` when there is no such row.
 *
 * @since 0.1.0
 * @category editing
 */
export const moveRows = (buffer: TextBuffer, rows: number, width: number): TextBuffer | undefined => {
  const now = layout(buffer, width)
  const target = now.rows[now.row + rows]
  if (target === undefined) return undefined
  let cursor = target.start
  let column = 0
  for (const grapheme of split(buffer.text.slice(target.start, target.end))) {
    const pieceWidth = stringWidth(shownAs(buffer, grapheme))
    if (column + pieceWidth > now.column) break
    column += pieceWidth
    cursor += grapheme.length
  }
  return { ...buffer, cursor }
}
