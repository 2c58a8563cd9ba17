import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { CurrentModel } from "../../src/engine/model/ModelInfo.ts"
import * as SessionFiles from "../../src/engine/SessionFiles.ts"
import { layerMemory, type Service, type Session, SessionError, SessionStore } from "../../src/engine/SessionStore.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as OutputBudget from "../../src/tool/OutputBudget.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { collect, engine, mcpTool, only, registry, type Setup, tool } from "./fixture.ts"

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const shot = tool("shot", () =>
  Effect.succeed({ isError: false, text: "taken", content: [{ type: "image", data: png, mimeType: "image/png" }] })
)
const broken = mcpTool("it", "broken", { run: () => Effect.succeed(Tool.failure("no such thing")) })
const tools = [shot, tool("look"), broken]

const answers: ReadonlyArray<ScriptedModel.Turn> = [
  [
    { _tag: "reasoning", text: "two at once" },
    { _tag: "text", text: "Let me look." },
    ...ScriptedModel.calls({ name: "shot", arguments: { of: "ö" } }, { name: "mcp__it__broken" })
  ],
  ScriptedModel.text("There."),
  ScriptedModel.calls({ id: "call_1_2", name: "look", arguments: '"not an object"' }),
  ScriptedModel.text("Done.")
]

const seeing = Layer.succeed(CurrentModel, { provider: "anthropic", model: "claude-x", media: ["image"] } as const)

/** An engine that has seen nothing, as after a restart. */
const started = (model: ScriptedModel.ScriptedModel, setup: Partial<Setup> = {}) =>
  Effect.gen(function* () {
    const { service } = yield* registry(tools)
    return yield* engine({ model: model.layer, registry: service, ...setup }).pipe(Effect.provide(seeing))
  })

const inMemory = <A, E>(test: (store: Service) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(SessionStore, test), layerMemory)

describe("a conversation that is gone on with", () => {
  it.live("sends the model what it would have been sent without the interruption", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const store = yield* SessionFiles.make({ folder: yield* fs.makeTempDirectoryScoped() })
      const notices = Effect.succeed(["the server x is not usable"])

      const whole = ScriptedModel.make(answers)
      const chat = yield* Effect.flatMap(started(whole, { options: { notices } }), ({ conversation }) => conversation)
      yield* collect(
        chat.run("what is here?", { before: [{ role: "user", text: "by the way" }], attached: ["a file"] })
      )
      yield* chat.addContext("$ ls")
      yield* collect(chat.run("and now?"))

      const id = yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* store.create("/work")
          const first = yield* started(ScriptedModel.make(answers.slice(0, 2)), { options: { notices } })
          const before = yield* first.open(session)
          yield* collect(
            before.run("what is here?", { before: [{ role: "user", text: "by the way" }], attached: ["a file"] })
          )
          yield* before.addContext("$ ls")
          return session.id
        })
      )
      const resumed = ScriptedModel.make(answers.slice(2))
      const second = yield* started(resumed, { options: { notices } })
      const after = yield* second.open(yield* store.open(id))
      const events = yield* collect(after.run("and now?"))

      expect(resumed.asked).toHaveLength(2)
      expect(JSON.stringify(resumed.asked[0])).toBe(JSON.stringify(whole.asked[2]))
      expect(resumed.asked[0]?.prompt.content).toEqual(whole.asked[2]?.prompt.content)
      expect(events.at(-1)).toMatchObject({ _tag: "Done", session: id })
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )

  it.effect("with other servers tells which tools joined and left, and calls of those that are gone stay", () =>
    inMemory((store) =>
      Effect.gen(function* () {
        const session = yield* store.create("/work")
        const first = yield* started(ScriptedModel.make(answers.slice(0, 2)))
        yield* Effect.flatMap(first.open(session), (chat) => collect(chat.run("look")))
        const { events } = yield* store.read(session.id)

        const later = ScriptedModel.make([ScriptedModel.calls({ name: "mcp__it__broken" }), ScriptedModel.text("ok")])
        const { service } = yield* registry([shot, tool("look"), mcpTool("new", "one")])
        const second = yield* engine({ model: later.layer, registry: service })
        const chat = yield* second.open({ ...session, events })
        const told = only(yield* collect(chat.run("again")), "Notice").map(({ message }) => message)
        expect(told).toEqual([
          'MCP server "new" added 1 tool: mcp__new__one',
          'MCP server "it" no longer offers 1 tool: mcp__it__broken'
        ])
        const request = JSON.stringify(later.asked[0]?.prompt.content)
        expect(request).toContain("no such thing")
        expect(JSON.stringify(later.asked[1]?.prompt.content)).toContain('there is no tool \\"mcp__it__broken\\"')
      }).pipe(Effect.scoped)
    )
  )

  it.effect("after a crash says of a call that its outcome is not known", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.text("ok")])
      const session: Session = {
        id: "s",
        directory: "/work",
        append: () => Effect.void,
        events: [
          { type: "prompted", prompt: "deploy" },
          { type: "answered", parts: [{ type: "tool-call", id: "1", name: "look", arguments: {} }] }
        ]
      }
      const { open } = yield* started(script)
      yield* Effect.flatMap(open(session), (chat) => collect(chat.run("did it work?")))
      const messages = script.asked[0]?.prompt.content.slice(1) ?? []
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"])
      expect(JSON.stringify(messages[2])).toContain("Whether it was carried out is not known")
      expect(JSON.stringify(messages[3])).toContain("stopped before it was complete")
    })
  )

  it.effect("keeps the calls before they run, and what was stopped", () =>
    inMemory((store) =>
      Effect.gen(function* () {
        const session = yield* store.create("/work")
        const kinds = Effect.map(store.read(session.id), ({ events }) => events.map(({ type }) => type))
        const seen = yield* Deferred.make<ReadonlyArray<string>>()
        const slow = tool("slow", () =>
          Effect.zipRight(
            Effect.flatMap(Effect.orDie(kinds), (all) => Deferred.succeed(seen, all)),
            Effect.never
          )
        )
        const { service } = yield* registry([slow])
        const script = ScriptedModel.make([ScriptedModel.calls({ name: "slow" })])
        const { open } = yield* engine({ model: script.layer, registry: service })
        const chat = yield* open(session)
        const fiber = yield* Effect.fork(Stream.runDrain(chat.run("go")))
        expect(yield* Deferred.await(seen)).toEqual(["prompted", "offered", "answered"])
        yield* Fiber.interrupt(fiber)
        yield* collect(chat.run("and now?"))
        expect((yield* kinds).slice(3, 6)).toEqual(["returned", "ended", "prompted"])
      }).pipe(Effect.scoped)
    )
  )

  it.effect("goes on where it cannot be kept, says so once, and keeps nothing after the gap", () =>
    Effect.gen(function* () {
      const kept: Array<string> = []
      const session: Session = {
        id: "s",
        directory: "/work",
        events: [],
        append: (event) =>
          event.type === "answered"
            ? new SessionError({ kind: "unwritable", message: "the disk is full" })
            : Effect.sync(() => void kept.push(event.type))
      }
      const { open } = yield* started(ScriptedModel.make(answers))
      const chat = yield* open(session)
      const events = [...(yield* collect(chat.run("one"))), ...(yield* collect(chat.run("two")))]
      const told = only(events, "Notice").filter(({ message }) => message.includes("the disk is full"))
      expect(told).toHaveLength(1)
      expect(only(events, "Done").map(({ reason }) => reason)).toEqual(["answer", "answer"])
      expect(kept).toEqual(["prompted", "offered"])
    })
  )

  it.live("finds the whole outputs of its tools beside it", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const store = yield* SessionFiles.make({ folder: yield* fs.makeTempDirectoryScoped() })
      const session = yield* store.create("/work")
      const long = tool("long", () => OutputBudget.apply(Tool.text("x".repeat(200_000))))
      const { service } = yield* registry([long])
      const script = ScriptedModel.make([ScriptedModel.calls({ name: "long" }), ScriptedModel.text("ok")])
      const { open } = yield* engine({ model: script.layer, registry: service })
      yield* Effect.flatMap(open(session), (chat) => collect(chat.run("go")))
      const names = yield* fs.readDirectory(session.outputs ?? "")
      expect(readFileSync(join(session.outputs ?? "", names[0] ?? ""), "utf8")).toHaveLength(200_000)
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )
})

describe("a conversation that grows long", () => {
  const small = Layer.succeed(CurrentModel, { provider: "anthropic", model: "small", contextWindow: 2_000 } as const)
  const long = tool("long", () => Effect.succeed(Tool.text(`needle ${"x".repeat(6_500)}`)))

  const setUp = (turns: ReadonlyArray<ScriptedModel.Turn>, options: Setup["options"] = {}) =>
    Effect.gen(function* () {
      const script = ScriptedModel.make(turns)
      const { service } = yield* registry([long])
      const { open } = yield* engine({ model: script.layer, registry: service, options }).pipe(Effect.provide(small))
      return { script, open }
    })

  it.effect("is summed up by the model before it is too much, in the middle of a run, and whole in the session", () =>
    inMemory((store) =>
      Effect.gen(function* () {
        const session = yield* store.create("/work")
        const { open, script } = yield* setUp([
          ScriptedModel.calls({ name: "long" }),
          ScriptedModel.text("THE SUMMARY"),
          ScriptedModel.text("ok"),
          ScriptedModel.text("fine")
        ])
        const chat = yield* open(session)
        const events = yield* collect(chat.run("find the needle"))
        const [compacted] = only(events, "Compacted")
        expect(compacted?.summary).toContain("THE SUMMARY")
        expect(compacted?.tokensAfter).toBeLessThan(compacted?.tokensBefore ?? 0)
        expect(events.at(-1)).toMatchObject({ reason: "answer", text: "ok" })

        const [, asked, next] = script.asked.map(({ prompt }) => prompt.content.slice(1))
        expect(script.asked[1]?.tools).toEqual([])
        expect(JSON.stringify(asked)).toContain("needle xxx")
        expect(next?.map(({ role }) => role)).toEqual(["user"])
        expect(JSON.stringify(next)).toContain("THE SUMMARY")
        expect(JSON.stringify(next)).toContain('"find the needle"')

        const { events: kept } = yield* store.read(session.id)
        expect(JSON.stringify(kept)).toContain("needle xxx")

        yield* collect(chat.run("thanks"))
        const resumed = yield* setUp([ScriptedModel.text("fine")])
        const again = yield* resumed.open({ ...session, events: kept })
        yield* collect(again.run("thanks"))
        expect(JSON.stringify(resumed.script.asked[0])).toBe(JSON.stringify(script.asked[3]))
      }).pipe(Effect.scoped)
    )
  )

  it.effect("is not summed up below its share, or where that is switched off", () =>
    Effect.gen(function* () {
      for (const compactAt of [0, 0.99, 1]) {
        const { open, script } = yield* setUp([ScriptedModel.calls({ name: "long" }), ScriptedModel.text("ok")], {
          compactAt
        })
        const session: Session = { id: "s", directory: "/", events: [], append: () => Effect.void }
        yield* Effect.flatMap(open(session), (chat) => collect(chat.run("go")))
        expect(script.asked).toHaveLength(2)
      }
    })
  )

  it.effect("goes on whole when it cannot be summed up, and does not try again in that run", () =>
    Effect.gen(function* () {
      const { open, script } = yield* setUp([
        ScriptedModel.calls({ name: "long" }),
        ScriptedModel.httpError(400),
        ScriptedModel.calls({ name: "long" }),
        ScriptedModel.text("ok")
      ])
      const session: Session = { id: "s", directory: "/", events: [], append: () => Effect.void }
      const events = yield* Effect.flatMap(open(session), (chat) => collect(chat.run("go")))
      expect(only(events, "Notice").map(({ message }) => message)).toEqual([
        expect.stringContaining("could not be summed up, and goes on whole")
      ])
      expect(events.at(-1)).toMatchObject({ reason: "answer" })
      expect(script.asked).toHaveLength(4)
    })
  )

  it.effect("is summed up when a person asks, about what they ask", () =>
    Effect.gen(function* () {
      const { open, script } = yield* setUp([
        ScriptedModel.text("hi"),
        ScriptedModel.text("SUM"),
        ScriptedModel.text("ok")
      ])
      const session: Session = { id: "s", directory: "/", events: [], append: () => Effect.void }
      const chat = yield* open(session)
      expect(only(yield* collect(chat.compact()), "Notice")).toHaveLength(1)
      yield* collect(chat.run("hello"))
      expect(only(yield* collect(chat.compact("the names")), "Compacted")).toHaveLength(1)
      expect(JSON.stringify(script.asked[1]?.prompt)).toContain("Above all: the names")
      yield* collect(chat.run("go on"))
      const roles = script.asked[2]?.prompt.content.map(({ role }) => role)
      expect(roles).toEqual(["system", "user", "user"])
    })
  )
})
