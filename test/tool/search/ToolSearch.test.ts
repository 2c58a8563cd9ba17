import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Tool } from "../../../src/tool/Tool.ts"
import * as ToolSearch from "../../../src/tool/ToolSearch.ts"
import { mcpTool } from "../../engine/fixture.ts"

const withParameters = (...names: ReadonlyArray<string>) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }]))
})

const tools: ReadonlyArray<Tool> = [
  mcpTool("github", "create_pull_request", { description: "Opens a new pull request in a GitHub repository." }),
  mcpTool("github", "create_issue", { description: "Opens a new issue in a GitHub repository." }),
  mcpTool("git", "git_diff", { description: "Shows the differences between commits or of the working tree." }),
  mcpTool("git", "git_stash", { description: "Manages stashes of the working tree." }),
  mcpTool("fs", "readTextFile", {
    description: "Gives the contents of a text file.",
    inputSchema: withParameters("path")
  }),
  mcpTool("fs", "delete_file", { description: "Removes a file.", inputSchema: withParameters("path") }),
  mcpTool("browser", "take_screenshot", { description: "Captures the current page as an image." }),
  mcpTool("chart", "generate_pie_chart", {
    description: "Draws a pie chart.",
    inputSchema: withParameters("innerRadius")
  }),
  mcpTool("weather", "forecast", { title: "Tomorrow's weather", description: "For a city." })
]

const found = (query: string, limit?: number) =>
  Effect.map(ToolSearch.make(tools), ({ search }) => search(query, { limit }).map(({ tool }) => tool.name))

describe("ToolSearch", () => {
  it.effect.each([
    ["words of the name, however they are joined", "read text file", "mcp__fs__readTextFile"],
    ["the name itself", "mcp__github__create_issue", "mcp__github__create_issue"],
    ["words of the description", "captures the page", "mcp__browser__take_screenshot"],
    ["the title", "tomorrow", "mcp__weather__forecast"],
    ["a parameter", "inner radius", "mcp__chart__generate_pie_chart"],
    ["the server", "github issue", "mcp__github__create_issue"],
    ["other endings", "deleting files", "mcp__fs__delete_file"],
    ["misspelled words", "screnshot", "mcp__browser__take_screenshot"],
    ["words written as one", "piechart", "mcp__chart__generate_pie_chart"],
    ["other words for it", "show me what changed in the repository", "mcp__git__git_diff"],
    ["an expression that stands apart", "put my work aside", "mcp__git__git_stash"],
    ["German", "Lösche die Datei", "mcp__fs__delete_file"],
    ["a German compound", "Kreisdiagramm", "mcp__chart__generate_pie_chart"],
    ["French", "prendre une capture d'écran", "mcp__browser__take_screenshot"],
    ["Japanese", "ファイルを削除", "mcp__fs__delete_file"],
    ["Chinese", "创建一个拉取请求", "mcp__github__create_pull_request"]
  ] as const)("finds a tool by %s", ([_, query, name]) =>
    Effect.map(found(query), (names) => expect(names[0]).toBe(name))
  )

  it.effect.each(["order a pepperoni pizza", "mow the lawn", "xyzzy plugh", "", "  ", "the of and", "?!", "💥"])(
    "finds nothing for %j",
    (query) => Effect.map(found(query), (names) => expect(names).toEqual([]))
  )

  it.effect("gives at most as many as asked for, best first", () =>
    Effect.gen(function* () {
      const { search } = yield* ToolSearch.make(tools)
      const hits = search("github repository", { limit: 1 })
      expect(hits).toHaveLength(1)
      const all = search("github repository", { limit: 100 })
      expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a))
      expect(all[0]).toEqual(hits[0])
      expect(search("github repository", { limit: 0 })).toEqual([])
    })
  )

  it.effect("finds the same, in the same order, every time", () =>
    Effect.gen(function* () {
      const twins = Array.from({ length: 30 }, (_, index) => mcpTool(`s${index}`, "echo", { description: "Says it." }))
      const first = (yield* ToolSearch.make(twins)).search("echo", { limit: 30 })
      const second = (yield* ToolSearch.make(twins)).search("echo", { limit: 30 })
      expect(first.map(({ tool }) => tool.name)).toEqual(twins.map(({ name }) => name))
      expect(second).toEqual(first)
    })
  )

  it.effect("has nothing to find among no tools", () =>
    Effect.gen(function* () {
      const { search } = yield* ToolSearch.make([])
      expect(search("read file")).toEqual([])
    })
  )

  it.effect("bears names of objects' own properties, texts without end and schemas that are none", () =>
    Effect.gen(function* () {
      const odd = [
        mcpTool("constructor", "__proto__", { description: "toString ".repeat(50_000) }),
        mcpTool("odd", "hasOwnProperty", {
          inputSchema: { properties: { a: null, b: { items: [1], enum: [null, 3] } } }
        })
      ]
      const { search } = yield* ToolSearch.make(odd)
      expect(search("hasOwnProperty")[0]?.tool).toBe(odd[1])
      expect(search("constructor __proto__ toString")[0]?.tool).toBe(odd[0])
      expect(search("hasOwnProperty ".repeat(10_000))[0]?.tool).toBe(odd[1])
    })
  )

  it.live("lets the event loop go on while it indexes 10,000 tools", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 10_000 }, (_, index) =>
        mcpTool(`server${index % 100}`, `tool_${index}`, { description: `Does the thing number ${index}. `.repeat(10) })
      )
      let turns = 0
      const turn = Effect.async<void>((resume) => {
        setImmediate(() => resume(Effect.void))
      })
      const counting = yield* Effect.fork(Effect.forever(Effect.tap(turn, () => Effect.sync(() => turns++))))
      const { search } = yield* ToolSearch.make(many)
      yield* Fiber.interrupt(counting)
      expect(turns).toBeGreaterThan(20)
      expect(search("tool_7777")[0]?.tool.name).toBe("mcp__server77__tool_7777")
    })
  )
})
