/**
 * Every example is run as a reader would run it, on the built package. Their types are checked with all others.
 */
import { execFileSync, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { root, run } from "./e2e/cli.ts"

const options = { cwd: root, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" }, stdio: "pipe" } as const

const example = (name: string): string => execFileSync(process.execPath, ["scripts/example.mjs", name], options)

/** The service as a process, once it listens; it is ended with the Scope. */
const service = Effect.acquireRelease(
  Effect.async<{ readonly address: string; readonly end: Effect.Effect<number | null> }>((resume) => {
    const child = spawn(process.execPath, ["scripts/example.mjs", "http-service"], {
      ...options,
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
  it("of @effect/ai gives a program the tools of a real server, in fewer than 20 lines", () => {
    expect(readFileSync(join(root, "examples/ai-program.ts"), "utf8").trim().split("\n").length).toBeLessThan(20)
    expect(example("ai-program")).toContain("Echo: hello")
  })

  it("of a toolkit of one's own runs its tool by the engine", () => {
    expect(example("own-toolkit")).toContain('count_stock: {"pieces":3}')
  })

  it("of a transport of one's own calls a tool over it", () => {
    expect(example("custom-transport")).toBe("hello over TCP\n")
  })

  it("of an approval policy lets one call run and denies the other", () => {
    const output = example("approval-policy")
    expect(output).toMatch(/Allow mcp__everything__echo\n {2}Echo: good morning/)
    expect(output).toMatch(/Deny mcp__everything__echo\n.*the arguments mention a secret/)
  })

  it("of a sampling provider answers the server", () => {
    expect(example("sampling-provider")).toContain("an answer to 1 message of everything")
  })

  it("of a replay gives the same without servers", () => {
    const [first, second] = example("replay").trim().split("\n")
    expect(first).toContain("5")
    expect(second).toBe(first)
  })

  it("of a typed client calls a tool by its types", () => {
    expect(example("typed-client")).toMatch(/°C\n$/)
  })

  it.scopedLive("of a typed client is what the server says today", () =>
    Effect.gen(function* () {
      const words = ["generate", "everything", "--config", ".mcp.json.example", "--output", "examples/everything.ts"]
      expect(yield* run([...words, "--check"], { cwd: root })).toMatchObject({ code: 0 })
    })
  )

  it("of a CI job ends well, and fails when a call does", () => {
    const job = (env: Readonly<Record<string, string>>) =>
      execFileSync("bash", ["examples/ci-job.sh"], {
        ...options,
        env: { ...options.env, HARNESS9: `${process.execPath} dist/cli/main.js`, ...env }
      })
    expect(job({})).toContain("mcp__everything__echo: Echo: released\nanswer after 2 turns, 0 of 1 calls failed")
    expect(() => job({ CONFIG: "no-such-file.json" })).toThrow("no-such-file.json")
  })

  it("of tests on mock servers passes", () => {
    const words = ["node_modules/vitest/vitest.mjs", "run", "--root", "examples"]
    expect(execFileSync(process.execPath, words, options)).toMatch(/Tests +2 passed/)
  })

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
      expect(events.find(({ type }) => type === "ToolFinished")).toMatchObject({ result: { text: "Echo: over HTTP" } })
      expect((yield* fetched(`${address}/ask`, "{}")).status).toBe(400)
    })
  )

  it("of each kind is in the table", () => {
    const table = readFileSync(join(root, "examples/README.md"), "utf8")
    const files = readdirSync(join(root, "examples")).filter((file) => file !== "README.md")
    expect(files.filter((file) => !table.includes(`[${file}](${file})`))).toEqual([])
  })
})
