/**
 * Lines onto a stream: whole, in order, and in one write for all that are handed over in one tick. While the stream is
 * full they are kept back.
 */
import type { Writable } from "node:stream"

export interface LineWriter {
  readonly write: (line: string) => void
  /** Writes what is kept back, then ends the stream. */
  readonly end: () => void
}

export const make = (stream: Writable): LineWriter => {
  let waiting = ""
  let scheduled = false
  let full = false

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
