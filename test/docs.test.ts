import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { pages } from "../scripts/pages.ts"
import * as Argv from "../src/cli/argv.ts"
import { commands } from "../src/cli/commands.ts"
import * as options from "../src/cli/options.ts"
import * as McpConfig from "../src/mcp/McpConfig.ts"
import * as Pages from "./pages.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** A heading's anchor, as GitHub makes it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const anchors = (path: string): ReadonlyArray<string> =>
  [...Pages.read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchor(heading))

const links = (page: string) =>
  [...Pages.read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path = "", fragment]) => ({
    page,
    path: path === "" ? page : join(dirname(page), path),
    fragment
  }))

/** The words of each line that calls harness9, up to where the shell does something else. */
const commandLines = (code: string): ReadonlyArray<ReadonlyArray<string>> =>
  code
    .replaceAll("\\\n", " ")
    .split("\n")
    .flatMap((line) => {
      const called = /^ *(?:npx )?harness9\b(?<rest>.*)$/.exec(line)?.groups?.rest
      return called === undefined ? [] : [words(called)]
    })

const words = (line: string): ReadonlyArray<string> => {
  const all = (line.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"))
  const end = all.findIndex((word) => /^[#|<>]/.test(word))
  return end === -1 ? all : all.slice(0, end)
}

describe("the pages", () => {
  it.effect("that are made from the program say what it says now: npm run docs:cli", () =>
    Effect.gen(function* () {
      for (const [path, text] of Object.entries(yield* pages)) expect(Pages.read(path), path).toBe(text)
    })
  )

  it("link to pages, parts of pages and files that there are", () => {
    const all = Pages.paths.flatMap(links)
    expect(all.length).toBeGreaterThan(20)
    const dead = all.filter(
      ({ fragment, path }) =>
        !existsSync(join(root, path)) ||
        (fragment !== undefined && path.endsWith(".md") && !anchors(path).includes(fragment))
    )
    expect(dead).toEqual([])
  })

  it.effect("show command lines that harness9 understands", () =>
    Effect.gen(function* () {
      const names = commands.map(({ name }) => name)
      const lines = Pages.blocks("sh").flatMap(({ code }) => commandLines(code))
      expect(lines.length).toBeGreaterThan(20)
      for (const line of lines) {
        const route = Argv.route(line, names, options.shared)
        expect(route, line.join(" ")).toMatchObject({ _tag: "Found" })
        const entry = commands.find(({ name }) => route._tag === "Found" && name === route.command)
        if (entry === undefined || route._tag !== "Found") continue
        const { command } = yield* Effect.promise(entry.load)
        expect(Either.getLeft(Argv.sort(route.rest, command.flags)), line.join(" ")).toMatchObject({ _tag: "None" })
        if (route.command === "") expect(Argv.sort(route.rest, command.flags)).toMatchObject({ right: { words: [] } })
      }
    })
  )

  it("show configurations that load without a problem", () => {
    const configs = Pages.blocks("jsonc", "json").filter(({ code }) => code.includes('"mcpServers"'))
    expect(configs).not.toEqual([])
    for (const { code, line, page } of configs) {
      const env = { GITHUB_TOKEN: "-", DOCS_TOKEN: "-" }
      const parsed = McpConfig.parse(code, { path: `${page}:${line}`, cwd: root, env })
      expect(parsed).toMatchObject({ _tag: "Right", right: { problems: [] } })
    }
  })
})
