import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Mentions from "../../src/engine/Mentions.ts"
import * as PromptInput from "../../src/engine/PromptInput.ts"
import * as ServerPrompts from "../../src/engine/ServerPrompts.ts"
import { isObject, type JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import { OutputBudget } from "../../src/tool/OutputBudget.ts"
import { entry, started } from "../mcp/managed.ts"

const text = (role: string, said: string) => ({ role, content: { type: "text", text: said } })

const lab = TestServer.make({
  capabilities: { prompts: {}, resources: {}, completions: {} },
  methods: {
    "prompts/list": () => ({
      prompts: [
        {
          name: "fore cast",
          description: "Weather",
          arguments: [{ name: "city", required: true }, { name: "days" }]
        },
        { name: "chat" }
      ]
    }),
    "prompts/get": ({ arguments: args, name }) => ({
      messages:
        name === "chat"
          ? [text("user", "Hello"), text("assistant", "Hi")]
          : [text("user", "You are a weather frog."), text("assistant", "Quak."), text("user", JSON.stringify(args))]
    }),
    "resources/list": () => ({ resources: [{ uri: "lab://notes", name: "Notes", description: "All\nnotes" }] }),
    "resources/templates/list": () => ({
      resourceTemplates: [{ uriTemplate: "lab://{room}/item/{id}", name: "An item" }]
    }),
    "resources/read": ({ uri }) =>
      uri === "lab://notes"
        ? { contents: [{ uri, text: "milk" }] }
        : uri === "lab://big"
          ? { contents: [{ uri, text: "x".repeat(5_000) }] }
          : Effect.fail({ code: -32002, message: "no such resource" }),
    "completion/complete": ({ argument, context, ref }) => ({
      completion: { values: proposed(ref, argument, context) }
    })
  }
})

const proposed = (ref: unknown, argument: unknown, context: unknown): ReadonlyArray<string> => {
  const { name, value } = argument as JsonObject
  const known = isObject(context) ? JSON.stringify(context.arguments) : ""
  if (isObject(ref) && ref.type === "ref/resource") return [`${value}1 of ${name} ${known}`]
  return name === "city" ? [`${value}slo`, "New York"] : [`after ${known}`]
}

const manager = Effect.provide(started([entry("lab"), entry("down")]), TestTransportFactory.layer({ lab }))

const read = (line: string) => Effect.flatMap(manager, (servers) => PromptInput.read(servers, line))

describe("a line that is a server's prompt", () => {
  it.scoped("becomes its messages, the last of which is asked", () =>
    Effect.gen(function* () {
      expect(yield* read("/mcp__lab__fore_cast city=Oslo days=3")).toEqual({
        prompt: '{"city":"Oslo","days":"3"}',
        options: {
          before: [
            { role: "user", text: "You are a weather frog." },
            { role: "assistant", text: "Quak." }
          ],
          attached: []
        },
        problems: []
      })
    })
  )

  it.scoped("that ends with an answer is gone on with", () =>
    Effect.gen(function* () {
      const { options, prompt } = yield* read("/mcp__lab__chat")
      expect([options.before?.length, prompt]).toEqual([2, "Go on."])
    })
  )

  it.scoped.each([
    { line: "Oslo", args: { city: "Oslo" } },
    { line: '"New York" 3', args: { city: "New York", days: "3" } },
    { line: "days=3 Oslo", args: { days: "3", city: "Oslo" } },
    { line: 'city="a=b c"', args: { city: "a=b c" } },
    { line: "Oslo the next three", args: { city: "Oslo", days: "the next three" } },
    { line: "other=1", args: { city: "other=1" } }
  ])("reads its arguments: $line", ({ args, line }) =>
    Effect.gen(function* () {
      expect(JSON.parse((yield* read(`/mcp__lab__fore_cast ${line}`)).prompt)).toEqual(args)
    })
  )

  it.scoped("without what it needs, or of no server, says so", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(read("/mcp__lab__fore_cast days=1"))
      expect(missing.message).toBe("city must be given: /mcp__lab__fore_cast city=… [days=…]")
      const unknown = yield* Effect.flip(read("/mcp__lab__nothing x"))
      expect(unknown.message).toBe("no connected server has the prompt /mcp__lab__nothing")
    })
  )
})

describe("the end of such a line", () => {
  const completed = (line: string) =>
    Effect.gen(function* () {
      const servers = yield* manager
      const found = ServerPrompts.find(yield* ServerPrompts.all(servers), line)
      if (found === undefined) return undefined
      const wanted = ServerPrompts.wanted(found, line)
      if (wanted?._tag !== "Values") return wanted?.arguments.map(({ name }) => name)
      return [line.slice(0, wanted.start), ...(yield* ServerPrompts.values(servers, found, wanted))]
    })

  it.scoped.each([
    { line: "/mcp__lab__fore_cast", values: undefined },
    { line: "/mcp__lab__fore_cast ", values: ["city", "days"] },
    { line: "/mcp__lab__fore_cast city=Oslo d", values: ["days"] },
    { line: "/mcp__lab__fore_cast city=O", values: ["/mcp__lab__fore_cast city=", "Oslo", '"New York"'] },
    {
      line: '/mcp__lab__fore_cast city="New York" days=',
      values: ['/mcp__lab__fore_cast city="New York" days=', "\"after {'city':'New York'}\""]
    }
  ])("proposes for $line", ({ line, values }) =>
    Effect.gen(function* () {
      expect(yield* completed(line)).toEqual(values)
    })
  )
})

describe("a resource that is mentioned", () => {
  it.scoped("is read, once, and put before the prompt", () =>
    Effect.gen(function* () {
      const line = "What is in @lab:lab://notes, and why? (@lab:lab://notes) me@lab:no @other:x"
      expect(yield* read(line)).toEqual({
        prompt: line,
        options: { before: [], attached: ["The resource @lab:lab://notes holds:\nmilk"] },
        problems: []
      })
    })
  )

  it.scoped("that cannot be read is told, and the prompt goes on without it", () =>
    Effect.gen(function* () {
      const { options, problems } = yield* read("Compare @lab:lab://gone with @lab:lab://notes")
      expect(options.attached).toHaveLength(1)
      expect(problems).toEqual(["@lab:lab://gone could not be read: no such resource"])
    })
  )

  it.scoped("that is large is cut to the budget of a tool's output", () =>
    Effect.gen(function* () {
      const { options } = yield* Effect.provideService(read("@lab:lab://big"), OutputBudget, { maxCharacters: 1_000 })
      expect(options.attached?.[0]?.length).toBeLessThan(1_000)
      expect(options.attached?.[0]).toContain("of 5000 characters left out")
    })
  )
})

describe("what may follow an @", () => {
  it.scoped.each([
    { typed: "l", found: ["lab:"] },
    { typed: "lab:", found: ["lab:lab://notes", "lab:lab://"] },
    { typed: "lab:lab://n", found: ["lab:lab://notes", "lab:lab://n1 of room /item/"] },
    { typed: "lab:lab://hall/it", found: ["lab:lab://hall/item/"] },
    { typed: "lab:lab://hall/item/4", found: ['lab:lab://hall/item/41 of id {"room":"hall"}'] },
    { typed: "down:", found: [] },
    { typed: "src/", found: [] }
  ])("$typed", ({ found, typed }) =>
    Effect.gen(function* () {
      expect((yield* Mentions.complete(yield* manager, typed)).map(({ text }) => text)).toEqual(found)
    })
  )
})
