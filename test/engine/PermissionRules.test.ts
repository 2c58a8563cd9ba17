import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PermissionRules from "../../src/engine/PermissionRules.ts"
import * as Trust from "../../src/mcp/Trust.ts"
import { folder } from "../e2e/cli.ts"

const commented = `{
  // what may run here
  "permissions": {
    "deny": ["bash(rm *)"], // never
    "allow": [
      "bash(npm test*)", // the tests
      /* what else */
      "write_file(src/**)"
    ]
  }
}
`

/** A project, a person without files, and what that person has agreed to. */
const project = Effect.gen(function* () {
  const cwd = yield* folder
  const options = { cwd, env: { HOME: yield* folder, HARNESS9_MANAGED: join(cwd, "managed.json") } }
  const layer = Layer.merge(Trust.layerFile(join(yield* folder, "approvals.json")), NodeFileSystem.layer)
  return {
    file: join(cwd, "harness9.json"),
    always: (pattern: string) => Effect.provide(PermissionRules.add(pattern, options), layer),
    load: Effect.map(Effect.provide(PermissionRules.load(options), layer), ({ rules, waiting }) => ({
      rules: rules.map(({ action, pattern }) => `${action} ${pattern.source}`),
      waiting: waiting.map(({ line, pattern }) => `${line} ${pattern.source}`)
    }))
  }
})

describe("always", () => {
  it.live("writes the rule behind the others, leaves the rest of the file as it was, and counts from then on", () =>
    Effect.gen(function* () {
      const { always, file, load } = yield* project
      writeFileSync(file, commented)
      yield* always("bash(make \\*)")
      expect(readFileSync(file, "utf8")).toBe(
        commented.replace('"write_file(src/**)"\n', '"write_file(src/**)",\n      "bash(make \\\\*)"\n')
      )
      expect(yield* load).toEqual({
        rules: ["deny bash(rm *)", "allow bash(make \\*)"],
        waiting: ["6 bash(npm test*)", "8 write_file(src/**)"]
      })
    }).pipe(Effect.scoped)
  )

  it.live("of what the file allows already agrees to it, and writes nothing", () =>
    Effect.gen(function* () {
      const { always, file, load } = yield* project
      writeFileSync(file, commented)
      yield* always("write_file(src/**)")
      expect(readFileSync(file, "utf8")).toBe(commented)
      expect((yield* load).rules).toContain("allow write_file(src/**)")
    }).pipe(Effect.scoped)
  )

  it.live("makes the file where there is none", () =>
    Effect.gen(function* () {
      const { always, file, load } = yield* project
      yield* always("mcp__it__echo")
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ permissions: { allow: ["mcp__it__echo"] } })
      expect(yield* load).toEqual({ rules: ["allow mcp__it__echo"], waiting: [] })
    }).pipe(Effect.scoped)
  )

  it.live("leaves a file that cannot be understood as it is", () =>
    Effect.gen(function* () {
      const { always, file } = yield* project
      for (const text of ['{ "permissions": ', '{ "permissions": [] }', '{ "permissions": { "allow": {} } }']) {
        writeFileSync(file, text)
        expect((yield* Effect.flip(always("bash(ls)"))).message).toContain(file)
        expect(readFileSync(file, "utf8")).toBe(text)
      }
    }).pipe(Effect.scoped)
  )
})
