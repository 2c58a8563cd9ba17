/** Clients of `harness9 mcp serve`: the official SDKs' and a bare one, over stdio and HTTP. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { join } from "node:path"
import { Client as ModernSdk, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as FirstSdk } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { configured, fixture, packaged, root } from "./cli.ts"

const main = join(root, "dist/cli/main.js")

/** The servers behind the gateway: one that has everything, and one on the SDK's second line. */
export const behind = {
  everything: packaged("everything"),
  sdk2: fixture("sdk2.mjs", { args: ["stdio"] })
}

/** `harness9 mcp serve`, as a host starts it. */
export const command = (config: string, ...options: ReadonlyArray<string>) => ({
  command: process.execPath,
  args: [main, "mcp", "serve", "--config", config, "--log-level", "error", ...options]
})

/** The gateway over HTTP; gives its address. */
export const overHttp = (
  config: string,
  ...options: ReadonlyArray<string>
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { args, command: program } = command(config, "--http", "0", ...options)
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] })),
      ended
    )
    const url = yield* Deferred.make<string>()
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text
      const found = /Serving at (\S+)/.exec(said)?.[1]
      if (found !== undefined) Deferred.unsafeDone(url, Effect.succeed(found))
    })
    child.on("close", () => Deferred.unsafeDone(url, Effect.die(new Error(`the gateway ended: ${said}`))))
    return yield* Deferred.await(url)
  })

/** SIGTERM lets the gateway end its servers. */
const ended = (child: ChildProcessWithoutNullStreams) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    child.kill("SIGTERM")
  })

export type Json = Readonly<Record<string, unknown>>

/** What a test asks of a client, whichever SDK it is on. */
export interface TestClient {
  readonly tools: Effect.Effect<ReadonlyArray<Json>>
  readonly call: (name: string, args?: Json, options?: CallOptions) => Effect.Effect<Json, Error>
  readonly request: (method: string, params?: Json) => Effect.Effect<Json, Error>
  readonly revision: string | undefined
}

export interface CallOptions {
  readonly onprogress?: (progress: Json) => void
  readonly signal?: AbortSignal
}

export interface Told {
  /** Each notification, as it comes. */
  readonly told?: (method: string, params: Json) => void
  readonly asked?: (method: string, params: Json) => Json
}

export type Kind = "1.32" | "2.4 legacy" | "2.4 auto"

export const kinds: ReadonlyArray<Kind> = ["1.32", "2.4 legacy", "2.4 auto"]

const info = { name: "test", version: "1.0.0" }
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} }

/** Where a client finds the gateway: the program to start, or the URL. */
export type Place = ReturnType<typeof command> | string

const attempt = <A>(run: () => PromiseLike<A>): Effect.Effect<A, Error> =>
  Effect.tryPromise({ try: run, catch: (error) => (error instanceof Error ? error : new Error(String(error))) })

export const connect = (kind: Kind, place: Place, options: Told = {}): Effect.Effect<TestClient, Error, Scope.Scope> =>
  kind === "1.32" ? first(place, options) : second(kind, place, options)

const first = Effect.fnUntraced(function* (place: Place, { asked = answer, told }: Told) {
  const client = new FirstSdk(info, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, ({ method, params }) => asked(method, params) as never)
  client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }) => asked(method, params) as never)
  client.setRequestHandler(ListRootsRequestSchema, ({ method }) => asked(method, {}) as never)
  for (const schema of [
    LoggingMessageNotificationSchema,
    ResourceUpdatedNotificationSchema,
    ToolListChangedNotificationSchema
  ] as const) {
    client.setNotificationHandler(schema as typeof LoggingMessageNotificationSchema, ({ method, params }) =>
      told?.(method, params ?? {})
    )
  }
  const transport =
    typeof place === "string" ? new FirstHttp(new URL(place)) : new FirstStdio({ ...place, stderr: "ignore" })
  yield* Effect.acquireRelease(
    // The SDK's own transports do not fit its interface where optional properties are exact.
    attempt(() => client.connect(transport as never)),
    () => Effect.promise(() => client.close())
  )
  const made: TestClient = {
    revision: "2025-11-25",
    tools: Effect.promise(() => client.listTools().then(({ tools }) => tools as ReadonlyArray<Json>)),
    call: (name, args = {}, options) =>
      attempt(() => client.callTool({ name, arguments: { ...args } }, undefined, options as never) as Promise<Json>),
    request: (method, params) => attempt(() => client.request({ method, params } as never, anything as never))
  }
  return made
})

/** Takes every result as it is. */
const anything = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
  // What the first line asks of a schema of zod.
  parse: (value: unknown) => value,
  safeParse: (data: unknown) => ({ success: true, data }),
  safeParseAsync: (data: unknown) => Promise.resolve({ success: true, data }),
  _zod: { run: (payload: unknown) => payload, parse: (payload: unknown) => payload, def: {}, traits: new Set() }
}

const second = Effect.fnUntraced(function* (kind: Kind, place: Place, { asked = answer, told }: Told) {
  const mode = kind === "2.4 auto" ? "auto" : "legacy"
  const client = new ModernSdk(info, { capabilities, versionNegotiation: { mode } })
  for (const method of ["elicitation/create", "sampling/createMessage", "roots/list"] as const) {
    client.setRequestHandler(method, ({ params }) => asked(method, params ?? {}) as never)
  }
  for (const method of [
    "notifications/message",
    "notifications/resources/updated",
    "notifications/tools/list_changed"
  ] as const) {
    client.setNotificationHandler(method, ({ params }) => told?.(method, params ?? {}))
  }
  const transport =
    typeof place === "string"
      ? new StreamableHTTPClientTransport(new URL(place))
      : new StdioClientTransport({ ...place, stderr: "ignore" })
  yield* Effect.acquireRelease(
    attempt(() => client.connect(transport)),
    () => Effect.promise(() => client.close())
  )
  const made: TestClient = {
    revision: client.getNegotiatedProtocolVersion(),
    tools: Effect.promise(() => client.listTools().then(({ tools }) => tools as ReadonlyArray<Json>)),
    call: (name, args = {}, options) =>
      attempt(() => client.callTool({ name, arguments: { ...args } }, options as never) as Promise<Json>),
    request: (method, params) => attempt(() => client.request({ method, params } as never) as Promise<Json>)
  }
  return made
})

/** A person called Ada, who has a model and a folder. */
export const answer = (method: string): Json => {
  switch (method) {
    case "elicitation/create":
      return { action: "accept", content: { name: "Ada" } }
    case "sampling/createMessage":
      return { model: "m", role: "assistant", content: { type: "text", text: "hello" } }
    default:
      return { roots: [{ uri: "file:///work", name: "work" }] }
  }
}

/** A configuration with these servers. */
export const serving = (servers: Readonly<Record<string, unknown>>) => configured(servers)
