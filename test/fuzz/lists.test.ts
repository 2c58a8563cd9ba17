/**
 * Whatever a server lists, what can be used of it is used: a good entry among bad ones works, and models can be given what is left.
 */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TestServer from "../../src/testing/TestServer.ts"
import * as TestTransportFactory from "../../src/testing/TestTransportFactory.ts"
import * as DefinitionSize from "../../src/tool/DefinitionSize.ts"
import * as McpToolAdapter from "../../src/tool/McpToolAdapter.ts"
import * as ModelSchema from "../../src/tool/ModelSchema.ts"
import * as ToolDrift from "../../src/tool/ToolDrift.ts"
import * as ToolRegistry from "../../src/tool/ToolRegistry.ts"
import { connect } from "../mcp/client.ts"
import { json, object, parse } from "./hostile.ts"

const listOf = (entry: fc.Arbitrary<string>) => fc.array(fc.oneof(json, entry), { maxLength: 6 })

const tool = fc.oneof(
  object(["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution", "_meta"]),
  object(["inputSchema", "outputSchema", "annotations", "description"], {
    name: fc.string().map((text) => JSON.stringify(`x${text}`))
  })
)

const providers = ["anthropic", "openai", "gemini", "offline"] as const

/** Texts of a list with a good entry in the middle of it. */
const around = (lists: readonly [ReadonlyArray<string>, ReadonlyArray<string>], good: object) =>
  `[${[...lists[0], JSON.stringify(good), ...lists[1]].join(",")}]`

it.scoped(
  "a good tool among bad ones is called, and what is offered beside it can be offered",
  () =>
    Effect.gen(function* () {
      const good = { name: "the good one", inputSchema: { type: "object" } }
      let list: unknown = [good]
      let answer: unknown
      const server = TestServer.make({
        methods: {
          "tools/list": () => Effect.sync(() => ({ tools: list })),
          "tools/call": ({ name }) => Effect.succeed(name === good.name ? { content: "fine" } : answer)
        }
      })
      const manager = yield* McpManager.make([ServerConfig.stdio("it", { command: "-" })]).pipe(
        Effect.provide(TestTransportFactory.layer({ it: server }))
      )
      const registry = yield* ToolRegistry.make
      for (const lists of fc.sample(fc.tuple(listOf(tool), listOf(tool), json), { numRuns: 60, seed: 3 })) {
        list = parse(around([lists[0], lists[1]], good))
        answer = parse(lists[2])
        yield* manager.reconnect("it")
        yield* McpToolAdapter.sync(manager, registry)
        const client = yield* manager.client("it").pipe(Effect.option)
        // Nested too deep, the list as a whole cannot be read.
        if (client._tag === "None") continue
        const { skipped, tools } = yield* registry.snapshot
        expect(tools.map(({ origin }) => (origin._tag === "Mcp" ? origin.tool : ""))).toContain(good.name)
        for (const each of [...tools, ...skipped.map(({ tool }) => tool)]) {
          DefinitionSize.tokens(each)
          for (const provider of providers) JSON.stringify(ModelSchema.forProvider(provider, each.inputSchema).schema)
        }
        for (const each of yield* client.value.tools) ToolDrift.lock(each)
        expect(yield* registry.execute("mcp__it__the_good_one", {})).toMatchObject({ isError: false, text: "fine" })
        for (const { name } of tools) {
          const { text } = yield* registry.execute(name, {})
          expect(text).not.toMatch(/broke:/)
        }
      }
    }),
  120_000
)

it.scoped("a good resource, template and prompt among bad ones are listed and read", () =>
  Effect.gen(function* () {
    let answers: Readonly<Record<string, unknown>> = {}
    const methods = Object.fromEntries(
      [
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
        "completion/complete"
      ].map((method) => [method, () => Effect.sync(() => answers[method])])
    )
    const client = yield* connect(
      TestServer.make({ methods, capabilities: { resources: {}, prompts: {}, completions: {} } })
    )
    const resource = object(["uri", "name", "title", "mimeType", "annotations", "icons", "size", "_meta"])
    const contents = object(["uri", "text", "blob", "mimeType", "_meta"])
    const prompt = object(["name", "title", "arguments", "icons"])
    const message = object(["role", "content"])
    const lists = fc.tuple(listOf(resource), listOf(contents), listOf(prompt), listOf(message), json)
    for (const [resources, read, prompts, messages, completion] of fc.sample(lists, { numRuns: 60, seed: 8 })) {
      const all = {
        "resources/list": `{"resources":${around([resources, resources], { uri: "good:", name: "good" })}}`,
        "resources/templates/list": `{"resourceTemplates":${around([resources, []], { uriTemplate: "good:{x}", name: "good" })}}`,
        "resources/read": `{"contents":${around([read, read], { uri: "good:", text: "fine" })}}`,
        "prompts/list": `{"prompts":${around([prompts, prompts], { name: "good" })}}`,
        "prompts/get": `{"messages":${around([messages, messages], { role: "user", content: { type: "text", text: "fine" } })}}`,
        "completion/complete": `{"completion":${completion}}`
      }
      answers = Object.fromEntries(Object.entries(all).map(([method, text]) => [method, parse(text)]))
      const told = <A, E extends { readonly message: string }>(
        effect: Effect.Effect<A, E>,
        check: (value: A) => void
      ) =>
        Effect.matchEffect(effect, {
          onSuccess: (value) => Effect.sync(() => check(value)),
          onFailure: ({ message }) => Effect.sync(() => expect(message).toMatch(/levels deep/))
        })
      yield* told(client.listResources, (list) => expect(list.map(({ uri }) => uri)).toContain("good:"))
      yield* told(client.listResourceTemplates, (list) =>
        expect(list.map(({ uriTemplate }) => uriTemplate)).toContain("good:{x}")
      )
      yield* told(client.readResource("good:"), (list) =>
        expect(list).toContainEqual(expect.objectContaining({ text: "fine" }))
      )
      yield* told(client.listPrompts, (list) => expect(list.map(({ name }) => name)).toContain("good"))
      yield* told(client.getPrompt("good"), ({ messages }) =>
        expect(messages).toContainEqual({ role: "user", content: { type: "text", text: "fine" } })
      )
      yield* told(client.complete({ type: "ref/prompt", name: "good" }, { name: "x", value: "" }), ({ values }) =>
        expect(Array.isArray(values)).toBe(true)
      )
    }
  })
)
