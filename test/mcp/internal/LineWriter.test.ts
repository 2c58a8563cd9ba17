import { Writable } from "node:stream"
import { expect, it } from "@effect/vitest"
import { describe } from "vitest"
import * as LineWriter from "../../../src/mcp/internal/stdio/LineWriter.ts"

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A stream that takes one write at a time, when `take` is called. */
const slowStream = () => {
  const writes: Array<string> = []
  const taken: Array<() => void> = []
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (chunk, _encoding, callback) => {
      writes.push(String(chunk))
      taken.push(callback)
    }
  })
  return { stream, writes, take: () => taken.shift()?.() }
}

const make = (stream: Writable, maxWaiting = 100, onTooMuch = () => {}) =>
  LineWriter.make(stream, { maxWaiting, onTooMuch })

describe("line writer", () => {
  it("makes one write of all lines of a tick", async () => {
    const { stream, writes } = slowStream()
    const writer = make(stream)
    writer.write("a")
    writer.write("b")
    expect(writes).toEqual([])
    await tick()
    expect(writes).toEqual(["a\nb\n"])
  })

  it("keeps lines back while the stream is full, in order", async () => {
    const { stream, take, writes } = slowStream()
    const writer = make(stream)
    for (const line of ["a", "b", "c"]) {
      writer.write(line)
      await tick()
    }
    expect(writes).toEqual(["a\n"])
    take()
    await tick()
    expect(writes).toEqual(["a\n", "b\nc\n"])
  })

  it("writes what is kept back before it ends the stream", async () => {
    const { stream, take, writes } = slowStream()
    const writer = make(stream)
    writer.write("a")
    await tick()
    writer.write("b")
    writer.end()
    take()
    await tick()
    take()
    await tick()
    expect(writes).toEqual(["a\n", "b\n"])
    expect(stream.writableFinished).toBe(true)
  })

  it("does nothing on a stream that is gone", async () => {
    const { stream, writes } = slowStream()
    const writer = make(stream)
    stream.destroy()
    writer.write("a")
    await tick()
    writer.end()
    expect(writes).toEqual([])
  })

  it("keeps back no more than so much for a stream that takes nothing, and says so once", async () => {
    const { stream, writes } = slowStream()
    let tooMuch = 0
    const writer = make(stream, 100, () => tooMuch++)
    writer.write("a")
    await tick()
    writer.write("b".repeat(1000))
    expect(tooMuch).toBe(0)
    for (let line = 0; line < 1000; line++) writer.write("c")
    expect(tooMuch).toBe(1)
    expect(writes).toEqual(["a\n"])
  })
})
