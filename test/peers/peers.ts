/**
 * Published servers, as people configure them: each with the revision that it is to be spoken to in.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import type { ProtocolVersion } from "../../src/mcp/ProtocolVersion.ts"
import { folder, packaged } from "../e2e/cli.ts"
import * as Http from "../mcp/httpServer.ts"
import { installed } from "./installed.ts"

/** A server of the configuration, and what is known of it. */
export interface Peer {
  /** An entry of the configuration, without what all of them have. */
  readonly entry: Program | { readonly type?: "sse"; readonly url: string }
  readonly revision: ProtocolVersion
  /** A call that needs nothing but the server, and a part of its answer. */
  readonly call?: { readonly tool: string; readonly args: JsonObject; readonly text: string }
}

interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/** A person's folder with what the servers want to find in it. */
const home = Effect.tap(folder, (path) =>
  Effect.sync(() => {
    const nowhere = { server: "http://127.0.0.1:1" }
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "nowhere", cluster: nowhere }],
      users: [{ name: "nobody", user: {} }],
      contexts: [{ name: "nowhere", context: { cluster: "nowhere", user: "nobody" } }],
      "current-context": "nowhere"
    }
    writeFileSync(join(path, "kubeconfig"), JSON.stringify(config))
  })
)

/** All of them; those that are reached over HTTP run until the Scope closes. */
export const peers = Effect.gen(function* () {
  const HOME = yield* home
  const modules = join(yield* installed, "node_modules")
  const bin = (file: string, ...args: ReadonlyArray<string>) => [join(modules, file), ...args]
  const program = (file: string, ...args: ReadonlyArray<string>) => ({
    command: process.execPath,
    args: bin(file, ...args)
  })

  const memory = { ...packaged("memory"), env: { MEMORY_FILE_PATH: join(HOME, "memory.json") } }
  const kubernetes = "kubernetes-mcp-server/bin/index.js"
  const git = "@cyanheads/git-mcp-server/dist/index.js"
  const kubeconfig = { KUBECONFIG: join(HOME, "kubeconfig") }
  const gateway =
    (output: string, ...args: ReadonlyArray<string>) =>
    (port: string) => ({
      args: bin("supergateway/dist/index.js", "--outputTransport", output, ...args, "--port", port, "--stdio", gated),
      cwd: HOME,
      env: memory.env
    })
  const gated = [memory.command, ...memory.args].map((word) => `"${word}"`).join(" ")
  const overHttp = yield* Effect.all(
    {
      context7: Http.program((port) => ({
        args: bin("@upstash/context7-mcp/dist/index.js", "--transport", "http", "--port", port)
      })),
      gateway: Http.program(gateway("streamableHttp", "--stateful")),
      gatewaySse: Http.program(gateway("sse")),
      git: Http.program((port) => ({
        args: bin(git),
        cwd: HOME,
        env: { MCP_TRANSPORT_TYPE: "http", MCP_HTTP_PORT: port }
      })),
      kubernetes: Http.program((port) => ({
        args: bin(kubernetes, "--port", port, "--bind-address", "127.0.0.1"),
        env: kubeconfig
      }))
    },
    { concurrency: "unbounded" }
  )

  const echo = { tool: "echo", args: { message: "tea" }, text: "Echo: tea" }
  const remember = { tool: "read_graph", args: {}, text: "entities" }
  const list: Readonly<Record<string, Peer>> = {
    // The reference servers, on the SDK's first line.
    everything: { entry: packaged("everything", "stdio"), revision: "2025-11-25", call: echo },
    filesystem: {
      entry: packaged("filesystem", HOME),
      revision: "2025-11-25",
      call: { tool: "list_allowed_directories", args: {}, text: HOME }
    },
    memory: { entry: memory, revision: "2025-11-25", call: remember },
    thinking: { entry: packaged("sequential-thinking"), revision: "2025-11-25" },
    // Knows no revision but the first.
    github: { entry: program("@modelcontextprotocol/server-github/dist/index.js"), revision: "2024-11-05" },
    // On the SDK's second line: both eras.
    context7: { entry: program("@upstash/context7-mcp/dist/index.js"), revision: "2026-07-28" },
    "context7-http": { entry: { url: `${overHttp.context7}/mcp` }, revision: "2026-07-28" },
    shadcn: {
      entry: program("shadcn/dist/index.js", "mcp"),
      revision: "2026-07-28",
      call: { tool: "get_project_registries", args: {}, text: "registries" }
    },
    // The Go SDK: stateless over stdio, while over HTTP it answers `server/discover` and names no stateless revision.
    kubernetes: {
      entry: { ...program(kubernetes), env: kubeconfig },
      revision: "2026-07-28",
      call: { tool: "configuration_view", args: {}, text: "nowhere" }
    },
    "kubernetes-http": {
      entry: { url: `${overHttp.kubernetes}/mcp` },
      revision: "2025-11-25",
      call: { tool: "configuration_view", args: {}, text: "nowhere" }
    },
    // The C# SDK, and a list of tools in a line of 77 kB.
    azure: {
      entry: { ...program("@azure/mcp/index.js", "server", "start"), env: { AZURE_MCP_COLLECT_TELEMETRY: "false" } },
      revision: "2025-11-25"
    },
    // Over HTTP it answers 500 to what it does not know.
    git: { entry: program(git), revision: "2025-11-25" },
    "git-http": { entry: { url: `${overHttp.git}/mcp` }, revision: "2025-11-25" },
    // A server behind a gateway: 404 with -32601 to what the gateway does not know, and HTTP+SSE, told or found out.
    "gateway-http": { entry: { url: `${overHttp.gateway}/mcp` }, revision: "2025-11-25", call: remember },
    "gateway-sse": {
      entry: { type: "sse", url: `${overHttp.gatewaySse}/sse` },
      revision: "2025-11-25",
      call: remember
    },
    "gateway-sse-found": { entry: { url: `${overHttp.gatewaySse}/sse` }, revision: "2025-11-25", call: remember }
  }
  return { home: HOME, list }
})
