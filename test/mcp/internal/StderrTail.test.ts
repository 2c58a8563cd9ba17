import { expect, it } from "@effect/vitest"
import { describe } from "vitest"
import * as StderrTail from "../../../src/mcp/internal/stdio/StderrTail.ts"

const limit = 64 * 1024

describe("the tail of stderr", () => {
  it("is all that was written, while that is little", () => {
    const tail = StderrTail.make(64 * 1024)
    expect(tail.text()).toBe("")
    tail.push(Buffer.from("one\n"))
    tail.push(Buffer.from("two\n"))
    expect(tail.text()).toBe("one\ntwo\n")
  })

  it("is the last 64 KiB, whatever the size of the pieces", () => {
    for (const size of [1, 1000, limit - 1, limit, limit + 1, 3 * limit]) {
      const all = Array.from({ length: 5 * limit }, (_, i) => String.fromCharCode(97 + (i % 23))).join("")
      const tail = StderrTail.make(64 * 1024)
      for (let at = 0; at < all.length; at += size) tail.push(Buffer.from(all.slice(at, at + size)))
      expect(tail.text()).toBe(all.slice(-limit))
    }
  })

  it("does not begin in the middle of a character", () => {
    const tail = StderrTail.make(64 * 1024)
    tail.push(Buffer.from("😀".repeat(limit)))
    tail.push(Buffer.from("x"))
    expect(tail.text()).toMatch(/^(😀)+x$/u)
  })

  it("has lines for an error message: few, without the last line end", () => {
    const tail = StderrTail.make(64 * 1024)
    tail.push(Buffer.from(Array.from({ length: 100 }, (_, n) => `line ${n}\n`).join("")))
    expect(tail.lastLines().split("\n")).toHaveLength(20)
    expect(tail.lastLines().endsWith("line 99")).toBe(true)
    tail.push(Buffer.from("y".repeat(limit)))
    expect(tail.lastLines()).toBe("y".repeat(4000))
  })
})
