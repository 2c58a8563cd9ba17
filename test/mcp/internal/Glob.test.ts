import { expect, it } from "@effect/vitest"
import * as Glob from "../../../src/mcp/internal/Glob.ts"

it.each([
  ["read_*", "read_file", true],
  ["read_*", "read_", true],
  ["read_*", "xread_file", false],
  ["*", "any/thing.at all", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["?", "😀", true],
  ["a.b", "axb", false],
  ["[a](b)+$", "[a](b)+$", true],
  ["", "a", false]
])("%j on %j is %j", (pattern, name, expected) => {
  expect(Glob.matcher([pattern])(name)).toBe(expected)
})

it("no pattern fits nothing, and many stars cost no time", () => {
  expect(Glob.matcher([])("a")).toBe(false)
  expect(Glob.matcher([`${"*".repeat(200)}b`])("a".repeat(20_000))).toBe(false)
})
