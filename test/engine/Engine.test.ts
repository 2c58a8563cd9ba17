import type * as Prompt from "@effect/ai/Prompt"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { EngineEvent } from "../../src/engine/EngineEvent.ts"
import { CurrentModel } from "../../src/engine/model/ModelInfo.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { collect, engine, mcpTool, only, registry, tool, writing } from "./fixture.ts"

/** A message as `role: text`, for reading in an expectation. */
const line = (message: Prompt.Message): string => {
  if (message.role === "system") return `system: ${message.content}`
  const parts = message.content.map((part) => {
    if (part.type === "text") return part.text
    if (part.type === "tool-call") return `call ${part.name} ${JSON.stringify(part.params)}`
    if (part.type === "tool-result") return `result ${part.isFailure ? "failed " : ""}${part.result}`
    return part.type
  })
  return `${message.role}: ${parts.join(" | ")}`
}
const conversationOf = (asked: ScriptedModel.Asked | undefined) =>
  (asked?.prompt.content ?? []).filter((message) => message.role !== "system").map(line)

const until = (tag: EngineEvent["_tag"], seen: Deferred.Deferred<void>) => (event: EngineEvent) =>
  event._tag === tag ? Deferred.succeed(seen, undefined) : Effect.void

describe("a run", () => {
  it.effect("answers without tools", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.text("Good ", "day.")])
      const { service } = yield* registry([])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("Hello"))
      expect(events.map((event) => event._tag)).toEqual(["TurnStarted", "TextDelta", "TextDelta", "Usage", "Done"])
      expect(events.at(-1)).toMatchObject({ reason: "answer", text: "Good day.", turns: 1 })
      expect(conversationOf(script.asked[0])).toEqual(["user: Hello"])
    })
  )

  it.effect("calls what the model calls, gives it the results and answers", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.calls({ name: "mcp__everything__echo", arguments: { message: "hi" } }),
        ScriptedModel.text("It said hi.")
      ])
      const echo = mcpTool("everything", "echo", { run: (args) => Effect.succeed(Tool.text(`Echo: ${args.message}`)) })
      const { service } = yield* registry([echo])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("echo hi"))
      expect(only(events, "ToolStarted")).toMatchObject([
        { name: "mcp__everything__echo", server: "everything", arguments: { message: "hi" } }
      ])
      expect(only(events, "ToolFinished")).toMatchObject([{ result: { text: "Echo: hi" }, denied: false }])
      expect(conversationOf(script.asked[1])).toEqual([
        "user: echo hi",
        'assistant: call mcp__everything__echo {"message":"hi"}',
        "tool: result Echo: hi"
      ])
    })
  )

  it.effect("runs the calls of a turn at the same time and gives the results back in their order", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.calls({ name: "slow" }, { name: "quick" }, { name: "middle" }),
        ScriptedModel.text("done")
      ])
      const taking = (name: string, seconds: number) =>
        tool(name, () => Effect.as(Effect.sleep(`${seconds} seconds`), Tool.text(name)))
      const { service } = yield* registry([taking("slow", 3), taking("quick", 1), taking("middle", 2)])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const fiber = yield* Effect.fork(collect(run("go")))
      yield* TestClock.adjust("3 seconds")
      const events = yield* Fiber.join(fiber)
      expect(only(events, "ToolFinished").map((event) => [event.name, event.durationMs])).toEqual([
        ["quick", 1000],
        ["middle", 2000],
        ["slow", 3000]
      ])
      expect(conversationOf(script.asked[1]).at(-1)).toBe("tool: result slow | result quick | result middle")
    })
  )

  it.effect("goes on after a failed call, whose result says that it failed", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.calls({ name: "broken" }), ScriptedModel.text("It broke.")])
      const { service } = yield* registry([tool("broken", () => Effect.succeed(Tool.failure("no such file")))])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("go"))
      expect(events.at(-1)).toMatchObject({ reason: "answer", text: "It broke." })
      expect(conversationOf(script.asked[1]).at(-1)).toBe("tool: result failed Error: no such file")
    })
  )

  it.effect.each([
    ["a tool that is not there", { name: "nothing", arguments: { a: 1 } }, 'there is no tool "nothing"'],
    ["arguments that are no JSON", { name: "known", arguments: '{"a":' }, "not a JSON object"],
    ["arguments that are no object", { name: "known", arguments: "[1]" }, "not a JSON object"]
  ] as const)("tells the model of %s instead of ending", ([_, call, message]) =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.calls(call), ScriptedModel.text("I see.")])
      const { service } = yield* registry([tool("known")])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("go"))
      expect(events.at(-1)).toMatchObject({ reason: "answer", text: "I see." })
      expect(conversationOf(script.asked[1]).at(-1)).toContain(message)
    })
  )

  it.effect("takes arguments that come as a string of JSON", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.calls({ name: "known", arguments: JSON.stringify(JSON.stringify({ a: 1 })) }),
        ScriptedModel.text("ok")
      ])
      const { service } = yield* registry([tool("known", (args) => Effect.succeed(Tool.text(JSON.stringify(args))))])
      const { run } = yield* engine({ model: script.layer, registry: service })
      expect(only(yield* collect(run("go")), "ToolFinished")).toMatchObject([{ result: { text: '{"a":1}' } }])
    })
  )

  it.effect("gives every call an id of its own, whatever the model numbers", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.calls({ id: "1", name: "t" }, { id: "1", name: "t" }),
        ScriptedModel.calls({ id: "1", name: "t" }),
        ScriptedModel.text("ok")
      ])
      const { service } = yield* registry([tool("t")])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const ids = only(yield* collect(run("go")), "ToolFinished").map((event) => event.id)
      expect(new Set(ids).size).toBe(3)
    })
  )

  it.effect("ends when its turns are used up", () =>
    Effect.gen(function* () {
      const call = ScriptedModel.calls({ name: "t" })
      const script = ScriptedModel.make([call, call, call])
      const { service } = yield* registry([tool("t")])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("go", { maxTurns: 2 }))
      expect(events.at(-1)).toMatchObject({ reason: "max-turns", turns: 2 })
      expect(script.asked).toHaveLength(2)
    })
  )

  it.effect("shows the progress of a call", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.calls({ name: "t" }), ScriptedModel.text("ok")])
      const slow = tool("t", (_, { onProgress }) =>
        Effect.as(onProgress?.({ progress: 1, total: 2, message: "half" }) ?? Effect.void, Tool.text("ok"))
      )
      const { service } = yield* registry([slow])
      const { run } = yield* engine({ model: script.layer, registry: service })
      expect(only(yield* collect(run("go")), "ToolProgress")).toMatchObject([
        { progress: 1, total: 2, message: "half" }
      ])
    })
  )

  it.effect("tells the model and the person what would allow a call that was denied", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.calls({ name: "write" }), ScriptedModel.text("Not allowed.")])
      const { service } = yield* registry([tool("write", () => Effect.die("must not run"), writing)])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("go"))
      expect(only(events, "ToolFinished")).toMatchObject([{ denied: true, result: { isError: true } }])
      expect(conversationOf(script.asked[1]).at(-1)).toContain("--allow write")
    })
  )

  it.effect("ends with an error when something breaks that should not", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.calls({ name: "t" })])
      const { service } = yield* registry([tool("t", () => Effect.die(new Error("a bug")))])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("go"))
      expect(events.at(-1)).toMatchObject({ _tag: "Done", reason: "error", error: expect.stringContaining("a bug") })
    })
  )
})

describe("names and tools", () => {
  it.effect("a name that the API refuses is given in its short form and mapped back", () =>
    Effect.gen(function* () {
      const name = `mcp__server__${"long_".repeat(20)}`
      const script = ScriptedModel.make([])
      const { service } = yield* registry([tool(name)])
      yield* collect((yield* engine({ model: script.layer, registry: service })).run("what is there?"))
      const modelName = script.asked[0]?.tools[0] ?? ""
      expect(modelName).toHaveLength(64)
      const second = ScriptedModel.make([ScriptedModel.calls({ name: modelName }), ScriptedModel.text("ok")])
      const { run } = yield* engine({ model: second.layer, registry: service })
      expect(only(yield* collect(run("go")), "ToolFinished")).toMatchObject([{ name, result: { isError: false } }])
    })
  )

  it.effect("a turn keeps the tools that it began with; the next one tells what joined and left", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.calls({ name: "mcp__a__swap" }, { name: "mcp__a__old" }),
        ScriptedModel.text("ok")
      ])
      const tools = yield* registry([])
      const swapped = yield* Deferred.make<void>()
      const swap = mcpTool("a", "swap", {
        run: () =>
          tools
            .set([mcpTool("b", "fresh")])
            .pipe(Effect.zipRight(Deferred.succeed(swapped, undefined)), Effect.as(Tool.text("swapped")))
      })
      const old = mcpTool("a", "old", { run: () => Effect.as(Deferred.await(swapped), Tool.text("old ran")) })
      yield* tools.set([swap, old])
      const { run } = yield* engine({ model: script.layer, registry: tools.service })
      const events = yield* collect(run("go"))
      expect(conversationOf(script.asked[1]).slice(-2)).toEqual([
        "tool: result swapped | result old ran",
        'user: [harness9] MCP server "b" added 1 tool: mcp__b__fresh | ' +
          '[harness9] MCP server "a" no longer offers 2 tools: mcp__a__swap, mcp__a__old'
      ])
      expect(only(events, "Notice")).toHaveLength(2)
      expect(script.asked.map((asked) => asked.tools)).toEqual([["mcp__a__swap", "mcp__a__old"], ["mcp__b__fresh"]])
    })
  )

  it.effect("more tools than one request takes are left out in registry order, and it is said", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([])
      const { service } = yield* registry(["a", "b", "c"].map((name) => tool(name)))
      const limited = Layer.merge(
        script.layer,
        Layer.succeed(CurrentModel, { provider: "openai", model: "x", maxTools: 2 })
      )
      const events = yield* collect((yield* engine({ model: limited, registry: service })).run("go"))
      expect(script.asked[0]?.tools).toEqual(["a", "b"])
      expect(only(events, "Notice")).toMatchObject([{ message: expect.stringContaining("2 of 3 tools") }])
    })
  )

  it.effect("a notice is told once", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.calls({ name: "t" }),
        ScriptedModel.text("ok"),
        ScriptedModel.text("ok")
      ])
      const { service } = yield* registry([tool("t")])
      const notices = Effect.succeed(['MCP server "x" failed: no such file'])
      const { conversation } = yield* engine({ model: script.layer, registry: service, options: { notices } })
      const chat = yield* conversation
      const events = [...(yield* collect(chat.run("one"))), ...(yield* collect(chat.run("two")))]
      expect(only(events, "Notice")).toHaveLength(1)
      expect(conversationOf(script.asked[0])).toEqual([
        "user: one",
        'user: [harness9] MCP server "x" failed: no such file'
      ])
    })
  )

  it.effect("the system prompt holds the directory and a bounded part of what servers say", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([])
      const { service } = yield* registry([])
      const options = { directory: "/some/where", systemContext: Effect.succeed("x".repeat(100_000)) }
      yield* collect((yield* engine({ model: script.layer, registry: service, options })).run("hi"))
      const system = line(script.asked[0]?.prompt.content[0] as Prompt.Message)
      expect(system).toContain("/some/where")
      expect(system.length).toBeLessThan(30_000)
    })
  )
})

describe("a model that cannot be asked", () => {
  const turn = ScriptedModel.text("at last")

  it.effect("is asked again after the time that it names, and each retry is shown", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.httpError(429, { headers: { "retry-after": "7" }, body: '{"error":{"message":"slow down"}}' }),
        ScriptedModel.httpError(529),
        turn
      ])
      const { service } = yield* registry([])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const fiber = yield* Effect.fork(collect(run("go")))
      yield* TestClock.adjust("6 seconds")
      expect(script.asked).toHaveLength(1)
      yield* TestClock.adjust("3 seconds")
      const events = yield* Fiber.join(fiber)
      expect(only(events, "ModelRetry")).toMatchObject([{ attempt: 1, delayMs: 7000 }, { attempt: 2 }])
      expect(only(events, "ModelRetry")[0]?.reason).toContain("slow down")
      expect(events.at(-1)).toMatchObject({ reason: "answer", text: "at last" })
    })
  )

  it.effect("is given up after five retries", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make(Array.from({ length: 10 }, () => ScriptedModel.httpError(503)))
      const { service } = yield* registry([])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const fiber = yield* Effect.fork(collect(run("go")))
      yield* TestClock.adjust("2 minutes")
      const events = yield* Fiber.join(fiber)
      expect(only(events, "ModelRetry")).toHaveLength(5)
      expect(events.at(-1)).toMatchObject({ reason: "error", error: expect.stringContaining("overloaded (503)") })
    })
  )

  it.effect.each([
    [400, '{"error":{"message":"tools.3.name is wrong"}}', "tools.3.name is wrong"],
    [401, '{"error":{"message":"bad key sk-secret"}}', "the key was refused (401)"],
    [404, '{"error":{"message":"no such model"}}', "no such model"]
  ] as const)("ends the run with the reason at once: %s", ([status, body, message]) =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.httpError(status, { body }), turn])
      const { service } = yield* registry([])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("go"))
      expect(events.at(-1)).toMatchObject({ reason: "error", error: expect.stringContaining(message) })
      expect(JSON.stringify(events)).not.toContain("sk-secret")
      expect(script.asked).toHaveLength(1)
    })
  )

  it.effect("is not asked again once a person has seen a part of the answer", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([[...ScriptedModel.text("Half of"), ...ScriptedModel.httpError(500)], turn])
      const { service } = yield* registry([])
      const { conversation } = yield* engine({ model: script.layer, registry: service })
      const chat = yield* conversation
      const events = yield* collect(chat.run("go"))
      expect(only(events, "TextDelta").map((event) => event.text)).toEqual(["Half of"])
      expect(events.at(-1)).toMatchObject({ reason: "error" })
      yield* collect(chat.run("again"))
      expect(conversationOf(script.asked[1])).toEqual([
        "user: go",
        "assistant: Half of",
        "user: [harness9] The run before this message was stopped before it was complete. | again"
      ])
    })
  )

  it.effect("is asked again when its answer ends without having begun", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([[{ _tag: "stop" }], turn])
      const { service } = yield* registry([])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const fiber = yield* Effect.fork(collect(run("go")))
      yield* TestClock.adjust("2 seconds")
      expect((yield* Fiber.join(fiber)).at(-1)).toMatchObject({ reason: "answer", text: "at last" })
    })
  )
})

describe("interruption", () => {
  it.effect("inside the model's answer keeps what was said and tells the model next time", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([[...ScriptedModel.text("Let me"), { _tag: "hang" }], ScriptedModel.text("ok")])
      const { service } = yield* registry([])
      const { conversation } = yield* engine({ model: script.layer, registry: service })
      const chat = yield* conversation
      const seen = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(Stream.runForEach(chat.run("go"), until("TextDelta", seen)))
      yield* Deferred.await(seen)
      yield* Fiber.interrupt(fiber)
      yield* collect(chat.run("and now?"))
      expect(conversationOf(script.asked[1])).toEqual([
        "user: go",
        "assistant: Let me",
        "user: [harness9] The run before this message was stopped before it was complete. | and now?"
      ])
    })
  )

  it.effect("during calls stops those that run and keeps those that had finished", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        ScriptedModel.calls({ name: "quick" }, { name: "endless" }),
        ScriptedModel.text("ok")
      ])
      const stopped = yield* Deferred.make<void>()
      const endless = tool("endless", () =>
        Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))
      )
      const { service } = yield* registry([tool("quick"), endless])
      const { conversation } = yield* engine({ model: script.layer, registry: service })
      const chat = yield* conversation
      const seen = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(Stream.runForEach(chat.run("go"), until("ToolFinished", seen)))
      yield* Deferred.await(seen)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
      yield* collect(chat.run("and now?"))
      expect(conversationOf(script.asked[1])[2]).toBe(
        "tool: result quick ran | result failed Error: The person stopped this call before it had finished."
      )
    })
  )

  it.effect("by the run's own option ends the stream with what was stopped and a last event", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.calls({ name: "endless" })])
      const cancel = yield* Deferred.make<void>()
      const endless = tool("endless", () => Effect.zipRight(Deferred.succeed(cancel, undefined), Effect.never))
      const { service } = yield* registry([endless])
      const { run } = yield* engine({ model: script.layer, registry: service })
      const events = yield* collect(run("go", { cancel: Deferred.await(cancel) }))
      expect(events.slice(-2)).toMatchObject([
        { _tag: "ToolFinished", name: "endless", result: { isError: true } },
        { _tag: "Done", reason: "cancelled" }
      ])
    })
  )
})

describe("a conversation", () => {
  it.effect("remembers, takes context from outside, and forgets", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([ScriptedModel.text("a"), ScriptedModel.text("b"), ScriptedModel.text("c")])
      const { service } = yield* registry([])
      const chat = yield* (yield* engine({ model: script.layer, registry: service })).conversation
      yield* collect(chat.run("one"))
      yield* chat.addContext("$ ls\nREADME.md")
      yield* collect(chat.run("two"))
      expect(conversationOf(script.asked[1])).toEqual([
        "user: one",
        "assistant: a",
        "user: [harness9] From the person:\n$ ls\nREADME.md | two"
      ])
      yield* chat.clear
      yield* collect(chat.run("three"))
      expect(conversationOf(script.asked[2])).toEqual(["user: three"])
    })
  )

  it.effect("runs one prompt after the other", () =>
    Effect.gen(function* () {
      const script = ScriptedModel.make([
        [{ _tag: "wait", duration: "1 second" }, ...ScriptedModel.text("a")],
        ScriptedModel.text("b")
      ])
      const { service } = yield* registry([])
      const chat = yield* (yield* engine({ model: script.layer, registry: service })).conversation
      const first = yield* Effect.fork(collect(chat.run("one")))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(collect(chat.run("two")))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      expect(conversationOf(script.asked[1])).toEqual(["user: one", "assistant: a", "user: two"])
    })
  )
})
