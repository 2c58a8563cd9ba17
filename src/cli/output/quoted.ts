/**
 * What another program has written, for people.
 *
 * @since 0.1.0
 */
import { visible } from "../../mcp/VisibleText.ts"
import type { Style } from "./Style.ts"

/**
 * Its lines, each behind a bar; none when it has written nothing.
 *
 * @since 0.1.0
 * @category formatting
 */
export const quoted = (text: string, before: string, style: Style): ReadonlyArray<string> =>
  text.trim() === ""
    ? []
    : visible(text.trimEnd(), { newlines: true })
        .split("\n")
        .map((line) => style.dim(`${before}| ${line}`))
