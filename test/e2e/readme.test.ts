/**
 * The README's examples, taken out of it as they stand there: type-checked against the built package, and run.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { root } from "./cli.ts"

const readme = readFileSync(join(root, "README.md"), "utf8")

const example = (name: string): string => {
  const [, code] = new RegExp(`<!-- example: ${name} -->\\n\`\`\`ts\\n([^]*?)\`\`\``).exec(readme) ?? []
  if (code === undefined) throw new Error(`the README has no example called ${name}`)
  return code
}

/** A folder inside the package, where `harness9` is the package itself, gone when the Scope closes. */
const inPackage = Effect.acquireRelease(
  Effect.sync(() => {
    mkdirSync(join(root, "dist"), { recursive: true })
    return mkdtempSync(join(root, "dist/readme-"))
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const node = (...args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"]
  })

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ["node"]
}

/** Compiles an example and gives the path of its JavaScript. */
const compile = (folder: string, file: string, code: string): string => {
  writeFileSync(join(folder, file), code)
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }))
  node("node_modules/typescript/bin/tsc", "-p", folder)
  return join(folder, file.replace(/\.ts$/, ".js"))
}

const linesOf = (code: string): number => code.split("\n").filter((line) => line.trim() !== "").length

describe("the README's example", () => {
  it.scopedLive("of embedding calls a tool of a real server, in 15 lines beside its imports", () =>
    Effect.gen(function* () {
      const code = example("embed")
      expect(linesOf(code.replace(/^import .*$/gm, ""))).toBeLessThanOrEqual(15)
      expect(node(compile(yield* inPackage, "embed.ts", code))).toMatch(/^Echo: hello$/m)
    })
  )

  it.scopedLive("of testing passes on a mock transport, in 15 lines beside its imports", () =>
    Effect.gen(function* () {
      const code = example("test")
      expect(linesOf(code.replace(/^import .*$/gm, ""))).toBeLessThanOrEqual(15)
      const folder = yield* inPackage
      compile(folder, "weather.test.ts", code)
      const config = join(folder, "vitest.config.mjs")
      writeFileSync(config, 'export default { test: { include: ["*.test.js"], exclude: [] } }')
      const output = node("node_modules/vitest/vitest.mjs", "run", "--root", folder, "--config", config)
      expect(output).toMatch(/Tests +1 passed/)
    })
  )
})
