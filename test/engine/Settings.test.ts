import { readFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import * as Effect from "effect/Effect"
import * as SettingsSchema from "../../src/engine/internal/SettingsSchema.ts"
import * as Settings from "../../src/engine/Settings.ts"

/** A project and a home with these files, and what they settle. */
const loaded = (files: { readonly project?: string; readonly user?: string; readonly managed?: string }) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    const places = {
      project: `${folder}/project/harness9.json`,
      user: `${folder}/config/harness9/harness9.json`,
      managed: `${folder}/etc/managed.json`
    }
    for (const name of ["project", "user", "managed"] as const) {
      yield* fs.makeDirectory(places[name].replace(/\/[^/]*$/, ""), { recursive: true })
      if (files[name] !== undefined) yield* fs.writeFileString(places[name], files[name])
    }
    const env = { XDG_CONFIG_HOME: `${folder}/config`, HARNESS9_MANAGED: places.managed }
    return { ...(yield* Settings.load({ cwd: `${folder}/project`, env })), places }
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))

describe("Settings", () => {
  it.effect("say when a conversation is summed up, the project's before the user's", () =>
    Effect.gen(function* () {
      const both = yield* loaded({ project: '{ "compactAt": 0.5 }', user: '{ "compactAt": 0.9 }' })
      expect(Settings.compactAt(both)).toBe(0.5)
      expect(Settings.compactAt(yield* loaded({ project: "{}", user: '{ "compactAt": 0 }' }))).toBe(0)
      expect(Settings.compactAt(yield* loaded({}))).toBeUndefined()
      for (const wrong of ["80", '"a lot"']) {
        const error = yield* Effect.flip(loaded({ project: `{ "compactAt": ${wrong} }` }))
        expect(error.message).toContain("compactAt must be a number from 0 to 1 (line 1")
      }
    })
  )

  it.effect("are the administrator's, the user's and the project's, in that order", () =>
    Effect.gen(function* () {
      const { files, problems } = yield* loaded({
        project: '{ "permissions": { "allow": ["bash(ls)"] } }',
        user: '// mine\n{ "permissions": { "deny": ["bash"], }, }',
        managed: '{ "deny": [{ "name": "x" }], "permissions": { "ask": ["*"] } }'
      })
      expect(files.map(({ content, scope }) => [scope, content.permissions])).toEqual([
        ["managed", { ask: ["*"] }],
        ["user", { deny: ["bash"] }],
        ["project", { allow: ["bash(ls)"] }]
      ])
      expect(problems).toEqual([])
    })
  )

  it.effect("set limits for all servers: a project lowers those of the user, and raises none", () =>
    Effect.gen(function* () {
      const both = yield* loaded({
        user: '{ "limits": { "maxTools": 50, "maxPages": 5000 } }',
        project:
          '{ "limits": { "maxTools": 10, "maxPages": 9000, "messagesPerSecond": 100, "maxConcurrentCalls": 1000 } }'
      })
      expect(both.problems).toEqual([])
      expect(Settings.limits(both)).toEqual({ maxTools: 10, maxPages: 5000, messagesPerSecond: 100 })
      expect(Settings.limits(yield* loaded({}))).toEqual({})
      const wrong = yield* Effect.flip(loaded({ user: '{ "limits": { "maxTools": 0 } }' }))
      expect(wrong.message).toMatch(/limits\.maxTools must be a whole number of at least 1 \(line 1/)
    })
  )

  it.effect("no file settles nothing", () =>
    Effect.gen(function* () {
      expect(yield* loaded({})).toMatchObject({ files: [], problems: [] })
    })
  )

  it.effect("a rule knows its line", () =>
    Effect.gen(function* () {
      const { files } = yield* loaded({
        project: '{\n  "permissions": {\n    "deny": [\n      "a",\n      "b"\n    ] } }'
      })
      expect(files[0]?.lineOf(["permissions", "deny", 1])).toBe(5)
    })
  )

  it.effect("a key that nobody knows is told with its place, and the rest counts", () =>
    Effect.gen(function* () {
      const { files, places, problems } = yield* loaded({
        project: '{\n  "permisions": {},\n  "permissions": { "denied": ["x"], "deny": ["bash"] }\n}'
      })
      expect(problems).toEqual([
        { path: places.project, message: 'unknown key ignored: "permisions" (line 2, column 3)' },
        { path: places.project, message: 'unknown key ignored: "denied" (line 3, column 20)' }
      ])
      expect(files[0]?.content.permissions).toEqual({ deny: ["bash"] })
    })
  )

  it.effect.each([
    ['{\n  "permissions": {\n}', "harness9.json:3:2: a closing } is expected here (line 3, column 2)"],
    ['{ "permissions": { "deny": "bash" } }', "permissions.deny must be a list of patterns (line 1, column 28)"],
    ['{ "permissions": { "deny": [5] } }', "permissions.deny.0 must be a text that is not empty (line 1, column 29)"],
    ['{ "permissions": 5 }', 'permissions must be an object of lists: "allow", "ask", "deny" (line 1, column 18)'],
    ["[]", "the file must hold an object (line 1, column 1)"]
  ] as const)("%j is an error with its place", ([project, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(loaded({ project }))
      expect(error.message).toContain(message)
    })
  )
})

describe("the JSON Schema of harness9.json", () => {
  const accepts = new Ajv({ strict: false }).compile(SettingsSchema.make())

  it("is current and part of the package: npm run schema writes it", () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
    expect(read("schema/harness9.schema.json")).toBe(`${JSON.stringify(SettingsSchema.make(), null, 2)}\n`)
    const path = "./schema/harness9.schema.json"
    expect(JSON.parse(read("package.json")).exports[path]).toBe(path)
  })

  it("accepts rules and marks what would not be read", () => {
    expect(accepts({ permissions: { allow: ["bash(npm test*)"], ask: [], deny: ["mcp__*__delete_*"] } })).toBe(true)
    for (const wrong of [{ permission: {} }, { permissions: { deny: "x" } }, { permissions: { denied: [] } }, []]) {
      expect(accepts(wrong)).toBe(false)
    }
  })
})
