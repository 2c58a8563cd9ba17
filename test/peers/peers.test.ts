import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { expect, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { McpConfig, McpManager, ServerStatus, TransportFactory } from "../../src/index.ts"
import { hasProc, processesWith, runJson } from "../e2e/cli.ts"
import { type Peer, peers } from "./peers.ts"

/** One configuration with every server. */
class Peers extends Context.Tag("test/Peers")<
  Peers,
  {
    readonly list: Readonly<Record<string, Peer>>
    /** The file, whose servers carry this mark in their environment. */
    readonly config: (mark: string) => string
  }
>() {}

const configured = Layer.scoped(
  Peers,
  Effect.map(peers, ({ home, list }) => ({
    list,
    config: (mark: string) => {
      const file = join(home, `${mark}.json`)
      const mcpServers = Object.fromEntries(
        Object.entries(list).map(([name, { entry }]) => [name, whole(entry, home, mark)])
      )
      writeFileSync(file, JSON.stringify({ mcpServers }))
      return file
    }
  }))
)

/** Starting all of them at once is much for a small machine that has other things to do: they get more time than usual. */
const whole = (entry: Peer["entry"], HOME: string, mark: string) => ({
  ...entry,
  connectTimeout: "2m",
  ...("command" in entry && { cwd: HOME, env: { ...entry.env, HOME, HARNESS9_PEER: mark } })
})

const expected = (list: Readonly<Record<string, Peer>>) =>
  Object.entries(list)
    .map(([name, { revision }]) => ({ name, status: "connected", revision, tools: true }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const timeout = 150_000

layer(configured, { excludeTestServices: true, timeout: "5 minutes" })("the servers that people install", (it) => {
  it.effect(
    "are connected side by side, each in its own revision, callable, and gone afterwards",
    () =>
      Effect.gen(function* () {
        const { config, list } = yield* Peers
        const mark = `library-${process.pid}`
        const manage = McpManager.layer.pipe(
          Layer.provide([McpConfig.layer({ file: config(mark) }), TransportFactory.layer]),
          Layer.provide(NodeFileSystem.layer)
        )
        yield* Effect.gen(function* () {
          const manager = yield* McpManager.McpManager
          yield* manager.start
          const seen = (yield* manager.statuses).map((status) => ({
            name: status.name,
            status: ServerStatus.word(status),
            ...(status._tag === "Connected" && { revision: status.protocolVersion, tools: status.tools.length > 0 }),
            ...("error" in status && { error: status.error.message })
          }))
          expect(seen).toEqual(expected(list))
          for (const [name, { call }] of Object.entries(list)) {
            if (call === undefined) continue
            const client = yield* manager.client(name)
            const { isError, text } = yield* client.callTool(call.tool, call.args)
            expect({ name, isError, text }).toEqual({ name, isError: false, text: expect.stringContaining(call.text) })
          }
        }).pipe(Effect.provide(manage), Logger.withMinimumLogLevel(LogLevel.None))
        if (hasProc) expect(processesWith(mark)).toEqual([])
      }),
    timeout
  )

  it.effect(
    "are all in `mcp list`, and gone afterwards",
    () =>
      Effect.gen(function* () {
        const { config, list } = yield* Peers
        const mark = `list-${process.pid}`
        const { code, json } = yield* runJson(["mcp", "list", "--json", "--config", config(mark)])
        expect(code).toBe(0)
        const seen = json.servers.map(({ error, name, protocolVersion, status, toolCount }: ListedServer) => ({
          name,
          status,
          revision: protocolVersion,
          tools: toolCount > 0,
          ...(error !== undefined && { error })
        }))
        expect(seen).toEqual(expected(list))
        if (hasProc) expect(processesWith(mark)).toEqual([])
      }),
    timeout
  )
})

/** A row of `mcp list --json`. */
interface ListedServer {
  readonly name: string
  readonly status: string
  readonly protocolVersion: string
  readonly toolCount: number
  readonly error?: unknown
}
