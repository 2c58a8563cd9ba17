import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { version } from "../src/mcp/internal/version.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const src = join(root, "src")

/** What each folder may import beside itself. A file beside the folders is an entry point of the package and may import everything. */
const below: Readonly<Record<string, ReadonlyArray<string>>> = {
  mcp: [],
  tool: ["mcp"],
  engine: ["tool", "mcp"],
  testing: ["engine", "tool", "mcp"],
  tui: ["engine", "tool", "mcp"],
  serve: ["engine", "tool", "mcp"],
  cli: ["tui", "serve", "engine", "tool", "mcp"]
}

interface SourceFile {
  readonly path: string
  readonly folder: string
  readonly text: string
}

const files: ReadonlyArray<SourceFile> = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const [folder = ""] = path.split(sep)
    return { path, folder: folder.includes(".") ? "" : folder, text: readFileSync(join(src, path), "utf8") }
  })

const importsOf = ({ path, text }: SourceFile): ReadonlyArray<string> =>
  [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"(\.[^"]+)"/g)].map(([, target = ""]) =>
    relative(src, join(src, dirname(path), target))
  )

const wrongImports = (file: SourceFile): ReadonlyArray<string> =>
  importsOf(file).filter((target) => {
    const [folder = ""] = target.split(sep)
    return file.folder !== "" && folder !== file.folder && !(below[file.folder] ?? []).includes(folder)
  })

describe("the architecture", () => {
  it("knows every folder", () => {
    expect(
      [...new Set(files.map(({ folder }) => folder))].filter((folder) => folder !== "" && !(folder in below))
    ).toEqual([])
  })

  it("imports downwards only: cli, tui and serve, engine, tool, mcp", () => {
    const wrong = files.flatMap((file) => wrongImports(file).map((target) => `${file.path} imports ${target}`))
    expect(wrong).toEqual([])
  })

  it("would notice an import upwards", () => {
    const text = 'import * as Engine from "../../engine/Engine.ts"'
    expect(wrongImports({ path: join("mcp", "internal", "X.ts"), folder: "mcp", text })).toEqual([
      join("engine", "Engine.ts")
    ])
  })

  it("has no file over 350 lines", () => {
    const long = files.filter(({ text }) => text.split("\n").length > 351).map(({ path }) => path)
    expect(long).toEqual([])
  })

  it("has no default exports", () => {
    expect(files.filter(({ text }) => /^export default /m.test(text)).map(({ path }) => path)).toEqual([])
  })

  it("tells the version of package.json", () => {
    expect(version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version)
  })
})
