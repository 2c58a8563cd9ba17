/**
 * `harness9 generate`: the modules that it writes of real servers are compiled, all in one run of the compiler, and used.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TypedModule from "../../src/tool/typed/TypedModule.ts"
import { zooTools } from "../tool/typed.zoo.ts"
import { configured, fixture, folder, packaged, root, run, runJson } from "./cli.ts"

/** A folder inside the package, where `harness9` is the package itself. */
const inPackage = Effect.acquireRelease(
  Effect.sync(() => {
    mkdirSync(join(root, "dist"), { recursive: true })
    return mkdtempSync(join(root, "dist/generate-"))
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  types: ["node"]
}

const program = (config: string) => `
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { McpConfig, McpManager, TransportFactory } from "harness9"
import * as everything from "./everything.js"
import * as files from "./files.js"
import * as memory from "./memory.js"
import type * as zoo from "./zoo.js"

const Live = McpManager.layer.pipe(
  Layer.provide([McpConfig.layer({ file: ${JSON.stringify(config)} }), TransportFactory.layer]),
  Layer.provide(NodeContext.layer)
)
const tree: zoo.RecursiveInput = { tree: { name: "a", children: [{ name: "b", about: { owner: null } }] }, json: [1, { a: [null] }] }

// @ts-expect-error a number is wanted
const wrong = everything.getSum({ a: "1", b: 2 })
// @ts-expect-error it needs arguments
const missing = everything.getSum()

const spoken = Effect.gen(function* () {
  yield* (yield* McpManager.McpManager).start
  const { text } = yield* everything.getSum({ a: 2, b: 3 })
  const weather = yield* everything.getStructuredContent({ location: "Chicago" })
  const celsius: number = weather.temperature
  const image = yield* everything.getTinyImage()
  const { content } = yield* files.listAllowedDirectories()
  yield* memory.createEntities({ entities: [{ name: "Oslo", entityType: "city", observations: ["in Norway"] }] })
  const { entities } = yield* memory.openNodes({ names: ["Oslo"] })
  const failure = yield* Effect.flip(files.readTextFile({ path: "/no/such/file" }))
  const unfit = yield* Effect.flip(everything.getSum({ a: Number.NaN, b: "secret" as unknown as number }))
  return { text, celsius, image: image.content.length, content, entities, failure, unfit, tree, wrong, missing }
})
const { failure, unfit, wrong: _, missing: __, ...rest } = await Effect.runPromise(Effect.provide(spoken, Live))
console.log(JSON.stringify({ ...rest, failure: { ...failure, message: failure.message }, unfit: { ...unfit, message: unfit.message } }))
`

describe("harness9 generate", () => {
  it.scopedLive("writes modules of real servers that compile strictly and call them", () =>
    Effect.gen(function* () {
      const cwd = yield* inPackage
      const config = yield* configured({
        everything: packaged("everything", "stdio"),
        files: packaged("filesystem", cwd),
        memory: { ...packaged("memory"), env: { MEMORY_FILE_PATH: join(cwd, "memory.jsonl") } }
      })
      for (const server of ["everything", "files", "memory"]) {
        const words = ["generate", server, "--config", config, "--output", `${server}.ts`]
        expect(yield* run(words, { cwd })).toMatchObject({ code: 0, stderr: "" })
        const checked = yield* run([...words, "--check"], { cwd, env: { ANTHROPIC_API_KEY: "k" } })
        expect(checked).toMatchObject({ code: 0, stdout: `✓ ${server}  as in ${server}.ts\n` })
      }
      writeFileSync(join(cwd, "zoo.ts"), TypedModule.write("zoo", zooTools))
      writeFileSync(join(cwd, "program.ts"), program(config))
      writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }))
      const node = (...args: ReadonlyArray<string>) => execFileSync(process.execPath, args, { cwd, encoding: "utf8" })
      node(join(root, "node_modules/typescript/bin/tsc"), "-p", cwd)
      const [result = ""] = node("program.js").trimEnd().split("\n").slice(-1)
      expect(JSON.parse(result)).toMatchObject({
        text: expect.stringContaining("5"),
        celsius: expect.any(Number),
        image: expect.any(Number),
        content: expect.stringContaining(cwd),
        entities: [{ name: "Oslo", entityType: "city", observations: ["in Norway"] }],
        failure: { _tag: "ToolFailure", kind: "tool", server: "files", tool: "read_text_file" },
        unfit: {
          _tag: "ToolFailure",
          kind: "arguments",
          message: 'the arguments of "get-sum": b is not what the schema says'
        }
      })
    })
  )

  it.scopedLive("--check fails when the server has drifted, and says where", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const entry = (name: string) => configured({ it: fixture("cli/drifting.mjs", { args: [name] }) })
      const words = (config: string) => ["generate", "it", "--output", "it.ts", "--config", config]
      const before = yield* entry("before")
      const after = yield* entry("after")
      expect(yield* run(words(before), { cwd })).toMatchObject({ code: 0, stdout: "✓ 3 tools in it.ts\n" })
      const written = readFileSync(join(cwd, "it.ts"), "utf8")

      const drifted = yield* run([...words(after), "--check"], { cwd })
      expect(drifted.code).toBe(1)
      expect(drifted.stdout).toBe(
        [
          "✗ it  differs from it.ts",
          "    + fresh  added",
          "    - gone  removed",
          "    ~ moved  changed",
          "        inputSchema.properties.to.type",
          "          - string",
          "          + number",
          "    Write it again with: harness9 generate it --output it.ts",
          ""
        ].join("\n")
      )
      expect(readFileSync(join(cwd, "it.ts"), "utf8")).toBe(written)
      const { code, json } = yield* runJson([...words(after), "--check", "--json"], { cwd })
      expect({ code, json }).toMatchObject({ code: 1, json: { server: "it", file: "it.ts", state: "drift" } })
      expect(json.differences[2]).toMatchObject({ tool: "moved", kind: "changed" })

      expect((yield* run(words(after), { cwd })).code).toBe(0)
      expect((yield* run([...words(after), "--check"], { cwd })).code).toBe(0)
      writeFileSync(join(cwd, "it.ts"), readFileSync(join(cwd, "it.ts"), "utf8").replace("Schema.Number", "Schema.Int"))
      const edited = yield* run([...words(after), "--check"], { cwd })
      expect(edited).toMatchObject({ code: 1, stdout: expect.stringContaining("it.ts was changed by hand") })
    })
  )

  it.scopedLive("writes to stdout by default, and over nothing that is not its own", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      const config = yield* configured({ it: fixture("cli/drifting.mjs", { args: ["before"] }) })
      const words = ["generate", "it", "--config", config]
      expect((yield* run(words, { cwd })).stdout).toContain("export const moved = TypedTool.make(")
      writeFileSync(join(cwd, "mine.ts"), "export const mine = 1\n")
      const refused = yield* run([...words, "--output", "mine.ts"], { cwd })
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("mine.ts was not written by harness9") })
      expect(readFileSync(join(cwd, "mine.ts"), "utf8")).toBe("export const mine = 1\n")
      expect((yield* run([...words, "--output", "mine.ts", "--force"], { cwd })).code).toBe(0)
      expect(yield* run([...words, "--check"], { cwd })).toMatchObject({ code: 2 })
      const none = yield* run([...words, "--check", "--output", "none.ts"], { cwd })
      expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no file none.ts") })
    })
  )
})
