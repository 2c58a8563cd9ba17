import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as HttpFields from "../../../src/mcp/internal/http/HttpFields.ts"

describe("HttpFields", () => {
  it("writes a plain value as it is, and marks every other one", () => {
    for (const plain of ["echo", "file:///a b", "a=?b", "x"]) expect(HttpFields.value(plain)).toBe(plain)
    for (const text of ["", " x", "x ", "é日😀", "a\nb", "\t", "=?base64?eA==?=", "=?BASE64?x?="]) {
      expect(HttpFields.value(text)).toBe(`=?base64?${Buffer.from(text).toString("base64")}?=`)
    }
  })

  it("gives values that a header may hold and that can be read back, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const value = HttpFields.value(text)
        expect(value).toMatch(/^[\x20-\x7e]*$/)
        const packed = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
        expect(packed === undefined ? value : Buffer.from(packed, "base64").toString("utf8")).toBe(text)
      })
    )
  })

  it("names the subject of the methods that have one", () => {
    const name = (method: string, params: Record<string, unknown>) =>
      HttpFields.standard("2026-07-28", method, params)["mcp-name"]
    expect(name("tools/call", { name: "echo" })).toBe("echo")
    expect(name("prompts/get", { name: "p" })).toBe("p")
    expect(name("resources/read", { uri: "file:///é" })).toBe(HttpFields.value("file:///é"))
    expect(name("tasks/get", { taskId: "t1" })).toBe("t1")
    expect(name("tools/list", { name: "x" })).toBeUndefined()
    expect(name("tools/call", { name: 7 })).toBeUndefined()
  })

  it("compares media types without parameters and case", () => {
    expect(HttpFields.mediaType({ "content-type": 'Text/Event-Stream; Charset="UTF-8"' })).toBe("text/event-stream")
    expect(HttpFields.mediaType({})).toBe("")
  })
})
