import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as LiteralSecrets from "../../src/cli/literalSecrets.ts"
import * as NewEntry from "../../src/cli/newEntry.ts"

const described = (options: Partial<NewEntry.Described>) =>
  NewEntry.make({ target: [], transport: undefined, env: [], header: [], ...options })

const entry = (options: Partial<NewEntry.Described>) => Either.getOrThrow(described(options))

const refusal = (options: Partial<NewEntry.Described>) => Either.getOrThrow(Either.flip(described(options))).message

describe("a new entry", () => {
  it("is a program, with its arguments and variables", () => {
    expect(entry({ target: ["npx", "-y", "x", "https://not.the.address"], env: ["A=b=c", "B=", "TOKEN"] })).toEqual({
      command: "npx",
      args: ["-y", "x", "https://not.the.address"],
      env: { A: "b=c", B: "", TOKEN: "${TOKEN}" }
    })
    expect(entry({ target: ["https://odd.program"], transport: "stdio" })).toEqual({ command: "https://odd.program" })
  })

  it("is an address, with its headers", () => {
    expect(entry({ target: ["https://x/mcp"], header: ["Authorization: Bearer a:b", "X-Empty:"] })).toEqual({
      type: "http",
      url: "https://x/mcp",
      headers: { Authorization: "Bearer a:b", "X-Empty": "" }
    })
    expect(entry({ target: ["https://x/sse"], transport: "sse" })).toEqual({ type: "sse", url: "https://x/sse" })
  })

  it("is refused when its parts do not belong together, and no value is told", () => {
    expect(refusal({})).toContain("URL")
    expect(refusal({ target: ["https://x"], env: ["A=1"] })).toContain("--env is for commands")
    expect(refusal({ target: ["node"], header: ["A: b"] })).toContain("--header is for servers with a URL")
    expect(refusal({ target: ["https://x", "more"] })).toContain("more")
    expect(refusal({ target: ["https://x"], header: ["secret"] })).not.toContain("secret")
    expect(refusal({ target: ["node"], env: ["=secret"] })).not.toContain("secret")
  })
})

describe("the name of a server", () => {
  it.each(["github", "a.b-c_d", "io.github.user/server", "@scope/x", "日本語", "__proto__"])("may be %s", (name) => {
    expect(Either.isRight(NewEntry.checkName(name))).toBe(true)
  })

  it.each(["", " ", "a b", "-x", "a\u202eb", "a\nb", "x".repeat(65)])("may not be %j", (name) => {
    expect(Either.isLeft(NewEntry.checkName(name))).toBe(true)
  })
})

describe("literal secrets", () => {
  it("are found by what holds them", () => {
    expect(
      LiteralSecrets.find({
        args: ["--api-key", "abc"],
        env: { GITHUB_TOKEN: "abc", REGION: "eu" },
        headers: { Authorization: "Bearer abc" },
        url: "https://x/?api_key=abc"
      })
    ).toEqual(["env.GITHUB_TOKEN", "headers.Authorization", "args", "url"])
    expect(LiteralSecrets.find({ args: ["--token=abc"], url: "https://me:abc@x/" })).toEqual(["args", "url"])
  })

  it("are none where a variable stands in their place", () => {
    expect(
      LiteralSecrets.find({
        args: ["--api-key", "${KEY}", "--token=${T}", "--verbose"],
        env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", TOKEN: "" },
        headers: { Authorization: "Bearer ${T}" },
        url: "https://x/?api_key=${KEY}&page=2"
      })
    ).toEqual([])
  })
})
