import { expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe } from "vitest"
import * as LineFraming from "../../../src/mcp/internal/stdio/LineFraming.ts"

const read = (chunks: ReadonlyArray<Buffer>, maxBytes = 1024) => {
  const lines: Array<string> = []
  let tooLong = 0
  const framing = LineFraming.make({ maxBytes, onLine: (line) => lines.push(line), onTooLong: () => tooLong++ })
  for (const chunk of chunks) framing.push(chunk)
  framing.end()
  return { lines, tooLong }
}

const cut = (bytes: Buffer, cuts: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const places = [0, ...cuts.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return places.slice(1).map((place, i) => bytes.subarray(places[i], place))
}

describe("line framing", () => {
  it("gives the same lines however they are cut into chunks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" }).map((line) => line.replace(/[\n\r\ufeff]/g, "é"))),
        fc.array(fc.nat()),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""))
          expect(read(cut(bytes, cuts), bytes.length).lines).toEqual(lines.map((line) => Buffer.from(line).toString()))
        }
      )
    )
  })

  it("gives the same verdict on a line at the limit however it is cut into chunks", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 12 }), fc.array(fc.nat()), (length, cuts) => {
        const chunks = cut(Buffer.from(`first\n${"x".repeat(length)}\nlast\n`), cuts)
        expect(read(chunks, 10)).toEqual(
          length <= 10 ? { lines: ["first", "x".repeat(length), "last"], tooLong: 0 } : { lines: ["first"], tooLong: 1 }
        )
      })
    )
  })

  it("says at once that a line is too long, without waiting for its end", () => {
    expect(read([Buffer.from("ok\nxxxxxx"), Buffer.from("xxxxx"), Buffer.from("\nlater\n")], 10)).toEqual({
      lines: ["ok"],
      tooLong: 1
    })
  })

  it("drops one carriage return at the end and a byte order mark at the beginning, and no other", () => {
    expect(read([Buffer.from("\ufeffa\r\nb\r\r\nc\rd\n\ufeffe\ufeff\n")]).lines).toEqual([
      "a",
      "b\r",
      "c\rd",
      "e\ufeff"
    ])
  })

  it("takes what is left at the end for a line", () => {
    expect(read([Buffer.from("a\nhal"), Buffer.from("f")]).lines).toEqual(["a", "half"])
    expect(read([Buffer.from("a\n")]).lines).toEqual(["a"])
  })

  it("reads a long line in many chunks in linear time", () => {
    const chunk = Buffer.alloc(1024, "x")
    const chunks = [...Array.from({ length: 16 * 1024 }, () => chunk), Buffer.from("\n")]
    const before = performance.now()
    expect(read(chunks, 64 * 1024 * 1024).lines[0]?.length).toBe(16 * 1024 * 1024)
    expect(performance.now() - before).toBeLessThan(5000)
  })
})
