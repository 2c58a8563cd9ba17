import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, packaged, run, runJson } from "./cli.ts"

const config = configured({
  it: fixture("cli/server.mjs"),
  everything: packaged("everything", "stdio"),
  missing: { command: "no-such-program-anywhere" },
  mute: fixture("cli/silent.mjs"),
  off: { command: "x", disabled: true }
})

const misfit = "the structured content does not fit the tool's outputSchema"

const call = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(config, (file) => run(["mcp", "call", ...words, "--config", file]))

const callJson = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(config, (file) => runJson(["mcp", "call", ...words, "--json", "--config", file]))

describe("mcp call", () => {
  it.scopedLive("calls a tool of a real server and prints its text", () =>
    Effect.gen(function* () {
      expect(yield* call("everything", "echo", "message=hello world")).toEqual({
        code: 0,
        stdout: "Echo: hello world\n",
        stderr: ""
      })
      expect(yield* call("everything", "get-sum", "a=2", "b=3")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("5")
      })
    })
  )

  it.scopedLive("types arguments by the tool's schema, over the object of --args", () =>
    Effect.gen(function* () {
      const { code, json } = yield* callJson("it", "echo", "text=5", "times=5", "--args", '{"times":1,"more":[true]}')
      expect(code).toBe(0)
      expect(json).toEqual({
        server: "it",
        tool: "echo",
        isError: false,
        text: '{"times":5,"more":[true],"text":"5"}',
        content: [{ type: "text", text: '{"times":5,"more":[true],"text":"5"}' }],
        structuredContent: { times: 5, more: [true], text: "5" },
        durationMs: expect.any(Number)
      })
    })
  )

  it.scopedLive("shows what a terminal would obey as text", () =>
    Effect.gen(function* () {
      expect(yield* call("it", "inject")).toEqual({
        code: 0,
        stdout: "\\x1b]52;c;QUFB\\x07\\x9b31m red \\u{202e}\n",
        stderr: ""
      })
    })
  )

  it.scopedLive("says beside the result what is wrong with it", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* call("it", "misfit")
      expect({ code, stdout }).toEqual({ code: 0, stdout: "n is x\n" })
      expect(stderr).toContain(`warning: ${misfit}`)
      expect((yield* callJson("it", "misfit")).json.warnings).toEqual([expect.stringContaining(misfit)])
    })
  )

  it.scopedLive("says so in a run as well", () =>
    Effect.gen(function* () {
      const file = yield* configured({ it: fixture("cli/server.mjs") })
      const words = ["run", "call the tool misfit of it", "--yes", "--model", "offline", "--config", file]
      expect((yield* run(words)).stderr).toContain(`! ${misfit}`)
      const { json } = yield* runJson([...words, "--output", "json"])
      expect(json.toolCalls[0].result.warnings).toEqual([expect.stringContaining(misfit)])
    })
  )

  it.scopedLive("ends with 1 when the tool failed, and with its text", () =>
    Effect.gen(function* () {
      expect(yield* call("it", "fail")).toMatchObject({ code: 1, stdout: "the disk is full\n" })
      expect(yield* callJson("it", "fail")).toMatchObject({
        code: 1,
        json: { isError: true, text: "the disk is full" }
      })
    })
  )

  it.scopedLive("ends with 1 when the server refuses the call", () =>
    Effect.gen(function* () {
      const { code, json } = yield* callJson("it", "refuse")
      expect(code).toBe(1)
      expect(json).toMatchObject({
        server: "it",
        tool: "refuse",
        error: { kind: "rpc", message: expect.stringContaining("no such thing") }
      })
    })
  )

  it.scopedLive("ends with 3 when the server cannot be started, or dies", () =>
    Effect.gen(function* () {
      const missing = yield* callJson("missing", "x")
      expect(missing).toMatchObject({ code: 3, json: { server: "missing", tool: "x", error: { kind: "spawn" } } })
      expect(yield* callJson("it", "die")).toMatchObject({ code: 3, json: { error: { kind: "exit" } } })
      const { code, stderr, stdout } = yield* call("it", "die")
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
      expect(stderr).toContain("fatal: out of luck")
    })
  )

  it.scopedLive("ends with 5 when the connection or the call takes too long", () =>
    Effect.gen(function* () {
      const mute = yield* callJson("mute", "x", "--connect-timeout", "500ms")
      expect(mute).toMatchObject({ code: 5, json: { error: { kind: "timeout" } } })
      const wait = yield* callJson("it", "wait", "--tool-timeout", "500ms")
      expect(wait).toMatchObject({ code: 5, json: { error: { kind: "timeout" } } })
    })
  )

  it.scopedLive("ends with 2 when server, tool or argument is none, and names what was meant", () =>
    Effect.gen(function* () {
      expect(yield* call("evrything", "echo")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("did you mean everything?")
      })
      expect(yield* call("off", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("disabled") })
      expect(yield* call("it", "ecko")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("did you mean echo?")
      })
      expect(yield* call("it", "echo", "times=x")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('times: "x" is no integer')
      })
      expect(yield* call("it", "echo", "text")).toMatchObject({ code: 2, stderr: expect.stringContaining("key=value") })
    })
  )

  it.scopedLive("connects to no other server", () =>
    Effect.gen(function* () {
      const { stderr } = yield* call("it", "echo", "text=a")
      expect(stderr).toBe("")
    })
  )
})
