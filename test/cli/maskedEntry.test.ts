import { describe, expect, it } from "@effect/vitest"
import { mask } from "../../src/cli/maskedEntry.ts"

describe("a masked entry", () => {
  it("shows names and references, and no value of the environment or a header", () => {
    const entry = mask(
      {
        command: "node",
        env: { DIFY_KEY: "abc", TOKEN: "${TOKEN}", URL: "https://${HOST:-secret.example}/x", N: 5 },
        headers: { Authorization: "Bearer ${API_KEY}", "X-Key": "Bearer literal" }
      },
      []
    )
    expect(entry).toEqual({
      command: "node",
      env: { DIFY_KEY: "***", TOKEN: "${TOKEN}", URL: "***${HOST:-***}***", N: "***" },
      headers: { Authorization: "Bearer ${API_KEY}", "X-Key": "Bearer ***" }
    })
  })

  it("keeps the keys of an environment that is a list", () => {
    expect(mask({ env: ["A=secret", "B=${B}", "nothing"] }, [])).toEqual({ env: ["A=***", "B=${B}", "***"] })
  })

  it("masks credentials in addresses and arguments", () => {
    expect(
      mask({ url: "https://me:pw@host/mcp?token=abc&q=${Q}#f", args: ["--token", "sk-12345", "https://u:p@h/?k=v"] }, [
        "sk-12345"
      ])
    ).toEqual({
      url: "https://***@host/mcp?token=***&q=${Q}#f",
      args: ["--token", "***", "https://***@h/?k=***"]
    })
  })

  it("masks what it does not know", () => {
    expect(mask({ apiKey: "abc", auth: { secret: "x", on: true }, timeout: 5 }, [])).toEqual({
      apiKey: "***",
      auth: { secret: "***", on: "***" },
      timeout: 5
    })
  })
})
