/**
 * Every example is run as a reader would run it, on the built package. Their types are checked with all others.
 */
import { execFile, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { root, run } from "./e2e/cli.ts"

const env = { ...process.env, NO_COLOR: "1" }

/** What a program prints beside its log. */
const said = (command: string, args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
  Effect.async<string, Error>((resume) => {
    execFile(command, args, { cwd: root, env: { ...env, ...more } }, (error, stdout) => {
      const lines = stdout.split("\n").filter((line) => !line.includes(" INFO "))
      resume(error === null ? Effect.succeed(lines.join("\n")) : Effect.fail(error))
    })
  })

const example = (name: string) => said(process.execPath, ["scripts/example.mjs", name])

/** The service as a process, once it listens; it is ended with the Scope. */
const service = Effect.acquireRelease(
  Effect.async<{ readonly address: string; readonly end: Effect.Effect<number | null> }>((resume) => {
    const child = spawn(process.execPath, ["scripts/example.mjs", "http-service"], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const end = Effect.async<number | null>((ended) => {
      child.once("exit", (code) => ended(Effect.succeed(code)))
      child.kill("SIGTERM")
    })
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [address] = /http:\/\/[\d.:]+/.exec(line) ?? []
      if (address !== undefined) resume(Effect.succeed({ address, end }))
    })
  }),
  ({ end }) => end
)

const fetched = (address: string, body?: string) =>
  Effect.promise(() =>
    fetch(address, body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body })
  )

describe("the example", () => {
  it.live("of @effect/ai gives a program the tools of a real server, in fewer than 20 lines", () =>
    Effect.gen(function* () {
      expect(readFileSync(join(root, "examples/ai-program.ts"), "utf8").trim().split("\n").length).toBeLessThan(20)
      expect(yield* example("ai-program")).toContain("Echo: hello")
    })
  )

  it.live("of a toolkit of one's own runs its tool by the engine", () =>
    Effect.gen(function* () {
      expect(yield* example("own-toolkit")).toContain('count_stock: {"pieces":3}')
    })
  )

  it.live("of a transport of one's own calls a tool over it", () =>
    Effect.gen(function* () {
      expect(yield* example("custom-transport")).toBe("hello over TCP\n")
    })
  )

  it.live("of an approval policy lets one call run and denies the other", () =>
    Effect.gen(function* () {
      const output = yield* example("approval-policy")
      expect(output).toMatch(/Allow mcp__everything__echo\n {2}Echo: good morning/)
      expect(output).toMatch(/Deny mcp__everything__echo\n.*the arguments mention a secret/)
    })
  )

  it.live("of a sampling provider answers the server", () =>
    Effect.gen(function* () {
      expect(yield* example("sampling-provider")).toContain("an answer to 1 message of everything")
    })
  )

  it.live("of a replay gives the same without servers", () =>
    Effect.gen(function* () {
      const [first, second] = (yield* example("replay")).trim().split("\n")
      expect(first).toContain("is 5")
      expect(second).toBe(first)
    })
  )

  it.live("of a typed client calls a tool by its types", () =>
    Effect.gen(function* () {
      expect(yield* example("typed-client")).toMatch(/°C\n$/)
    })
  )

  it.scopedLive("of a typed client is what the server says today", () =>
    Effect.gen(function* () {
      const words = ["generate", "everything", "--config", ".mcp.json.example", "--output", "examples/everything.ts"]
      expect(yield* run([...words, "--check"], { cwd: root })).toMatchObject({ code: 0 })
    })
  )

  it.live("of a CI job tells what was done, and fails where a run does", () =>
    Effect.gen(function* () {
      const job = (more: Readonly<Record<string, string>>) =>
        said("bash", ["examples/ci-job.sh"], { HARNESS9: `${process.execPath} dist/cli/main.js`, ...more })
      expect(yield* job({})).toContain(
        "mcp__everything__echo: Echo: released\nanswer after 2 turns, 0 of 1 calls failed"
      )
      expect(yield* Effect.flip(job({ CONFIG: "no-such-file.json" }))).toMatchObject({ code: 2 })
    })
  )

  it.scopedLive("of an HTTP service tells its servers and runs prompts", () =>
    Effect.gen(function* () {
      const { address } = yield* service
      const servers = yield* fetched(`${address}/servers`)
      expect(yield* Effect.promise(() => servers.json())).toContainEqual({ name: "everything", state: "connected" })
      const answer = yield* fetched(`${address}/ask`, JSON.stringify({ prompt: "echo the text 'over HTTP'" }))
      const events = (yield* Effect.promise(() => answer.text()))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      expect(events.find(({ type }) => type === "tool_finished")).toMatchObject({ result: { text: "Echo: over HTTP" } })
      expect((yield* fetched(`${address}/ask`, "{}")).status).toBe(400)
    })
  )

  it.live("of each kind is in the table", () =>
    Effect.gen(function* () {
      const table = readFileSync(join(root, "examples/README.md"), "utf8")
      const files = readdirSync(join(root, "examples")).filter((file) => file !== "README.md")
      expect(files.filter((file) => !table.includes(`[${file}](${file})`))).toEqual([])
    })
  )
})
