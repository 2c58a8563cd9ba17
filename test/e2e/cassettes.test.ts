import { spawnSync } from "node:child_process"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import { modelServer } from "../engine/model/modelServer.ts"
import { configured, fixture, folder, packaged, root, run, start } from "./cli.ts"

/** A replay has no program to start and no key. */
const nothing = { PATH: "" }

const lines = (text: string): ReadonlyArray<JsonObject> =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

const messageStart = {
  type: "message_start",
  message: { id: "m", type: "message", role: "assistant", content: [], model: "m", usage: { input_tokens: 1 } }
}

const stop = (reason: string): ReadonlyArray<JsonObject> => [
  { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
  { type: "message_stop" }
]

const calls = (...tools: ReadonlyArray<readonly [name: string, args: JsonObject]>): ReadonlyArray<JsonObject> => [
  messageStart,
  ...tools.flatMap(([name, args], index) => [
    { type: "content_block_start", index, content_block: { type: "tool_use", id: `call_${name}`, name, input: {} } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: JSON.stringify(args) } },
    { type: "content_block_stop", index }
  ]),
  ...stop("tool_use")
]

const answers = (text: string): ReadonlyArray<JsonObject> => [
  messageStart,
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index: 0 },
  ...stop("end_turn")
]

const secret = "sk-very-secret-key"

/** A run with two servers, a built-in tool and a model behind an API: what it printed, and its recording. */
const recorded = Effect.gen(function* () {
  const place = yield* folder
  writeFileSync(join(place, "note.txt"), "from the note")
  const { url } = yield* modelServer("/v1/messages", [
    {
      events: calls(
        ["mcp__everything__echo", { message: "hello world" }],
        ["mcp__fs__read_text_file", { path: join(place, "note.txt") }],
        ["bash", { command: "echo made > made.txt; echo $RANDOM" }]
      )
    },
    { events: answers("All done.") }
  ])
  const config = yield* configured({
    everything: packaged("everything", "stdio"),
    fs: packaged("filesystem", place)
  })
  const cassette = join(place, "run.ndjson")
  const env = { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: url }
  const words = ["run", "use the tools", "--yes", "--output", "stream-json"]
  const live = yield* run([...words, "--model", "anthropic/m", "--config", config, "--record", cassette], {
    cwd: place,
    env
  })
  expect(live).toMatchObject({ code: 0 })
  return { cassette, words, live, text: readFileSync(cassette, "utf8") }
})

describe("a recorded run", () => {
  it.scopedLive("replays byte for byte in another directory, without servers, keys or network, and runs nothing", () =>
    Effect.gen(function* () {
      const { cassette, live, words } = yield* recorded
      expect(live.stdout).toContain("from the note")
      const elsewhere = yield* folder
      copyFileSync(cassette, join(elsewhere, "run.ndjson"))
      const again = yield* run([...words, "--replay", "run.ndjson"], { cwd: elsewhere, env: nothing })
      expect(again.stderr).not.toContain("differs")
      expect(again).toMatchObject({ code: 0, stdout: live.stdout })
      expect(spawnSync("ls", [elsewhere], { encoding: "utf8" }).stdout).toBe("run.ndjson\n")
      const command = [process.execPath, join(root, "dist/cli/main.js"), ...words, "--replay", "run.ndjson"]
      const alone = spawnSync("unshare", ["-rn", ...command], { cwd: elsewhere, encoding: "utf8", env: process.env })
      if (alone.status !== 0 && !/differs/.test(alone.stderr)) return
      expect(alone.stdout).toBe(live.stdout)
    })
  )

  it.scopedLive("holds no key of a model", () =>
    Effect.gen(function* () {
      const { text } = yield* recorded
      expect(text).not.toContain(secret)
    })
  )

  it.scopedLive("ends with 1 at the first difference, which it tells field by field", () =>
    Effect.gen(function* () {
      const { text, words } = yield* recorded
      const elsewhere = yield* folder
      const changed = text
        .split("\n")
        .map((line) => (line.includes('"kind":"reply"') ? line.replace("from the note", "from elsewhere") : line))
        .join("\n")
      writeFileSync(join(elsewhere, "changed.ndjson"), changed)
      const again = yield* run([...words, "--replay", "changed.ndjson"], { cwd: elsewhere, env: nothing })
      expect(again.code).toBe(1)
      const at = changed.split("\n").findLastIndex((line) => line.includes('"with":"model","direction":"out"')) + 1
      expect(again.stderr).toContain(`changed.ndjson:${at}: what the model is asked differs`)
      expect(again.stderr).toMatch(
        /prompt\[\d\]\.content\[1\]\.result\n +expected +"from the note"\n +got +"from elsew/
      )
    })
  )

  it.scopedLive("tells what another prompt would have asked", () =>
    Effect.gen(function* () {
      const { cassette } = yield* recorded
      const again = yield* run(["run", "something else", "--yes", "--replay", cassette], { env: nothing })
      expect(again.code).toBe(1)
      expect(again.stderr).toMatch(/expected +"use the tools"\n +got +"something else"/)
    })
  )
})

describe("a recorded run with the offline model", () => {
  it.scopedLive("is not written over unless that is asked for, and replays as text", () =>
    Effect.gen(function* () {
      const config = yield* configured({ it: fixture("cli/server.mjs") })
      const place = yield* folder
      const words = ["run", "call the tool fail of it", "--yes", "--model", "offline"]
      const recording = [...words, "--config", config, "--record", "t.ndjson"]
      const live = yield* run(recording, { cwd: place })
      const before = readFileSync(join(place, "t.ndjson"), "utf8")
      const refused = yield* run(recording, { cwd: place })
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("t.ndjson is there already") })
      expect(readFileSync(join(place, "t.ndjson"), "utf8")).toBe(before)
      expect((yield* run([...recording, "--force"], { cwd: place })).code).toBe(live.code)
      const again = yield* run([...words, "--replay", "t.ndjson"], { cwd: place, env: nothing })
      expect(again).toMatchObject({ code: live.code, stdout: live.stdout })
    })
  )

  it.scopedLive("that was stopped by a person holds what there was, and says where it ends", () =>
    Effect.gen(function* () {
      const config = yield* configured({ everything: packaged("everything", "stdio") })
      const place = yield* folder
      const prompt = "trigger the long running operation of everything with duration 60"
      const recording = ["run", prompt, "--yes", "--model", "offline", "--config", config, "--record", "t.ndjson"]
      const running = yield* start(recording, { cwd: place })
      yield* running.until("→ mcp__everything__")
      yield* running.kill("SIGINT")
      expect((yield* running.exit).code).toBe(130)
      const text = readFileSync(join(place, "t.ndjson"), "utf8")
      expect(lines(text)[0]).toMatchObject({ cassette: 1, harness9: expect.any(String) })
      writeFileSync(join(place, "torn.ndjson"), `${text}{"at":12,"with":"ser`)
      const again = yield* run(["run", prompt, "--yes", "--replay", "torn.ndjson"], { cwd: place, env: nothing })
      expect(again.code).toBe(1)
      expect(again.stderr).toContain("the last line of torn.ndjson is not whole")
      expect(again.stderr).toContain("the recording ends before the answer to")
    })
  )
})

describe("a recorded call", () => {
  it.scopedLive("replays without its server, and differs when it is another call", () =>
    Effect.gen(function* () {
      const config = yield* configured({ everything: packaged("everything", "stdio") })
      const place = yield* folder
      const words = ["mcp", "call", "everything", "echo", "--json"]
      const live = yield* run([...words, "message=hi", "--config", config, "--record", "c.ndjson"], { cwd: place })
      expect(live).toMatchObject({ code: 0, stdout: expect.stringContaining("Echo: hi") })
      const replay = [...words, "--replay", "c.ndjson"]
      const again = yield* run([...replay, "message=hi"], { cwd: place, env: nothing })
      expect(again).toMatchObject({ code: 0, stdout: live.stdout })
      const other = yield* run([...replay, "message=ho"], { cwd: place, env: nothing })
      expect(other.code).toBe(1)
      expect(other.stderr).toMatch(/params\.arguments\.message\n +expected +"hi"\n +got +"ho"/)
    })
  )

  it.scopedLive("holds no value of an entry's environment, whatever the server says", () =>
    Effect.gen(function* () {
      const token = "token-of-the-entry"
      const config = yield* configured({ everything: { ...packaged("everything", "stdio"), env: { ACCESS: token } } })
      const place = yield* folder
      const words = ["mcp", "call", "everything", "get-env", "--json"]
      const live = yield* run([...words, "--config", config, "--record", "c.ndjson"], { cwd: place })
      expect(live.stdout).toContain(token)
      expect(readFileSync(join(place, "c.ndjson"), "utf8")).not.toContain(token)
      const again = yield* run([...words, "--replay", "c.ndjson"], { cwd: place, env: nothing })
      expect(again).toMatchObject({ code: 0, stdout: live.stdout.replaceAll(token, "***") })
    })
  )
})
