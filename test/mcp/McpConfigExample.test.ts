import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import type { Stdio } from "../../src/mcp/ServerConfig.ts"

const file = fileURLToPath(new URL("../../.mcp.json.example", import.meta.url))

const example = McpConfig.load({ file, env: {} }).pipe(Effect.provide(NodeFileSystem.layer))

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } }
}

/** The first line that the program writes after being asked to begin, or nothing if it ends before. */
const firstAnswer = ({ args, command, cwd, env }: Stdio) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: ["pipe", "pipe", "ignore"] })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  ).pipe(
    Effect.flatMap((child) =>
      Effect.async<string>((resume) => {
        const lines = createInterface({ input: child.stdout })
        lines.once("line", (line) => resume(Effect.succeed(line)))
        lines.once("close", () => resume(Effect.succeed("")))
        child.once("error", (error) => resume(Effect.die(error)))
        child.stdin.write(`${JSON.stringify(initialize)}\n`)
      })
    ),
    Effect.scoped
  )

describe(".mcp.json.example", () => {
  it.effect("loads without a problem and without any variable set", () =>
    Effect.gen(function* () {
      const { problems, servers } = yield* example
      expect(problems).toEqual([])
      expect(servers.map(({ disabled, name }) => [name, disabled])).toEqual([
        ["everything", false],
        ["filesystem", false],
        ["memory", true]
      ])
    })
  )

  it.live("names programs that are there and speak MCP, the disabled one included", () =>
    Effect.gen(function* () {
      const { servers } = yield* example
      const transports = servers.flatMap(({ transport }) => (transport._tag === "stdio" ? [transport] : []))
      const answers = yield* Effect.forEach(transports, firstAnswer, { concurrency: "unbounded" })
      expect(answers.map((answer) => JSON.parse(answer).result.serverInfo.name)).toEqual([
        "mcp-servers/everything",
        "secure-filesystem-server",
        "memory-server"
      ])
    })
  )
})
