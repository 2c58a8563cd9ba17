/**
 * Foreign text made safe to show: what a terminal would obey, and what an eye would miss, is written out.
 *
 * Names, descriptions, results and errors of a server are data. Every place that shows them (terminal UI, CLI, log lines)
 * passes them through here, and measures width after it.
 *
 * @since 0.1.0
 */

/**
 * Control characters (C0, DEL, C1), line separators, formatting and invisible characters (bidirectional controls, zero-width
 * characters, tags, fillers) and lone surrogates.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu

/** What a joiner after it shapes, itself visible: emoji sequences, Arabic, and letters with marks as in Indic scripts. */
const shaping =
  /(?![\p{Cf}\p{Default_Ignorable_Code_Point}])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}]$/u

const isVariationSelector = (char: string): boolean => char >= "\ufe00" && char <= "\ufe0f"

const isKept = (char: string, text: string, offset: number, newlines: boolean): boolean => {
  if (char === "\n" || char === "\t") return newlines
  if (offset === 0) return false
  if (isVariationSelector(char)) return !isVariationSelector(text.charAt(offset - 1))
  return (char === "\u200c" || char === "\u200d") && shaping.test(visibleBefore(text, offset))
}

/** The character before, but for one variation selector. */
const visibleBefore = (text: string, offset: number): string => {
  const end = offset > 1 && isVariationSelector(text.charAt(offset - 1)) ? offset - 1 : offset
  return text.slice(Math.max(0, end - 2), end)
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const written = (char: string): string => {
  const code = char.codePointAt(0) ?? 0
  return escapes[char] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`)
}

/**
 * The text with every control, formatting and invisible character put through `write`. With `newlines`, line feeds and tabs
 * stay.
 *
 * @since 0.1.0
 * @category formatting
 */
export const rewrite = (text: string, write: (char: string) => string, newlines = false): string =>
  text.replace(unsafe, (char, offset: number) => (isKept(char, text, offset, newlines) ? char : write(char)))

/**
 * The text with every control, formatting and invisible character written as an escape: `\x1b`, `\u{202e}`. With `newlines`,
 * line feeds and tabs stay, and CRLF becomes a line feed.
 *
 * @since 0.1.0
 * @category formatting
 */
export const visible = (text: string, { newlines = false }: { readonly newlines?: boolean } = {}): string =>
  rewrite(newlines ? text.replaceAll("\r\n", "\n") : text, written, newlines)

/**
 * The text on one line: runs of white space become one space, and the rest is made visible.
 *
 * @since 0.1.0
 * @category formatting
 */
export const oneLine = (text: string): string => visible(text.replace(/\s+/g, " ").trim())
