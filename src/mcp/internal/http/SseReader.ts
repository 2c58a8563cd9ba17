/**
 * Reads a `text/event-stream` as the WHATWG rules say, from bytes as they come: LF, CR and CRLF end a line, also when a
 * chunk border cuts the pair; a character cut by a border is whole again; comments and unknown fields are passed over; an
 * event with no blank line after it never happened.
 *
 * Lines are found in the bytes and only values are decoded. Each byte is looked at a fixed number of times, and no more
 * than one event is held.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

import * as Parts from "../Parts.ts"

export interface SseEvent {
  /** `message` when the stream does not name it. */
  readonly event: string
  /** Empty in an event that only sets the id (a priming event). */
  readonly data: string
}

export interface SseReader {
  readonly push: (chunk: Uint8Array) => void
  /** The id that the stream set last, with which it can be resumed; undefined when it set none. */
  readonly lastEventId: () => string | undefined
  /** The reconnection time that the stream asked for, in milliseconds. */
  readonly retry: () => number | undefined
}

const LF = 0x0a
const CR = 0x0d
const colon = 0x3a
const space = 0x20

export const make = (options: {
  /** The most bytes of one event; a larger one is passed over. */
  readonly maxEventBytes: number
  readonly onEvent: (event: SseEvent) => void
  readonly onOversize: () => void
}): SseReader => {
  let first = true
  /** The last line ended in a CR at the very end of a chunk: a LF that follows belongs to it. */
  let skipLf = false
  /** The line in progress: what is held of it, and its length whether held or not. */
  const parts = Parts.make()
  let lineBytes = 0
  /** The event in progress. */
  let data: string | undefined
  let dataBytes = 0
  let event = ""
  let id: string | undefined
  let oversize = false

  let lastEventId: string | undefined
  let retry: number | undefined

  const keep = (part: Buffer) => {
    if (part.length === 0) return
    lineBytes += part.length
    if (oversize) return
    if (dataBytes + lineBytes <= options.maxEventBytes) {
      parts.add(part)
      return
    }
    oversize = true
    parts.clear()
    data = undefined
    options.onOversize()
  }

  const endOfLine = () => {
    const line = parts.take()
    const blank = lineBytes === 0
    lineBytes = 0
    if (blank) return endOfEvent()
    if (oversize) return
    if (!first) return field(line)
    first = false
    const text = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line
    if (text.length === 0) endOfEvent()
    else field(text)
  }

  const endOfEvent = () => {
    first = false
    const complete = data
    const name = event
    if (id !== undefined && !oversize) lastEventId = id
    data = undefined
    dataBytes = 0
    event = ""
    oversize = false
    if (complete !== undefined) options.onEvent({ event: name === "" ? "message" : name, data: complete })
  }

  const field = (line: Buffer) => {
    const at = line.indexOf(colon)
    if (at === 0) return
    const name = line.toString("latin1", 0, at === -1 ? line.length : at)
    const value = at === -1 ? "" : line.toString("utf8", line[at + 1] === space ? at + 2 : at + 1)
    switch (name) {
      case "data":
        data = data === undefined ? value : `${data}\n${value}`
        dataBytes += line.length
        break
      case "event":
        event = value
        break
      case "id":
        if (!value.includes("\0")) id = value
        break
      case "retry":
        if (/^[0-9]+$/.test(value)) retry = Number(value)
    }
  }

  return {
    push: (bytes) => {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let start = 0
      if (skipLf && chunk.length > 0) {
        skipLf = false
        if (chunk[0] === LF) start = 1
      }
      let lf = chunk.indexOf(LF, start)
      let cr = chunk.indexOf(CR, start)
      while (lf !== -1 || cr !== -1) {
        const byCr = cr !== -1 && (lf === -1 || cr < lf)
        const end = byCr ? cr : lf
        if (end > start) keep(chunk.subarray(start, end))
        endOfLine()
        start = end + 1
        if (byCr) {
          if (start === chunk.length) skipLf = true
          else if (chunk[start] === LF) start += 1
          cr = chunk.indexOf(CR, start)
        }
        if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start)
      }
      keep(chunk.subarray(start))
    },
    lastEventId: () => lastEventId,
    retry: () => retry
  }
}
