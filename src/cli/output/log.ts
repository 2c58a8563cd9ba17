/**
 * Log lines on stderr: `[mcp] …` as the integration writes them, everything else after its level.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Logger from "effect/Logger"
import { visible } from "../../mcp/VisibleText.ts"

/**
 * A logger that writes each message as a line.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (write: (line: string) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, logLevel, message }) => {
    const text = Arr.ensure(message).map(shown).join(" ")
    const failure = Cause.isEmpty(cause) ? "" : ` ${Cause.squash(cause)}`
    const line = visible(text + failure, { newlines: true })
    write(`${line.startsWith("[mcp]") ? "" : `${logLevel.label.toLowerCase()}: `}${line}\n`)
  })

const shown = (part: unknown): string => (typeof part === "string" ? part : JSON.stringify(part))

/**
 * The default logger's place taken by one that writes to stderr.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = Logger.replace(
  Logger.defaultLogger,
  make((line) => process.stderr.write(line))
)
