/**
 * Lines onto a stream: whole, in order, and in one write for all that are handed over in one tick. While the stream is
 * full they are kept back, though not without end: a program that does not read its input would fill the host's memory.
 */
import type { Writable } from "node:stream"

export interface LineWriter {
  readonly write: (line: string) => void
  /** Writes what is kept back, then ends the stream. */
  readonly end: () => void
}

export const make = (
  stream: Writable,
  options: {
    /** How many characters are kept back at most; one line is, however long. */
    readonly maxWaiting: number
    /** There is more. Nothing is written from then on. */
    readonly onTooMuch: () => void
  }
): LineWriter => {
  let waiting = ""
  let scheduled = false
  let full = false
  let stopped = false

  const flush = () => {
    scheduled = false
    if (full || waiting === "" || !stream.writable) return
    const text = waiting
    waiting = ""
    full = !stream.write(text)
  }

  stream.on("drain", () => {
    full = false
    flush()
  })

  return {
    write: (line) => {
      if (stopped) return
      if (waiting.length > options.maxWaiting) {
        stopped = true
        waiting = ""
        return options.onTooMuch()
      }
      waiting += `${line}\n`
      if (scheduled) return
      scheduled = true
      queueMicrotask(flush)
    },
    end: () => {
      if (stream.writable) stream.end(waiting)
      waiting = ""
    }
  }
}
