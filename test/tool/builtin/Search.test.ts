import * as fs from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Playground from "./Playground.ts"

const tree = {
  ".gitignore": "*.log\n/build/\n",
  "a.ts": "",
  "a/b.ts": "",
  "a/.hidden/c.ts": "",
  "a/x.log": "",
  "a/.gitignore": "!x.log\n",
  "b.log": "",
  "build/out.ts": "",
  "deep/build/kept.ts": "",
  ".git/config.ts": "",
  "node_modules/p/index.ts": ""
}

describe("glob", () => {
  it.scoped("lists sorted paths, by name at any depth or by path, without what git leaves out", () =>
    Effect.gen(function* () {
      const { success } = yield* Playground.make(tree)
      const all = "a.ts\na/.hidden/c.ts\na/b.ts\ndeep/build/kept.ts"
      expect(yield* success("glob", { pattern: "*.ts" })).toBe(all)
      expect(yield* success("glob", { pattern: "**/*.ts" })).toBe(all)
      expect(yield* success("glob", { pattern: "./a/*.ts" })).toBe("a/b.ts")
      expect(yield* success("glob", { pattern: "*.log" })).toBe("a/x.log")
      expect(yield* success("glob", { pattern: "*.{rs,go}" })).toBe("(no file fits)")
    })
  )

  it.scoped("looks in a directory, also in one that git leaves out when it is asked for", () =>
    Effect.gen(function* () {
      const { failure, success } = yield* Playground.make(tree)
      expect(yield* success("glob", { pattern: "*.ts", path: "a" })).toBe("a/.hidden/c.ts\na/b.ts")
      expect(yield* success("glob", { pattern: "*", path: "build" })).toBe("build/out.ts")
      expect(yield* success("glob", { pattern: "*", path: "node_modules/p" })).toBe("node_modules/p/index.ts")
      expect(yield* failure("glob", { pattern: "*", path: "none" })).toBe('There is no "none".')
      expect(yield* failure("glob", { pattern: "*", path: "a.ts" })).toBe('"a.ts" is not a directory.')
    })
  )

  it.scoped("follows no link, refuses a pattern that leads out, and is bounded", () =>
    Effect.gen(function* () {
      const { at, failure, success } = yield* Playground.make(
        Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`f${index}`, ""]))
      )
      fs.symlinkSync(".", at("loop"))
      const lines = (yield* success("glob", { pattern: "**" })).split("\n")
      expect(lines).toHaveLength(501)
      expect(lines.at(-1)).toBe("[500 of 501 paths: narrow the pattern]")
      for (const pattern of ["../*", "/etc/*"]) {
        expect(yield* failure("glob", { pattern })).toBe(
          `The pattern "${pattern}" must be a relative one, without "..".`
        )
      }
      expect(yield* failure("glob", { pattern: "a".repeat(70_000) })).toContain("is no usable glob pattern")
    })
  )
})

describe("grep", () => {
  const files = {
    "a.txt": "first\r\nsecond Line\nthird line",
    "b/c.md": "a line\n",
    "b/bin": new Uint8Array([0, 108, 105, 110, 101]),
    "b/wide.txt": `line ${"x".repeat(1000)}`
  }

  it.scoped("shows path, line number and text, for files and directories, skipping binary ones", () =>
    Effect.gen(function* () {
      const { success } = yield* Playground.make(files)
      expect(yield* success("grep", { pattern: "li[n]e" })).toBe(
        `a.txt:3: third line\nb/c.md:1: a line\nb/wide.txt:1: line ${"x".repeat(295)}…`
      )
      expect(yield* success("grep", { pattern: "LINE$", ignore_case: true, path: "a.txt" })).toBe(
        "a.txt:2: second Line\na.txt:3: third line"
      )
      expect(yield* success("grep", { pattern: "^first$" })).toBe("a.txt:1: first")
      expect(yield* success("grep", { pattern: "line", glob: "*.md" })).toBe("b/c.md:1: a line")
      expect(yield* success("grep", { pattern: "nothing" })).toBe("(no line fits)")
    })
  )

  it.scoped("refuses what it cannot search", () =>
    Effect.gen(function* () {
      const { failure } = yield* Playground.make(files)
      expect(yield* failure("grep", { pattern: "(" })).toContain("The pattern is no regular expression")
      expect(yield* failure("grep", { pattern: "x", path: "none" })).toBe('There is no "none".')
      expect(yield* failure("grep", { pattern: "x", path: "b/bin" })).toBe('"b/bin" is a binary file (5 bytes).')
    })
  )

  it.scoped("ends a pattern that backtracks without end", () =>
    Effect.gen(function* () {
      const { failure } = yield* Playground.make({ "a.txt": `${"a".repeat(60)}!` })
      expect(yield* failure("grep", { pattern: "^(a+)+$" })).toContain("The pattern takes too long")
    })
  )

  it.scoped("is bounded", () =>
    Effect.gen(function* () {
      const { success } = yield* Playground.make({ "a.txt": "x\n".repeat(150), "b.txt": "x\n".repeat(150) })
      const lines = (yield* success("grep", { pattern: "x" })).split("\n")
      expect(lines).toHaveLength(201)
      expect(lines.at(-1)).toBe("[the first 200 lines: narrow the pattern, the path or the glob]")
    })
  )
})
