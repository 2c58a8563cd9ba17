import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as SseReader from "../../../src/mcp/internal/http/SseReader.ts"

const read = (chunks: ReadonlyArray<Uint8Array | string>, maxEventBytes = 1_000_000) => {
  const events: Array<SseReader.SseEvent> = []
  let oversize = 0
  const reader = SseReader.make({
    maxEventBytes,
    onEvent: (event) => events.push(event),
    onOversize: () => {
      oversize += 1
    }
  })
  for (const chunk of chunks) reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
  return { events, oversize, lastEventId: reader.lastEventId(), retry: reader.retry() }
}

const data = (...texts: ReadonlyArray<string>) => texts.map((text) => ({ event: "message", data: text }))

describe("SseReader", () => {
  it("ends lines at LF, CR and CRLF, also when a chunk border cuts the CRLF", () => {
    expect(read(["data: a\n\ndata: b\r\rdata: c\r\n\r\n"]).events).toEqual(data("a", "b", "c"))
    expect(read(["data: a\r", "\ndata: b\r", "\n\r", "\n"]).events).toEqual(data("a\nb"))
  })

  it("delivers an event as soon as its blank line's CR is there", () => {
    expect(read(["data: a\r\r"]).events).toEqual(data("a"))
    expect(read(["data: a\r\n\r"]).events).toEqual(data("a"))
  })

  it("joins data lines with a newline and drops one leading space only", () => {
    expect(read(['data: {\ndata:  "a":1\ndata:}\n\n']).events).toEqual(data('{\n "a":1\n}'))
  })

  it("passes over comments, unknown fields and a leading byte order mark", () => {
    expect(read(["\ufeff: hello\n\n:\nfoo: bar\ndata: x\n\n"]).events).toEqual(data("x"))
    expect(read([Buffer.from([0xef, 0xbb]), Buffer.from([0xbf]), "data: x\n\n"]).events).toEqual(data("x"))
    expect(read(["\ufeff\n\ufeffdata: x\n\ndata: y\n\n"]).events).toEqual(data("y"))
  })

  it("names an event by its event field, for that event alone", () => {
    expect(read(["event: endpoint\ndata: /m\n\ndata: x\n\n"]).events).toEqual([
      { event: "endpoint", data: "/m" },
      ...data("x")
    ])
  })

  it("keeps the last id and retry, from priming events without content too", () => {
    const { events, lastEventId, retry } = read(["id: e0\nretry: 500\ndata:\n\nid: e1\n\nretry: soon\nid: a\0b\n\n"])
    expect(events).toEqual(data(""))
    expect(lastEventId).toBe("e1")
    expect(retry).toBe(500)
  })

  it("takes an id only once its event is complete", () => {
    expect(read(["id: e0\n\nid: e1\ndata: x"]).lastEventId).toBe("e0")
  })

  it("drops an event with no blank line after it", () => {
    expect(read(["data: a\n\ndata: b\n"]).events).toEqual(data("a"))
  })

  it("passes over an event that is too large, in one line or in many, and reads on", () => {
    const long = "x".repeat(200)
    expect(read([`data: ${long}\n\ndata: a\n\n`], 100)).toMatchObject({ oversize: 1, events: data("a") })
    expect(read([`data: ${long}`, long, `${long}\n`, "\ndata: a\n\n"], 100)).toMatchObject({
      oversize: 1,
      events: data("a")
    })
    expect(read([`${"data: 1234567890\n".repeat(20)}\ndata: a\n\n`], 100)).toMatchObject({
      oversize: 1,
      events: data("a")
    })
  })

  it("does not count comments towards the size of an event", () => {
    expect(read([`${": ping\n".repeat(100)}data: a\n\n`], 100)).toMatchObject({ oversize: 0, events: data("a") })
  })

  it("gives the same events however the bytes are cut", () => {
    const end = fc.constantFrom("\n", "\r", "\r\n")
    const line = fc.oneof(
      fc.constantFrom(
        "data: é日😀",
        "data:",
        "data",
        "id: 7",
        "id",
        "retry: 30",
        ": c",
        "event: e",
        "",
        "",
        "foo: 1",
        "\ufeff"
      ),
      fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, ""))
    )
    const stream = fc
      .array(fc.tuple(line, end))
      .map((lines) => Buffer.from(lines.map(([text, eol]) => text + eol).join("")))
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400)), (bytes, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
        const chunks = at.slice(1).map((cut, i) => bytes.subarray(at[i], cut))
        expect(read(chunks)).toEqual(reference(bytes.toString("utf8")))
      }),
      { numRuns: 500 }
    )
  })

  it("reads a long line that comes in tiny pieces in linear time", () => {
    const bytes = Buffer.from(`data: ${"y".repeat(4_000_000)}\n\n`)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 32) }, (_, i) => bytes.subarray(i * 32, i * 32 + 32))
    const started = process.cpuUsage()
    expect(read(pieces, 5_000_000).events).toHaveLength(1)
    // Others may have the machine: what counts is what this takes of it.
    expect(process.cpuUsage(started).user / 1e3).toBeLessThan(5_000)
  })
})

/** The same rules over a whole text, written the slow and obvious way. */
const reference = (text: string): ReturnType<typeof read> => {
  const events: Array<SseReader.SseEvent> = []
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)
  lines.pop()
  let buffer: Array<string> = []
  let event = ""
  let id: string | undefined
  let lastEventId: string | undefined
  let retry: number | undefined
  for (const line of lines) {
    if (line === "") {
      lastEventId = id
      if (buffer.length > 0) events.push({ event: event || "message", data: buffer.join("\n") })
      buffer = []
      event = ""
      continue
    }
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === "data") buffer.push(value)
    else if (name === "event") event = value
    else if (name === "id" && !value.includes("\0")) id = value
    else if (name === "retry" && /^\d+$/.test(value)) retry = Number(value)
  }
  return { events, oversize: 0, lastEventId, retry }
}
