import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { version } from "../../src/mcp/internal/version.ts"
import { folder, root } from "./cli.ts"
import { type, walk } from "./newcomer.ts"

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const tsc = join(root, "node_modules/typescript/bin/tsc")

/** The versions of Node to try it on, as paths of `node`: `npm run test:matrix` names several. */
const nodes = process.env.HARNESS9_NODES?.split(delimiter) ?? [process.execPath]

/** The package as `npm pack` makes it. */
const packed = Effect.map(folder, (home) => {
  const words = ["pack", "--json", "--loglevel=error", "--pack-destination", home]
  const [{ files, filename, size }] = JSON.parse(execFileSync("npm", words, { cwd: root, encoding: "utf8" }))
  const paths: ReadonlyArray<string> = files.map((file: { readonly path: string }) => file.path)
  return { home, tarball: join(home, filename), size, paths }
})

const tool = (name: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(join(root, "node_modules/.bin", name), args, { cwd: root, encoding: "utf8", stdio: "pipe" })

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
  it.scopedLive("holds what is needed and nothing else, and is in order for publint and arethetypeswrong", () =>
    Effect.gen(function* () {
      const { paths, size, tarball } = yield* packed
      const needed =
        /^(dist\/(cli|lib)\/|schema\/|package\.json$|README\.md$|CHANGELOG\.md$|LICENSE$|\.mcp\.json\.example$)/
      expect(paths.filter((path) => !needed.test(path))).toEqual([])
      expect(paths.filter((path) => path.endsWith(".node"))).toEqual([])
      expect(size).toBeLessThan(3_000_000)
      expect(tool("publint", tarball, "--strict")).toContain("All good!")
      expect(
        JSON.parse(tool("attw", tarball, "--profile", "esm-only", "--format", "json")).analysis.types
      ).toMatchObject({
        kind: "included"
      })
    })
  )

  it.scopedLive.each(nodes)(
    "leads along the README's path, from installing to a test of one's own, on %s",
    (node) =>
      Effect.gen(function* () {
        const { home, tarball } = yield* packed
        const { cwd, output } = yield* walk(home, tarball, node)
        const said = [
          /^\[offline model\] I called read_file/m,
          /^added "everything" to /m,
          /^● everything +stdio +connected +\d+ tools/m,
          /^\[offline model\] I called mcp__everything__echo/m,
          /Tests +1 passed/
        ]
        for (const line of said) expect(output).toMatch(line)
        // From the command, from the model and from the program.
        expect(output.match(/^Echo: hello$/gm)).toHaveLength(3)
        const npx = `npx --yes --package=${tarball} harness9 --version`
        expect(yield* type(home, home, node, npx)).toBe(`${version}\n`)

        writeFileSync(join(cwd, "program.mts"), program)
        const options =
          "--target es2023 --module nodenext --strict --exactOptionalPropertyTypes --skipLibCheck --types --outDir out"
        execFileSync(process.execPath, [tsc, ...options.split(" "), "program.mts"], { cwd, stdio: "pipe" })
        const use = `import { Effect } from "effect"
          import { greeting } from "./out/program.mjs"
          console.log(await Effect.runPromise(greeting))`
        expect(execFileSync(node, ["--input-type=module", "-e", use], { cwd, encoding: "utf8" })).toMatch(/^hello$/m)
      }),
    600_000
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
