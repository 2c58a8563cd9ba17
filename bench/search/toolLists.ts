/**
 * The tool lists of the published servers: each is installed into a cache outside the repository, started, and asked by
 * harness9's own client. What a pinned version has answered once is kept beside it.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as McpManager from "../../src/mcp/McpManager.ts"
import type { McpTool } from "../../src/mcp/McpSchema.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TransportFactory from "../../src/mcp/TransportFactory.ts"
import { fromTool } from "../../src/tool/McpToolAdapter.ts"
import type { Tool } from "../../src/tool/Tool.ts"
import { type PublishedServer, servers } from "./servers.ts"

export interface ToolLists {
  /** The tools as the registry would hold them. */
  readonly tools: ReadonlyArray<Tool>
  readonly servers: ReadonlyArray<string>
  /** Servers that could not be installed or asked, and why. */
  readonly failed: ReadonlyArray<string>
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "harness9", "bench-search")

/** The lists of every server that can be asked. */
export const read: Effect.Effect<ToolLists> = Effect.gen(function* () {
  const [failures, lists] = yield* Effect.partition(servers, (server) =>
    Effect.mapBoth(listOf(server), {
      onSuccess: (tools) => ({ server: server.name, tools }),
      onFailure: (error) => `${server.package}: ${error instanceof Error ? error.message : String(error)}`
    })
  )
  return {
    tools: lists.flatMap(({ server, tools }) => tools.map((tool) => fromTool(server, tool, Effect.never))),
    servers: lists.map(({ server }) => server),
    failed: failures
  }
})

const listOf = (server: PublishedServer): Effect.Effect<ReadonlyArray<McpTool>, unknown> =>
  Effect.gen(function* () {
    const folder = join(cache, `${server.package.replace("/", "+")}@${server.version}`)
    const kept = join(folder, "tools.json")
    if (existsSync(kept)) return JSON.parse(yield* Effect.tryPromise(() => readFile(kept, "utf8")))
    yield* Effect.tryPromise(() => install(server, folder))
    for (const [name, text] of Object.entries(server.files ?? {})) {
      yield* Effect.tryPromise(() => writeFile(join(folder, name), text))
    }
    const tools = yield* ask(server, folder)
    yield* Effect.tryPromise(() => writeFile(kept, JSON.stringify(tools)))
    return tools
  })

/** Without install scripts: listing tools needs none. */
const install = async (server: PublishedServer, folder: string): Promise<void> => {
  if (existsSync(join(folder, "node_modules", server.package))) return
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), '{ "private": true }')
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  await promisify(execFile)("npm", ["install", ...options, `${server.package}@${server.version}`])
}

const ask = (server: PublishedServer, folder: string): Effect.Effect<ReadonlyArray<McpTool>, unknown> =>
  Effect.gen(function* () {
    const config = ServerConfig.stdio(server.name, {
      command: process.execPath,
      args: [yield* Effect.tryPromise(() => entryPoint(server, folder)), ...(server.args ?? [])],
      env: server.env ?? {},
      cwd: folder
    })
    return yield* Effect.gen(function* () {
      const manager = yield* McpManager.McpManager
      yield* manager.start
      return yield* Effect.flatMap(manager.client(server.name), (client) => client.tools)
    }).pipe(
      Effect.provide(McpManager.layerConfig([config], { connectTimeout: Duration.seconds(60) })),
      Effect.provide(TransportFactory.layer)
    )
  })

const entryPoint = async (server: PublishedServer, folder: string): Promise<string> => {
  const home = join(folder, "node_modules", server.package)
  const { bin } = JSON.parse(await readFile(join(home, "package.json"), "utf8"))
  const file = typeof bin === "string" ? bin : Object.values(bin ?? {})[0]
  if (typeof file !== "string") throw new Error("the package has no program")
  return resolve(home, file)
}
