import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Argv from "../../src/cli/argv.ts"

const shapes: ReadonlyArray<Argv.OptionShape> = [
  { name: "config", value: "FILE", repeatable: false },
  { name: "allow", value: "PATTERN", repeatable: true },
  { name: "json", value: undefined, repeatable: false }
]

const names = ["", "run", "mcp list", "mcp call"]

const sorted = (...argv: ReadonlyArray<string>) =>
  Either.match(Argv.sort(argv, shapes), {
    onLeft: ({ hint, message }) => ({ message, hint }),
    onRight: ({ options, words }) => ({ words, ...Object.fromEntries(options) })
  })

describe("sort", () => {
  it("takes options before, between and after arguments", () => {
    const expected = { words: ["a", "b"], config: ["--config", "f"], json: ["--json"] }
    expect(sorted("--config", "f", "--json", "a", "b")).toEqual(expected)
    expect(sorted("a", "--config=f", "b", "--json")).toEqual(expected)
    expect(sorted("a", "b", "--json", "--config", "f")).toEqual(expected)
  })

  it("takes everything after -- as arguments", () => {
    expect(sorted("a", "--", "--json", "--", "-x")).toEqual({ words: ["a", "--json", "--", "-x"] })
  })

  it("keeps every value of a repeatable option, and the last of another", () => {
    expect(sorted("--allow", "a", "x", "--allow=b=c", "--config", "1", "--config", "2")).toEqual({
      words: ["x"],
      allow: ["--allow", "a", "--allow", "b=c"],
      config: ["--config", "2"]
    })
  })

  it("takes a lone dash, a negative number and key=value as arguments", () => {
    expect(sorted("-", "-1", "-.5", "a=--json")).toEqual({ words: ["-", "-1", "-.5", "a=--json"] })
  })

  it("takes an empty value, and one that begins with a dash", () => {
    expect(sorted("--config=", "--allow", "-x")).toEqual({
      words: [],
      config: ["--config", ""],
      allow: ["--allow", "-x"]
    })
  })

  it("says which option is unknown and which was meant", () => {
    expect(sorted("--confg", "f")).toEqual({ message: "unknown option --confg", hint: "did you mean --config?" })
    expect(sorted("-x")).toMatchObject({ message: "unknown option -x" })
  })

  it("says which option lacks its value, and which takes none", () => {
    expect(sorted("--config")).toMatchObject({ message: "--config needs a value: FILE" })
    expect(sorted("--config", "--json")).toMatchObject({ message: "--config needs a value: FILE" })
    expect(sorted("--json=1")).toMatchObject({ message: "--json takes no value" })
  })
})

describe("route", () => {
  const route = (...argv: ReadonlyArray<string>) => Argv.route(argv, names, shapes)

  it.each([
    [["run", "hi"], "run", ["hi"]],
    [["mcp", "call", "run", "list"], "mcp call", ["run", "list"]],
    [["--config", "run", "mcp", "--json", "list"], "mcp list", ["--config", "run", "--json"]],
    [["--json", "mcp", "list"], "mcp list", ["--json"]],
    [["--output", "text", "run", "hi"], "run", ["--output", "text", "hi"]],
    [["--unknown", "mcp", "list"], "mcp list", ["--unknown"]],
    [["--config=x"], "", ["--config=x"]],
    [[], "", []],
    [["--", "run"], "", ["--", "run"]]
  ])("%j is the command %j with %j", (argv, command, rest) => {
    expect(route(...argv)).toEqual({ _tag: "Found", command, rest })
  })

  it("knows the beginning of several commands", () => {
    expect(route("mcp")).toEqual({ _tag: "Group", group: "mcp" })
    expect(route("mcp", "--help")).toEqual({ _tag: "Group", group: "mcp" })
  })

  it("names the word that is no command", () => {
    expect(route("rum", "hi")).toEqual({ _tag: "Unknown", word: "rum", group: "" })
    expect(route("mcp", "lits")).toEqual({ _tag: "Unknown", word: "lits", group: "mcp" })
    expect(route("--json", "frob")).toEqual({ _tag: "Unknown", word: "frob", group: "" })
  })
})
