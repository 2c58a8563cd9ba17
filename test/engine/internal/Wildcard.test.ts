import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Wildcard from "../../../src/engine/internal/Wildcard.ts"

const any: Wildcard.Span = { allows: () => true }
const segment: Wildcard.Span = { allows: (text, index) => text.charAt(index) !== "/" }
const relative: Wildcard.Span = { allows: () => true, begins: (text, index) => text.charAt(index) !== "/" }
const paths: Wildcard.Wildcards = { one: segment, many: relative, folders: relative }

/** The same in regular expressions, which may take for ever. */
const expressions: Readonly<Record<string, string>> = {
  "*": "[^/]*",
  "**": "(?:[^/][^]*)?",
  "**/": "(?:[^/][^]*/)?",
  "/": "/",
  a: "a",
  ab: "ab",
  "\\*": "\\*",
  "\\\\": "\\\\"
}

/** No token beside another that would make a third of the two. */
const patterns = FastCheck.array(FastCheck.constantFrom(...Object.keys(expressions)), { maxLength: 6 }).filter(
  (tokens) => tokens.every((token, index) => !token.startsWith("*") || !/\*$|\*\/$/.test(tokens[index - 1] ?? ""))
)
const notJoined = (tokens: ReadonlyArray<string>) =>
  tokens.every((token, index) => token !== "/" || tokens[index - 1] !== "**")
const texts = FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "/", "*", "\\"), maxLength: 8 })

describe("Wildcard", () => {
  it("matches what the regular expression of the same meaning does", () => {
    FastCheck.assert(
      FastCheck.property(patterns.filter(notJoined), texts, (tokens, text) => {
        const expression = new RegExp(`^${tokens.map((token) => expressions[token]).join("")}$`)
        expect(Wildcard.matches(tokens.join(""), text, paths)).toBe(expression.test(text))
      }),
      { numRuns: 2000 }
    )
  })

  it("takes a text as it is once its stars and backslashes are escaped", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), FastCheck.string(), (text, other) => {
        const pattern = text.replace(/[*\\]/g, "\\$&")
        expect(Wildcard.matches(pattern, text, paths)).toBe(true)
        expect(Wildcard.matches(pattern, other, paths)).toBe(other === text)
      })
    )
  })

  it("is done with a pattern over which a search that goes back would take for ever", () => {
    const wildcards = { one: any, many: any, folders: any }
    expect(Wildcard.matches(`${"*a".repeat(60)}b`, "a".repeat(2000), wildcards)).toBe(false)
    expect(Wildcard.matches(`${"**/".repeat(60)}b`, "a/".repeat(1000), wildcards)).toBe(false)
  })
})
