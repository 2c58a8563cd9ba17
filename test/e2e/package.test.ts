import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { version } from "../../src/mcp/internal/version.ts"
import { configured, fixture, folder, root, run, runJson } from "./cli.ts"

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, encoding: "utf8" })

/** The last line that a program prints. */
const node = (cwd: string, code: string): string | undefined =>
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd, encoding: "utf8" })
    .trimEnd()
    .split("\n")
    .at(-1)

/** The package as a user has it: packed, and installed into an empty folder together with what it asks for. */
const installed = Effect.map(folder, (path) => {
  const [{ files, filename, size }] = JSON.parse(npm(root, "pack", "--json", "--pack-destination", path))
  const cwd = join(path, "app")
  mkdirSync(cwd)
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }))
  npm(cwd, "install", "--prefer-offline", "--omit=dev", join(path, filename))
  return { cwd, size, files: files.map((file: { readonly path: string }) => file.path) as ReadonlyArray<string> }
})

const program = `import { Effect, Layer } from "effect"
import { McpManager, ServerConfig, type McpError } from "harness9"
import { fromRegistry } from "harness9/ai"
import { TestServer, TestTransportFactory } from "harness9/testing"

const server = TestServer.make({ tools: { greet: { handler: () => "hello" } } })
const layer = McpManager.layerConfig([ServerConfig.stdio("it", { command: "unused" })]).pipe(
  Layer.provide(TestTransportFactory.layer({ it: server }))
)
export const greeting: Effect.Effect<string, McpError.McpError> = Effect.gen(function* () {
  const manager = yield* McpManager.McpManager
  yield* manager.start
  const client = yield* manager.client("it")
  return (yield* client.callTool("greet", {})).text
}).pipe(Effect.provide(layer))
export const toolkit = fromRegistry
`

describe("the packed package", () => {
  it.scopedLive(
    "installs into an empty folder and works there: program, library and types",
    () =>
      Effect.gen(function* () {
        const { cwd, files, size } = yield* installed
        const main = join(cwd, "node_modules/harness9/dist/cli/main.js")
        expect(size).toBeLessThan(3_000_000)
        expect(
          files.filter(
            (file) =>
              !/^(dist\/|schema\/|package\.json|README\.md|CHANGELOG\.md|LICENSE|\.mcp\.json\.example)/.test(file)
          )
        ).toEqual([])

        const bin = execFileSync(join(cwd, "node_modules/.bin/harness9"), ["--version"], { encoding: "utf8" })
        expect(bin).toBe(`${version}\n`)
        const config = yield* configured({ it: fixture("cli/server.mjs") })
        const { json } = yield* runJson(["mcp", "list", "--json", "--config", config], { main })
        expect(json.servers).toMatchObject([{ name: "it", status: "connected" }])
        const words = ["run", "call mcp__it__echo text=packed", "--config", config]
        expect(yield* run(words, { main })).toMatchObject({ code: 0, stdout: expect.stringContaining("packed") })

        writeFileSync(join(cwd, "program.ts"), program)
        const tsc = join(root, "node_modules/typescript/bin/tsc")
        const options =
          "--target es2023 --module nodenext --strict --exactOptionalPropertyTypes --skipLibCheck --types --outDir out"
        execFileSync(process.execPath, [tsc, ...options.split(" "), "program.ts"], { cwd, stdio: "pipe" })
        const use = `
          import { Effect } from "effect"
          import { greeting } from "./out/program.js"
          console.log(await Effect.runPromise(greeting))`
        expect(node(cwd, use)).toBe("hello")
      }),
    240_000
  )

  it("names every package that the library imports", () => {
    const lib = join(root, "dist/lib")
    const texts = readdirSync(lib, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".js"))
      .map((path) => readFileSync(join(lib, path), "utf8"))
    const specifiers = texts.flatMap((text) =>
      [...text.matchAll(/(?:\bfrom|\bimport|\bimport\() ?"([^."][^"]*)"/g)].map(([, specifier = ""]) => specifier)
    )
    const imported = specifiers
      .filter((specifier) => !isBuiltin(specifier))
      .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"))
    const named = { ...manifest.dependencies, ...manifest.peerDependencies }
    expect(imported).toContain("effect")
    expect([...new Set(imported)].filter((name) => !(name in named))).toEqual([])
  })

  it("runs no script when it is installed", () => {
    expect(Object.keys(manifest.scripts).filter((name) => /install|prepare|prepublish/.test(name))).toEqual([])
  })
})
