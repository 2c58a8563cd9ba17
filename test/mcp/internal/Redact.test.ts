import { describe, expect, it } from "@effect/vitest"
import * as Redact from "../../../src/mcp/internal/Redact.ts"
import { McpError } from "../../../src/mcp/McpError.ts"

describe("masking", () => {
  it("finds a secret wherever it stands, URL-encoded and in JSON too", () => {
    const secrets = ['p"ss/word']
    expect(Redact.mask('a p"ss/word b', secrets)).toBe("a *** b")
    expect(Redact.mask("https://h/?k=p%22ss%2Fword", secrets)).toBe("https://h/?k=***")
    expect(Redact.mask('{"k":"p\\"ss/word"}', secrets)).toBe('{"k":"***"}')
  })

  it("leaves nothing of a secret that holds another one", () => {
    expect(Redact.mask("Bearer abcdef, abcd", ["abcd", "Bearer abcdef"])).toBe("***, ***")
  })

  it("leaves values alone that any text holds by chance", () => {
    expect(Redact.mask("port 80, yes", ["80", "yes", ""])).toBe("port 80, yes")
  })

  it("survives a secret that is no well-formed text", () => {
    expect(Redact.mask("x \ud800abc y", ["\ud800abc"])).toBe("x *** y")
  })

  it("covers every text of an error, and keeps no cause that could hold it", () => {
    const error = Redact.redaction(["s3cr3t"]).error(
      new McpError({
        server: "a",
        phase: "call",
        kind: "rpc",
        message: "s3cr3t",
        hint: "not s3cr3t",
        stderr: "key=s3cr3t",
        challenge: "Bearer s3cr3t",
        code: 1,
        data: { s3cr3t: [1, null, "s3cr3t"] },
        cause: new Error("s3cr3t")
      })
    )
    expect(JSON.stringify(error)).not.toContain("s3cr3t")
    expect(error).toMatchObject({ kind: "rpc", code: 1, data: { "***": [1, null, "***"] } })
    expect(error.cause).toBeUndefined()
  })
})
