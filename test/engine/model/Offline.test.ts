import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Offline from "../../../src/engine/model/Offline.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { collect, engine, only, registry, tool, writing } from "../fixture.ts"
import { tools } from "./offlineTools.ts"

/** The real lists, with tools that say how they were called. */
const all = tools.map((listed) =>
  tool(listed.name, (args) => Effect.succeed(Tool.text(`${listed.name} got ${JSON.stringify(args)}`)), listed)
)

describe("the offline model in the engine", () => {
  it.effect("calls the tool that fits, in pieces says what came of it, and that it is offline", () =>
    Effect.gen(function* () {
      const { service } = yield* registry(all)
      const { run } = yield* engine({ model: Offline.layer, registry: service })
      const events = yield* collect(run("echo the text 'hello world'"))
      expect(only(events, "ToolStarted")).toMatchObject([
        { name: "mcp__everything__echo", arguments: { message: "hello world" } }
      ])
      expect(only(events, "TextDelta").length).toBeGreaterThan(3)
      const done = only(events, "Done")[0]
      expect(done).toMatchObject({ reason: "answer", turns: 2 })
      expect(done?.text).toContain("offline model")
      expect(done?.text).toContain('mcp__everything__echo got {"message":"hello world"}')
      expect(done?.text).toBe(
        only(events, "TextDelta")
          .map((event) => event.text)
          .join("")
      )
    })
  )

  it.effect("chains the steps of a prompt, and begins anew with the next prompt", () =>
    Effect.gen(function* () {
      const { service } = yield* registry(all)
      const chat = yield* (yield* engine({ model: Offline.layer, registry: service })).conversation
      yield* collect(chat.run("echo 'a' then add 1 and 2"))
      const notices = yield* collect(chat.run("list the files in . then echo the result"))
      expect(only(notices, "ToolStarted").map((event) => [event.name, event.arguments])).toEqual([
        ["mcp__filesystem__list_directory", { path: "." }],
        ["mcp__everything__echo", { message: 'mcp__filesystem__list_directory got {"path":"."}' }]
      ])
    })
  )

  it.effect("tells plainly of a call that was not allowed", () =>
    Effect.gen(function* () {
      const { service } = yield* registry([
        tool("write_file", () => Effect.die("must not run"), { ...all[5], ...writing })
      ])
      const { run } = yield* engine({ model: Offline.layer, registry: service })
      const done = only(yield* collect(run("write 'x' to a.txt")), "Done")[0]
      expect(done).toMatchObject({ reason: "answer", text: expect.stringMatching(/failed[\s\S]*--allow/) })
    })
  )
})
