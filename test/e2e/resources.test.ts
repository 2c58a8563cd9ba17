/**
 * The commands for what servers have beside tools, through the built program, on the published everything server.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, packaged, run, runJson } from "./cli.ts"

const everything = Effect.map(configured({ everything: packaged("everything", "stdio") }), (config) => [
  "--config",
  config
])

const document = "demo://resource/static/document/features.md"

describe("beside tools", () => {
  it.scopedLive("a server's resources are listed and read", () =>
    Effect.gen(function* () {
      const config = yield* everything
      const { json } = yield* runJson(["mcp", "resources", "everything", "--json", ...config])
      expect(json.server).toBe("everything")
      expect(json.resources.map(({ uri }: { readonly uri: string }) => uri)).toContain(document)
      const listed = yield* run(["mcp", "resources", "everything", ...config])
      expect(listed.stdout).toMatch(new RegExp(`^${document} +text/markdown`, "m"))

      const text = yield* run(["mcp", "read", "everything", document, ...config])
      const read = yield* runJson(["mcp", "read", "everything", document, "--json", ...config])
      expect(read.json).toMatchObject({ server: "everything", uri: document, contents: [{ uri: document }] })
      expect(text).toMatchObject({ code: 0, stdout: `${read.json.contents[0].text}\n` })
    })
  )

  it.scopedLive("a resource that is not there is told, with exit code 1", () =>
    Effect.gen(function* () {
      const words = ["mcp", "read", "everything", "demo://nowhere", ...(yield* everything)]
      const plain = yield* run(words)
      expect(plain.code).toBe(1)
      expect(plain.stderr).toContain('server "everything"')
      const { code, json } = yield* runJson([...words, "--json"])
      expect(code).toBe(1)
      expect(json).toMatchObject({ uri: "demo://nowhere", error: { kind: "rpc" } })
    })
  )

  it.scopedLive("resource templates are listed, and their variables completed", () =>
    Effect.gen(function* () {
      const config = yield* everything
      const { json } = yield* runJson(["mcp", "templates", "everything", "--json", ...config])
      const template = "demo://resource/dynamic/text/{resourceId}"
      expect(json.resourceTemplates).toContainEqual(expect.objectContaining({ uriTemplate: template }))
      const completed = yield* runJson([
        "mcp",
        "complete",
        "everything",
        template,
        "resourceId",
        "7",
        "--json",
        ...config
      ])
      expect(completed.json).toMatchObject({ values: ["7"], hasMore: false })
    })
  )

  it.scopedLive("prompts are listed with their arguments, completed and filled in", () =>
    Effect.gen(function* () {
      const config = yield* everything
      const listed = yield* run(["mcp", "prompts", "everything", ...config])
      expect(listed.stdout).toMatch(/^args-prompt +city \[state\] /m)
      const values = yield* run(["mcp", "complete", "everything", "completable-prompt", "department", "E", ...config])
      expect(values.stdout).toBe("Engineering\n")
      const filled = yield* runJson(["mcp", "prompt", "everything", "args-prompt", "city=Oslo", "--json", ...config])
      expect(filled.json).toMatchObject({ prompt: "args-prompt", messages: [{ role: "user" }] })
      expect(JSON.stringify(filled.json.messages)).toContain("Oslo")
      const shown = yield* run(["mcp", "prompt", "everything", "args-prompt", "city=Oslo", ...config])
      expect(shown.stdout).toMatch(/^user\n.*Oslo/)
    })
  )

  it.scopedLive("an argument of a prompt that is no key=value is a usage error", () =>
    Effect.gen(function* () {
      const words = ["mcp", "prompt", "everything", "args-prompt", "Oslo", ...(yield* everything)]
      expect(yield* run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('"Oslo" is no key=value') })
    })
  )

  it.scopedLive("a server that declares none of it has empty lists", () =>
    Effect.gen(function* () {
      const config = yield* configured({ plain: fixture("cli/server.mjs") })
      for (const [command, kind] of [
        ["resources", "resources"],
        ["templates", "resource templates"],
        ["prompts", "prompts"]
      ] as const) {
        const { code, stdout } = yield* run(["mcp", command, "plain", "--config", config])
        expect({ code, stdout }).toEqual({ code: 0, stdout: `The server has no ${kind}.\n` })
      }
    })
  )
})
