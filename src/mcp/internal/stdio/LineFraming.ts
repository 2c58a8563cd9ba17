/**
 * Bytes into lines: a line ends at 0x0A and nowhere else, whatever the chunks that it came in, and is decoded whole.
 *
 * The limit counts the bytes of a line, not of what happens to be unread: the same line passes or fails however the pipe
 * cut it. Lines before one that is too long are delivered.
 */
import { constants } from "node:buffer"
import * as Parts from "../Parts.ts"

const lineFeed = 0x0a

export interface LineFraming {
  readonly push: (chunk: Buffer) => void
  /** Nothing more comes: what is left is a line as well. */
  readonly end: () => void
}

export const make = (options: {
  readonly maxBytes: number
  /** Without the line end, a carriage return before it, and a byte order mark. */
  readonly onLine: (line: string) => void
  /** A line is over the limit; it and all after it are dropped. */
  readonly onTooLong: () => void
}): LineFraming => {
  const { onLine, onTooLong } = options
  const maxBytes = Math.min(options.maxBytes, constants.MAX_STRING_LENGTH)
  const parts = Parts.make()
  let stopped = false

  const stop = () => {
    stopped = true
    parts.clear()
    onTooLong()
  }

  const whole = (rest: Buffer): Buffer => {
    if (parts.size() === 0) return rest
    parts.add(rest)
    return parts.take()
  }

  return {
    push: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1 && !stopped; end = chunk.indexOf(lineFeed, start)) {
        if (parts.size() + end - start > maxBytes) return stop()
        const line = whole(chunk.subarray(start, end))
        start = end + 1
        onLine(decoded(line))
      }
      if (stopped) return
      parts.add(chunk.subarray(start))
      if (parts.size() > maxBytes) stop()
    },
    end: () => {
      if (stopped) return
      stopped = true
      if (parts.size() > 0) onLine(decoded(parts.take()))
    }
  }
}

const decoded = (line: Buffer): string => {
  const text = line.toString("utf8", 0, line.at(-1) === 0x0d ? line.length - 1 : line.length)
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
