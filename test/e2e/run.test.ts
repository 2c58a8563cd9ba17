import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, packaged, run, runJson } from "./cli.ts"

const config = configured({
  everything: packaged("everything", "stdio"),
  it: fixture("cli/server.mjs"),
  missing: { command: "no-such-program-anywhere" }
})

const prompt = "echo the message 'hello world' with everything"

/** The fixture alone: it starts in an instant. */
const runFixture = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(configured({ it: fixture("cli/server.mjs") }), (file) =>
    run(["run", ...words, "--model", "offline", "--config", file])
  )

const runOffline = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(config, (file) => run(["run", ...words, "--model", "offline", "--config", file]))

const events = (stdout: string): ReadonlyArray<Record<string, unknown>> =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("run", () => {
  it.scopedLive("prints the answer on stdout, and what is done for it on stderr", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* runOffline(prompt, "--yes")
      expect(code).toBe(0)
      expect(stdout).toContain("Echo: hello world")
      expect(stdout).not.toContain("[mcp]")
      expect(stderr).toMatch(/^→ mcp__everything__echo \{"message":"hello world"\}$/m)
      expect(stderr).toMatch(/^✓ mcp__everything__echo /m)
      expect(stderr).toMatch(/^\[mcp\] server "missing" connect failed: /m)
    })
  )

  it.scopedLive("tells every event as a line of JSON", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* runOffline(prompt, "--yes", "--output", "stream-json")
      const told = events(stdout)
      expect(code).toBe(0)
      expect(told).toContainEqual(
        expect.objectContaining({
          type: "tool_started",
          name: "mcp__everything__echo",
          server: "everything",
          arguments: { message: "hello world" }
        })
      )
      expect(told.at(-1)).toMatchObject({
        type: "done",
        reason: "answer",
        turns: 2,
        text: expect.stringContaining("hello world")
      })
      const text = told.filter(({ type }) => type === "text_delta").map((event) => event.text)
      expect(text.join("")).toBe(told.at(-1)?.text)
    })
  )

  it.scopedLive("is one JSON document for a script, which names the server that failed", () =>
    Effect.gen(function* () {
      const file = yield* config
      const { code, json } = yield* runJson([
        "run",
        prompt,
        "--yes",
        "--model",
        "offline",
        "--output",
        "json",
        "--config",
        file
      ])
      expect(code).toBe(0)
      expect(json).toMatchObject({
        text: expect.stringContaining("Echo: hello world"),
        reason: "answer",
        turns: 2,
        usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
        toolCalls: [
          {
            name: "mcp__everything__echo",
            server: "everything",
            arguments: { message: "hello world" },
            result: { isError: false, denied: false, text: "Echo: hello world", durationMs: expect.any(Number) }
          }
        ],
        notices: [expect.stringContaining('"missing"')]
      })
    })
  )

  it.scopedLive("runs a tool that is not read-only only when it is allowed", () =>
    Effect.gen(function* () {
      const asked = ["call the tool fail of it", "--output", "json"]
      const call = (stdout: string) => JSON.parse(stdout).toolCalls[0]
      const denied = call((yield* runFixture(...asked)).stdout)
      expect(denied).toMatchObject({
        name: "mcp__it__fail",
        result: { denied: true, isError: true, text: expect.stringContaining("--allow") }
      })
      for (const allowed of [["--allow", "mcp__it__*"], ["--allow", "x", "--allow", "mcp__*__fail"], ["--yes"]]) {
        const { result } = call((yield* runFixture(...asked, ...allowed)).stdout)
        expect(result).toMatchObject({ denied: false, text: expect.stringContaining("the disk is full") })
      }
    })
  )

  it.scopedLive("reads the prompt from stdin when it is a dash", () =>
    Effect.gen(function* () {
      const file = yield* config
      const piped = yield* run(["run", "-", "--yes", "--config", file], { input: `${prompt}\n` })
      expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining("Echo: hello world") })
      expect(yield* run(["run", "-"], { input: "" })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("the prompt is empty")
      })
    })
  )

  it.scopedLive("ends with 1 when the turns are used up", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* runOffline(prompt, "--yes", "--max-turns", "1")
      expect(code).toBe(1)
      expect(stderr).toContain("stopped after 1 turn")
    })
  )

  it.scopedLive("does not begin without a server that it requires", () =>
    Effect.gen(function* () {
      const file = yield* configured({ missing: { command: "no-such-program-anywhere", required: true } })
      const { code, stderr, stdout } = yield* run(["run", "hi", "--config", file])
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" })
      expect(stderr).toContain('the required server "missing" is not connected')
    })
  )

  it.live("ends with 2 when the model cannot be used", () =>
    Effect.gen(function* () {
      const unknown = yield* run(["run", "hi", "--model", "cohere/x"])
      expect(unknown).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining('unknown model "cohere/x"')
      })
      const keyless = yield* run(["run", "hi"], { env: { HARNESS9_MODEL: "anthropic/x" } })
      expect(keyless).toMatchObject({ code: 2, stderr: expect.stringContaining("ANTHROPIC_API_KEY") })
    })
  )
})

describe("harness9 without a terminal", () => {
  it.scopedLive("is a conversation, a line of stdin a prompt", () =>
    Effect.gen(function* () {
      const file = yield* configured({ it: fixture("cli/server.mjs") })
      const input = "read the file nowhere.txt\n\n/quit\nnever read\n"
      const { code, stderr, stdout } = yield* run(["--model", "offline", "--config", file], { input })
      expect(code).toBe(0)
      expect(stderr).toMatch(/^→ read_file/m)
      expect(stdout).toContain("nowhere.txt")
      expect(stdout).not.toContain("never read")
    })
  )

  it.live("ends with its input", () =>
    Effect.gen(function* () {
      expect(yield* run(["--model", "offline"], { input: "" })).toMatchObject({ code: 0, stdout: "" })
    })
  )
})
