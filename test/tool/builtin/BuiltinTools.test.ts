import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as BuiltinTools from "../../../src/tool/BuiltinTools.ts"
import * as ModelSchema from "../../../src/tool/ModelSchema.ts"
import * as ToolRegistry from "../../../src/tool/ToolRegistry.ts"
import * as Playground from "./Playground.ts"

describe("the built-in tools", () => {
  it.scoped("come in a fixed order, and only the looking ones say that they change nothing", () =>
    Effect.gen(function* () {
      const { tools } = yield* Playground.make()
      expect(tools.map(({ hints, name }) => [name, hints.readOnly])).toEqual([
        ["bash", false],
        ["read_file", true],
        ["write_file", false],
        ["edit_file", false],
        ["glob", true],
        ["grep", true]
      ])
    })
  )

  it.effect("join the registry as a layer", () =>
    Effect.gen(function* () {
      const registry = yield* ToolRegistry.ToolRegistry
      expect((yield* registry.snapshot).tools.map(({ name }) => name)).toContain("read_file")
    }).pipe(
      Effect.provide(
        BuiltinTools.layer({ root: "." }).pipe(Layer.provideMerge(ToolRegistry.layer), Layer.provide(NodeContext.layer))
      )
    )
  )

  it.scoped("have schemas that need no repair", () =>
    Effect.gen(function* () {
      const { tools } = yield* Playground.make()
      for (const { inputSchema } of tools) {
        expect(ModelSchema.forProvider("anthropic", inputSchema)).toEqual({ schema: inputSchema, notes: [] })
      }
    })
  )

  it.scoped("name the arguments that do not fit", () =>
    Effect.gen(function* () {
      const { failure } = yield* Playground.make()
      const text = yield* failure("read_file", { offset: 0, file: "x" })
      expect(text).toMatch(/^The arguments of read_file do not fit its schema: /)
      for (const part of [/path is missing/, /offset Expected .*positive.* actual 0/, /file is unexpected/]) {
        expect(text).toMatch(part)
      }
    })
  )
})

describe("outside the working directory", () => {
  const calls: ReadonlyArray<readonly [string, object]> = [
    ["read_file", {}],
    ["write_file", { content: "x" }],
    ["edit_file", { old_string: "secret", new_string: "x" }],
    ["glob", { pattern: "*" }],
    ["grep", { pattern: "secret" }]
  ]
  for (const [name, args] of calls) {
    it.scoped(`${name} does nothing, however the path leads there`, () =>
      Effect.gen(function* () {
        const { at, base, failure } = yield* Playground.make({ "in/side.txt": "" })
        fs.mkdirSync(path.join(base, "root-beside"))
        for (const file of ["secret.txt", "root-beside/secret.txt"]) fs.writeFileSync(path.join(base, file), "secret")
        fs.symlinkSync("..", at("up"))
        fs.symlinkSync(path.join(base, "secret.txt"), at("in/link.txt"))
        const paths = [
          ...[
            "..",
            "../secret.txt",
            "in/../../secret.txt",
            path.join(base, "secret.txt"),
            "up/secret.txt",
            "in/link.txt"
          ],
          ...["../root-beside/secret.txt", "up/new/file.txt", "/etc/passwd", "../new.txt"]
        ]
        for (const outside of paths) {
          expect(yield* failure(name, { ...args, path: outside })).toContain(
            `${JSON.stringify(outside)} is outside the working directory`
          )
        }
        expect(fs.readFileSync(path.join(base, "secret.txt"), "utf8")).toBe("secret")
        expect(fs.readdirSync(base).sort()).toEqual(["root", "root-beside", "secret.txt"])
      })
    )
  }

  it.scoped("a link that leads nowhere is not written through", () =>
    Effect.gen(function* () {
      const { at, base, failure } = yield* Playground.make()
      fs.symlinkSync(path.join(base, "not-there.txt"), at("link"))
      expect(yield* failure("write_file", { path: "link", content: "x" })).toBe('"link" is a link that leads nowhere.')
      expect(yield* failure("write_file", { path: "a\0b", content: "x" })).toBe("A path cannot hold a NUL character.")
      expect(fs.existsSync(path.join(base, "not-there.txt"))).toBe(false)
    })
  )

  it.scoped("a link within it may be used, and stays a link", () =>
    Effect.gen(function* () {
      const { at, read, success } = yield* Playground.make({ "real.txt": "old" })
      fs.symlinkSync("real.txt", at("link.txt"))
      expect(yield* success("write_file", { path: "link.txt", content: "new" })).toBe("Replaced real.txt (3 bytes).")
      expect(read("real.txt")).toBe("new")
      expect(fs.lstatSync(at("link.txt")).isSymbolicLink()).toBe(true)
    })
  )
})
