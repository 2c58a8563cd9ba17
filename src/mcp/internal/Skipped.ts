/**
 * Samples of what came on the wire and was no message: few, short, and with nothing in them that a terminal would obey.
 */
import * as VisibleText from "../VisibleText.ts"

const maxSamples = 20
const maxLength = 200

export interface Skipped {
  readonly add: (text: string, reason?: string) => void
  readonly samples: () => ReadonlyArray<string>
  /** What is wrong with the server, if the samples tell. */
  readonly hint: () => string | undefined
}

export const make = (): Skipped => {
  const samples = new Set<string>()
  let multiLine = false
  return {
    add: (text, reason) => {
      multiLine ||= opensMultiLineJson(text)
      if (samples.size >= maxSamples) return
      const sample = shown(text)
      samples.add(reason === undefined ? sample : `${shown(reason)}: ${sample}`)
    },
    samples: () => [...samples],
    hint: () =>
      multiLine
        ? "The server writes JSON over several lines; each message must be one line (no pretty-printing)."
        : undefined
  }
}

const shown = (text: string): string =>
  VisibleText.oneLine(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)

const opensMultiLineJson = (text: string): boolean =>
  text.length < maxLength && /^\s*(\{|"jsonrpc"\s*:\s*"2\.0"\s*,?)\s*$/.test(text)
