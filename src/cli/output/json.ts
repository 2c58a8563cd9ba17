/**
 * JSON for scripts that is safe on a terminal too.
 *
 * @since 0.1.0
 */
import { rewrite } from "../../mcp/VisibleText.ts"

/**
 * The value as one line of JSON. Characters that a terminal would obey or an eye would miss are written as `\u` escapes, which
 * changes nothing for a reader of JSON.
 *
 * @since 0.1.0
 * @category encoding
 */
export const json = (value: unknown): string => rewrite(JSON.stringify(value), escaped)

/**
 * The same over several lines.
 *
 * @since 0.1.0
 * @category encoding
 */
export const prettyJson = (value: unknown): string => rewrite(JSON.stringify(value, null, 2), escaped, true)

const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, unit) => `\\u${char.charCodeAt(unit).toString(16).padStart(4, "0")}`).join("")
