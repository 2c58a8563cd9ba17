/**
 * H. Tool results.
 */
import { readFileSync, statSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as TestServer from "../../src/testing/TestServer.ts"
import { fault } from "./fault.ts"
import { client, connect, given, living, registryOf, stdio } from "./living.ts"

const unit = ["test/tool/McpToolAdapter.test.ts", "test/mcp/McpClient.test.ts"]

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
const text = (value: unknown) => ({ type: "text", text: value })

/** Counts how often a text stands in another. */
const times = (whole: string, part: string) => whole.split(part).length - 1

fault(
  68,
  "The model reads content where it has something, else structuredContent as JSON, and nothing twice; nothing of either is lost to the caller",
  () => {
    it.scoped("data that is only structured reaches the model", () =>
      Effect.gen(function* () {
        for (const content of [
          {},
          { content: [] },
          { content: null },
          { content: [text("")] },
          { content: [text(" \n")] }
        ]) {
          const result = yield* given({ ...content, structuredContent: { n: 42 } }, { outputSchema })
          expect(result).toMatchObject({ isError: false, structuredContent: { n: 42 } })
          expect(result.text.trim()).toBe('{"n":42}')
        }
        expect((yield* given({ toolResult: { n: 3 } })).text).toBe('{"n":3}')
      })
    )

    it.scoped("text beside it is read once, and the structure kept", () =>
      Effect.gen(function* () {
        const result = yield* given({ content: [text("1 item")], structuredContent: { n: 1 } }, { outputSchema })
        expect(result).toMatchObject({ text: "1 item", structuredContent: { n: 1 } })
        const mirrored = yield* given({ content: [text('{"n":1}')], structuredContent: { n: 1 } }, { outputSchema })
        expect(times(mirrored.text, '"n"')).toBe(1)
      })
    )

    it.scoped("nothing at all is said to be nothing", () =>
      Effect.gen(function* () {
        for (const nothing of [{}, { content: [] }, null, [], "x", 0]) {
          expect(yield* given(nothing)).toMatchObject({ isError: false, text: expect.stringMatching(/\S/) })
        }
      })
    )
  },
  { see: unit }
)

fault(
  69,
  "isError survives whatever else is there, and its text is the error; what a schema says of the output never takes its place",
  () => {
    it.scoped("an error that does not fit the output schema is told in its own words", () =>
      Effect.gen(function* () {
        for (const structuredContent of [undefined, {}, { n: "x" }, { error: { code: "E1" } }, null]) {
          const result = yield* given({ isError: true, content: [text("denied")], structuredContent }, { outputSchema })
          expect(result).toMatchObject({ isError: true, text: "denied" })
        }
        expect(yield* given({ isError: true, structuredContent: { code: "E1" } })).toMatchObject({
          isError: true,
          text: '{"code":"E1"}'
        })
      })
    )

    it.scoped("an error without a word is still one", () =>
      Effect.gen(function* () {
        for (const content of [[], null, undefined, [text("")]]) {
          expect(yield* given({ isError: true, content })).toMatchObject({
            isError: true,
            text: expect.stringMatching(/failed/)
          })
        }
      })
    )

    it.scoped("output that does not fit leaves the text usable", () =>
      Effect.gen(function* () {
        expect(yield* given({ content: [text("n=x")], structuredContent: { n: "x" } }, { outputSchema })).toMatchObject(
          {
            isError: false,
            text: "n=x"
          }
        )
      })
    )
  },
  { see: unit }
)

fault(
  70,
  "Bytes of media never become text: the model gets the image, or a placeholder with type and size; bad bytes cost their block",
  () => {
    it.scoped("an image that structuredContent repeats is there once, and not as base64", () =>
      Effect.gen(function* () {
        const image = { type: "image", data: png, mimeType: "image/png" }
        for (const structuredContent of [undefined, { result: [image] }, { deep: [{ data: png }] }]) {
          const result = yield* given({ content: [image], structuredContent })
          expect(result.text).toBe("[image image/png, 70 bytes]")
          expect(result.content).toEqual([image])
        }
      })
    )

    it.scoped("audio and blobs are placeholders, and bytes that are none are named", () =>
      Effect.gen(function* () {
        const blob = { uri: "mem://b", blob: "AAECAw==", mimeType: "application/octet-stream" }
        for (const [block, shown] of [
          [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }, "[audio audio/wav, 3 bytes]"],
          [{ type: "resource", resource: blob }, "[resource mem://b application/octet-stream, 4 bytes]"],
          [{ type: "image", data: "!!not base64!!", mimeType: "image/png" }, "[image image/png, not readable]"],
          [{ type: "image", data: 5, mimeType: "image/png" }, "[image image/png, not readable]"]
        ] as const) {
          expect((yield* given({ content: [text("a"), block, text("b")] })).text).toBe(`a\n${shown}\nb`)
        }
      })
    )

    it.scoped("a long base64 inside the structure alone is told by its size", () =>
      Effect.gen(function* () {
        for (const prefix of ["", "data:image/png;base64,"]) {
          const result = yield* given({ structuredContent: { image: `${prefix}${"AAAA".repeat(1000)}`, n: 1 } })
          expect(result.text).toBe('{"image":"[3000 bytes in base64]","n":1}')
        }
      })
    )
  },
  { see: unit }
)

fault(
  71,
  "Every block type has its line, an unknown one a placeholder with its name; no shape of a result costs its neighbours, the call or the session",
  () => {
    it.scoped("order is kept, and what is unknown is named", () =>
      Effect.gen(function* () {
        const { text: read } = yield* given({
          content: [
            text("a"),
            { type: "hologram", x: 1 },
            { type: "resource_link", uri: "file:///tmp/x.txt", name: "x" },
            { type: "resource", resource: { uri: "mem://t", text: "inside" } },
            text("b")
          ]
        })
        expect(read.split("\n")).toEqual(["a", "[hologram]", "[resource link x file:///tmp/x.txt]", "inside", "b"])
      })
    )

    it.scoped("any JSON as a result is a result, and the next call works", () =>
      Effect.gen(function* () {
        const answers = fc.sample(fc.jsonValue(), { numRuns: 200, seed: 3 })
        const blocks = fc.sample(
          fc.array(
            fc.oneof(
              fc.jsonValue(),
              fc.record({
                type: fc.constantFrom("text", "image", "audio", "resource", "resource_link"),
                text: fc.jsonValue(),
                data: fc.jsonValue(),
                resource: fc.jsonValue(),
                uri: fc.jsonValue()
              })
            )
          ),
          { numRuns: 200, seed: 4 }
        )
        const results: ReadonlyArray<unknown> = [
          ...answers,
          ...blocks.map((content) => ({ content: [...content, text("end")] }))
        ]
        let next = 0
        const server = TestServer.make({
          tools: { t: { handler: () => "-" } },
          methods: { "tools/call": () => Effect.sync(() => results[next++]) }
        })
        const { callTool } = yield* connect(server)
        for (const index of answers.keys()) expect(yield* callTool("t", {}), String(index)).toHaveProperty("text")
        for (const index of blocks.keys()) expect((yield* callTool("t", {})).text, String(index)).toMatch(/end$/)
      })
    )

    it.scopedLive("a whole zoo of results, from one server", () =>
      Effect.gen(function* () {
        const { callTool, tools } = yield* client("result-zoo")
        for (const { name } of yield* tools) {
          if (name === "rpc_error") expect((yield* Effect.flip(callTool(name, {}))).kind).toBe("rpc")
          else expect((yield* callTool(name, {})).isError).toBe(name.startsWith("err_"))
        }
      })
    )
  },
  { see: unit }
)

fault(
  72,
  "Every output has one budget, whatever it is made of: head and tail with a mark between, and the whole in a private file",
  () => {
    it.scoped("long text, long structure and a long error are bounded alike", () =>
      Effect.gen(function* () {
        const long = `begin ${"x".repeat(3_000_000)} end`
        for (const result of [
          { content: [text(long)] },
          { content: Array.from({ length: 3000 }, () => text("y".repeat(1000))) },
          { structuredContent: { long } },
          { isError: true, content: [text(long)] },
          { content: [{ type: "resource", resource: { uri: "mem://t", text: long } }] }
        ]) {
          const read = yield* given(result)
          expect(read.text.length).toBeLessThan(101_000)
          const [path = ""] = /\/\S+\.txt/.exec(read.text) ?? []
          expect(statSync(path).mode & 0o077).toBe(0)
          expect(readFileSync(path, "utf8").length).toBeGreaterThan(2_900_000)
        }
      })
    )

    it.scopedLive("five megabytes of one server leave the next result whole", () =>
      Effect.gen(function* () {
        const registry = yield* registryOf(yield* living([stdio("huge-line")]))
        expect((yield* registry.execute("mcp__huge_line__big", {})).text.length).toBeLessThan(101_000)
        expect((yield* registry.execute("mcp__huge_line__small", {})).text).toBe("ok")
      })
    )
  },
  { see: [...unit, "test/tool/OutputBudget.test.ts"] }
)
