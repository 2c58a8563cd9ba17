/**
 * The TypeScript of README and docs, taken out as it stands there: type-checked against the built package, and run where the page says so. The
 * README's own examples are run on the packed package (`package.test.ts`).
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Pages from "../pages.ts"
import { root } from "./cli.ts"

/** A folder inside the package, where `harness9` is the package itself, gone when the Scope closes. */
const inPackage = Effect.acquireRelease(
  Effect.sync(() => {
    mkdirSync(join(root, "dist"), { recursive: true })
    return mkdtempSync(join(root, "dist/snippets-"))
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const node = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ["node"]
}

const snippets = Pages.blocks("ts").map((block) => ({
  ...block,
  file: `${block.page.replace(/\W/g, "-")}-${block.line}.ts`
}))

/** Compiles them all; a failure names page and line. */
const compiled = Effect.map(inPackage, (folder) => {
  for (const { code, file } of snippets) writeFileSync(join(folder, file), code)
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: snippets.map(({ file }) => file) })
  )
  node(folder, join(root, "node_modules/typescript/bin/tsc"), "-p", folder)
  return folder
})

const linesOf = (code: string): number => code.split("\n").filter((line) => line.trim() !== "").length

/** What each `<!-- run: … -->` snippet prints. */
const outputs: Readonly<Record<string, RegExp>> = {
  "run: engine": /^mcp__everything__echo Echo: hello$/m,
  "run: tool": /^noon$/m
}

describe("the TypeScript of the pages", () => {
  it.scopedLive("compiles against the package, and prints what the page says where it is run", () =>
    Effect.gen(function* () {
      const folder = yield* compiled
      copyFileSync(join(root, ".mcp.json.example"), join(folder, ".mcp.json"))
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
      const marks = snippets.filter(({ mark }) => mark?.startsWith("run: ")).map(({ mark }) => mark)
      expect(marks).toEqual(Object.keys(outputs))
      for (const { file, mark = "" } of snippets) {
        const output = outputs[mark]
        if (output !== undefined) expect(node(folder, file.replace(/ts$/, "js"))).toMatch(output)
      }
    })
  )

  it("calls a tool of a real server, and tests on a mock one, in 15 lines beside its imports", () => {
    const own = snippets.filter(({ page }) => page === "README.md")
    expect(own).toHaveLength(2)
    for (const { code } of own) expect(linesOf(code.replace(/^import .*$/gm, ""))).toBeLessThanOrEqual(15)
  })
})
