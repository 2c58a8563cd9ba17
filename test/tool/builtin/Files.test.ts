import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OutputBudget from "../../../src/tool/OutputBudget.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import * as Playground from "./Playground.ts"

describe("read_file", () => {
  it.scoped("shows numbered lines, without byte order mark and carriage returns", () =>
    Effect.gen(function* () {
      const { success } = yield* Playground.make({ "a.txt": "\ufeffone\r\ntwo\n\nfour", "empty.txt": "" })
      expect(yield* success("read_file", { path: "a.txt" })).toBe("     1\tone\n     2\ttwo\n     3\t\n     4\tfour")
      expect(yield* success("read_file", { path: "empty.txt" })).toBe("(the file is empty)")
    })
  )

  it.scoped("reads a part, and says where to go on", () =>
    Effect.gen(function* () {
      const { failure, success } = yield* Playground.make({ "a.txt": "1\n2\n3\n4\n5\n" })
      expect(yield* success("read_file", { path: "a.txt", offset: 2, limit: 2 })).toBe(
        "     2\t2\n     3\t3\n[lines 2 to 3 of 5; go on with offset 4]"
      )
      expect(yield* success("read_file", { path: "a.txt", offset: 5 })).toBe("     5\t5")
      expect(yield* failure("read_file", { path: "a.txt", offset: 6 })).toBe('"a.txt" has 5 lines only.')
    })
  )

  it.scoped("is bounded by lines, by line length and by the output budget", () =>
    Effect.gen(function* () {
      const { success } = yield* Playground.make({
        "long.txt": "x\n".repeat(3000),
        "wide.txt": "y".repeat(5000),
        "big.txt": `${"z".repeat(1900)}\n`.repeat(1000)
      })
      expect(yield* success("read_file", { path: "long.txt" })).toMatch(
        /\[lines 1 to 2000 of 3000; go on with offset 2001\]$/
      )
      expect(yield* success("read_file", { path: "wide.txt" })).toBe(
        `     1\t${"y".repeat(2000)}… [line of 5000 characters]`
      )
      const big = yield* success("read_file", { path: "big.txt" })
      expect(big.length).toBeLessThan(100_100)
      expect(big).toMatch(/\[lines 1 to 52 of 1000; go on with offset 53\]$/)
    })
  )

  it.scoped("refuses what is no text file", () =>
    Effect.gen(function* () {
      const { at, failure } = yield* Playground.make({
        "dir/x": "",
        "zero.bin": new Uint8Array([1, 0, 2]),
        "latin1.txt": new Uint8Array([0x67, 0xfc, 0x6e])
      })
      execFileSync("mkfifo", [at("pipe")])
      expect(yield* failure("read_file", { path: "none.txt" })).toBe('There is no "none.txt".')
      expect(yield* failure("read_file", { path: "dir" })).toBe('"dir" is a directory: list it with glob.')
      expect(yield* failure("read_file", { path: "zero.bin" })).toBe('"zero.bin" is a binary file (3 bytes).')
      expect(yield* failure("read_file", { path: "latin1.txt" })).toBe('"latin1.txt" is no UTF-8 text (3 bytes).')
      expect(yield* failure("read_file", { path: "pipe" })).toBe('"pipe" is not a regular file.')
      fs.writeFileSync(at("huge"), "")
      fs.truncateSync(at("huge"), 65 * 1024 * 1024)
      expect(yield* failure("read_file", { path: "huge" })).toContain("search it with grep, or read a part with bash")
    })
  )

  it.scoped("reads a whole output that was put aside", () =>
    Effect.gen(function* () {
      const { base, run } = yield* Playground.make()
      const settings = { maxCharacters: 200, directory: `${base}/aside` }
      const result = yield* Effect.gen(function* () {
        const { text } = yield* OutputBudget.apply(Tool.text(`${"x".repeat(300)}\nlast`))
        return yield* run("read_file", { path: /in (\S+\.txt):/.exec(text)?.[1] ?? "", offset: 2 })
      }).pipe(Effect.provideService(OutputBudget.OutputBudget, settings))
      expect(result).toMatchObject({ isError: false, text: "     2\tlast" })
    })
  )
})

describe("write_file", () => {
  it.scoped("creates directories, replaces at once, keeps the mode and leaves nothing behind", () =>
    Effect.gen(function* () {
      const { at, read, success } = yield* Playground.make()
      expect(yield* success("write_file", { path: "a/b/c.sh", content: "ü\n" })).toBe("Created a/b/c.sh (3 bytes).")
      fs.chmodSync(at("a/b/c.sh"), 0o750)
      expect(yield* success("write_file", { path: "a/b/c.sh", content: "" })).toBe("Replaced a/b/c.sh (0 bytes).")
      expect(read("a/b/c.sh")).toBe("")
      expect(fs.statSync(at("a/b/c.sh")).mode & 0o777).toBe(0o750)
      expect(fs.readdirSync(at("a/b"))).toEqual(["c.sh"])
    })
  )

  it.scoped("refuses a directory, and a path through a file", () =>
    Effect.gen(function* () {
      const { failure, read } = yield* Playground.make({ "dir/x": "", file: "kept" })
      expect(yield* failure("write_file", { path: "dir", content: "" })).toBe(
        '"dir" is not a file: it cannot be written.'
      )
      expect(yield* failure("write_file", { path: "file/x", content: "" })).toContain('"file/x" could not be used')
      expect(read("file")).toBe("kept")
    })
  )
})

describe("edit_file", () => {
  const edit = (old_string: string, new_string: string, more = {}) => ({
    path: "a.txt",
    old_string,
    new_string,
    ...more
  })

  it.scoped("replaces the one occurrence, patterns and dollar signs taken as they are", () =>
    Effect.gen(function* () {
      const { read, success } = yield* Playground.make({ "a.txt": "one\na.b(c)\nthree" })
      expect(yield* success("edit_file", edit("a.b(c)", "$& $1 x"))).toBe("Replaced 1 occurrence in a.txt, line 2.")
      expect(read("a.txt")).toBe("one\n$& $1 x\nthree")
    })
  )

  it.scoped("says where an ambiguous text occurs, and replaces all on demand", () =>
    Effect.gen(function* () {
      const { failure, read, success } = yield* Playground.make({ "a.txt": "x\ny\nx\nx x" })
      expect(yield* failure("edit_file", edit("x", "z"))).toBe(
        'old_string occurs 4 times in "a.txt", lines 1, 3, 4, 4: give more of the text around it, or set replace_all.'
      )
      expect(read("a.txt")).toBe("x\ny\nx\nx x")
      expect(yield* success("edit_file", edit("x", "z", { replace_all: true }))).toBe(
        "Replaced 4 occurrences in a.txt, lines 1, 3, 4, 4."
      )
      expect(read("a.txt")).toBe("z\ny\nz\nz z")
    })
  )

  it.scoped("keeps CRLF, a byte order mark and mixed line ends", () =>
    Effect.gen(function* () {
      const { read, success } = yield* Playground.make({ "a.txt": "\ufeffone\r\ntwo\r\nthree\n" })
      yield* success("edit_file", edit("one\ntwo", "1\n2"))
      expect(read("a.txt")).toBe("\ufeff1\r\n2\r\nthree\n")
      yield* success("edit_file", edit("2", "2\n2b"))
      expect(read("a.txt")).toBe("\ufeff1\r\n2\r\n2b\r\nthree\n")
    })
  )

  it.scoped("a text that is not there is told, with the line that differs in white space alone", () =>
    Effect.gen(function* () {
      const { failure } = yield* Playground.make({ "a.txt": "x\n\tif (a) {\n\t\tb()\n" })
      expect(yield* failure("edit_file", edit("  if (a) {\n    b()", "c"))).toBe(
        'old_string does not occur in "a.txt". Line 2 is the same but for white space.'
      )
      expect(yield* failure("edit_file", edit("nothing", "c"))).toBe(
        'old_string does not occur in "a.txt". Read the file and copy the text from there.'
      )
      expect(yield* failure("edit_file", edit("x", "x"))).toBe("old_string and new_string are the same.")
      expect(yield* failure("edit_file", edit("", "x"))).toContain("old_string Expected")
      expect(yield* failure("edit_file", { ...edit("x", "y"), path: "none" })).toBe('There is no "none".')
    })
  )

  it.scoped("edits of one file at once are all kept", () =>
    Effect.gen(function* () {
      const words = Array.from({ length: 20 }, (_, index) => `word${index};`)
      const { read, success } = yield* Playground.make({ "a.txt": words.join("\n") })
      yield* Effect.forEach(words, (word) => success("edit_file", edit(word, word.toUpperCase())), {
        concurrency: "unbounded"
      })
      expect(read("a.txt")).toBe(words.join("\n").toUpperCase())
    })
  )
})
