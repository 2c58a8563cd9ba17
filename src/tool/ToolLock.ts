/**
 * Tools pinned to what they were: `.mcp.lock.json` beside a configuration file holds the definition of every tool of its servers
 * and the digest of each. A tool that is another one now is withheld from the model until a person accepts it.
 *
 * Without that file nothing is pinned.
 *
 * @since 0.1.0
 */
import { dirname, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ConfigEdit from "../mcp/ConfigEdit.ts"
import { McpError } from "../mcp/McpError.ts"
import type { McpTool } from "../mcp/McpSchema.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import type { Withheld } from "./Tool.ts"
import * as ToolDrift from "./ToolDrift.ts"

/**
 * What a file holds.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Document = Schema.Struct({
  version: Schema.Literal(1),
  servers: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      tools: Schema.Record({
        key: Schema.String,
        value: Schema.Struct({
          digest: Schema.String,
          definition: Schema.Record({ key: Schema.String, value: Schema.Unknown })
        })
      })
    })
  })
})

/**
 * @since 0.1.0
 * @category models
 */
export type Document = typeof Document.Type

const empty: Document = { version: 1, servers: {} }

/**
 * The file that pins the servers of a configuration file; none for an entry that stands in no file.
 *
 * @since 0.1.0
 * @category getters
 */
export const pathOf = ({ source }: Pick<ServerConfig, "source">): string | undefined =>
  source === undefined ? undefined : join(dirname(source), ".mcp.lock.json")

/**
 * What the file says; nothing when it is not there.
 *
 * @since 0.1.0
 * @category operations
 */
export const read = (path: string): Effect.Effect<Document | undefined, McpError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const exists = yield* Effect.orElseSucceed(fs.exists(path), () => true)
    return exists ? yield* parse(yield* ConfigEdit.read(path), path) : undefined
  })

const decode = Schema.decodeEither(Schema.parseJson(Document))

const parse = (text: string, path: string): Either.Either<Document, McpError> =>
  Either.mapLeft(
    decode(text),
    () =>
      new McpError({
        server: "",
        phase: "config",
        kind: "config",
        message: `${path} is no lock file of tools`,
        hint: "Take it from the repository again, or remove it and make it anew with: harness9 mcp lock"
      })
  )

/**
 * What is locked of a server; nothing when the file does not have it.
 *
 * @since 0.1.0
 * @category getters
 */
export const toolsOf = (
  { servers }: Document,
  server: string
): ReadonlyMap<string, ToolDrift.LockedTool> | undefined => {
  const locked = Object.hasOwn(servers, server) ? servers[server] : undefined
  return locked === undefined ? undefined : new Map(Object.entries(locked.tools))
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Listed {
  readonly name: string
  readonly tools: ReadonlyArray<McpTool>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface WriteOptions {
  /** Only this tool is put in. */
  readonly tool?: string | undefined
  /** Servers of other names are taken out. */
  readonly among?: ReadonlySet<string> | undefined
}

/**
 * Puts the tools of servers into the file, in the place of what it had of them.
 *
 * @since 0.1.0
 * @category operations
 */
export const write = (
  path: string,
  servers: ReadonlyArray<Listed>,
  { among, tool }: WriteOptions = {}
): Effect.Effect<void, McpError, FileSystem.FileSystem> =>
  Effect.asVoid(
    ConfigEdit.update(path, (text) =>
      Either.map(text === "" ? Either.right(empty) : parse(text, path), (before) => {
        const all = new Map(Object.entries(before.servers).filter(([name]) => among?.has(name) !== false))
        for (const { name, tools } of servers) {
          const now = new Map(tools.map((each) => [each.name, ToolDrift.lock(each)]))
          all.set(name, { tools: sorted(tool === undefined ? now : only(tool, toolsOf(before, name), now)) })
        }
        return `${JSON.stringify({ ...before, servers: sorted(all) }, undefined, 2)}\n`
      })
    )
  )

const only = (
  tool: string,
  before: ReadonlyMap<string, ToolDrift.LockedTool> | undefined,
  now: ReadonlyMap<string, ToolDrift.LockedTool>
): ReadonlyMap<string, ToolDrift.LockedTool> => {
  const next = new Map(before)
  const locked = now.get(tool)
  if (locked === undefined) next.delete(tool)
  else next.set(tool, locked)
  return next
}

const sorted = <A>(entries: ReadonlyMap<string, A>): Readonly<Record<string, A>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Which tools of the server are withheld, by its own names, and why; none where nothing is pinned. */
  readonly withheld: (
    server: ServerConfig,
    tools: ReadonlyArray<McpTool>
  ) => Effect.Effect<ReadonlyMap<string, Withheld>>
  /** A person accepts a tool as it is now. */
  readonly accept: (server: ServerConfig, tools: ReadonlyArray<McpTool>, tool: string) => Effect.Effect<void, McpError>
  /** Tells each time that something was accepted. */
  readonly accepted: Stream.Stream<void>
}

/**
 * The locks in force; without a layer nothing is pinned.
 *
 * @since 0.1.0
 * @category references
 */
export class ToolLock extends Context.Reference<ToolLock>()("harness9/ToolLock", {
  defaultValue: (): Service => ({
    withheld: () => Effect.succeed(new Map()),
    accept: () => Effect.void,
    accepted: Stream.empty
  })
}) {}

/**
 * The locks that lie beside the files of the configuration.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never, never, FileSystem.FileSystem> = Layer.effect(
  ToolLock,
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const signals = yield* PubSub.sliding<void>(1)
    return {
      withheld: (server, tools) => withheld(server, tools).pipe(Effect.provideService(FileSystem.FileSystem, fs)),
      accept: (server, tools, tool) => {
        const path = pathOf(server)
        if (path === undefined) return Effect.void
        return write(path, [{ name: server.name, tools }], { tool }).pipe(
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.zipRight(Effect.asVoid(PubSub.publish(signals, undefined)))
        )
      },
      accepted: Stream.fromPubSub(signals)
    }
  })
)

/** With a lock that cannot be read, nothing is as it was locked. */
const withheld = Effect.fnUntraced(function* (server: ServerConfig, tools: ReadonlyArray<McpTool>) {
  const path = pathOf(server)
  if (path === undefined) return none
  const document = yield* Effect.either(read(path))
  if (Either.isLeft(document)) {
    const { message } = document.left
    yield* Effect.logWarning(`[mcp] server "${server.name}": ${message}: no tool of it is offered`)
    return new Map(tools.map(({ name }) => [name, { reason: message, differences: [] }]))
  }
  const locked = document.right && toolsOf(document.right, server.name)
  if (locked === undefined) return none
  return new Map(
    ToolDrift.between(locked, tools)
      .filter(({ kind }) => kind !== "removed")
      .map(({ differences, kind, tool }) => [tool, { reason: reasonOf(kind, differences), differences }])
  )
})

const none: ReadonlyMap<string, Withheld> = new Map()

const reasonOf = (kind: ToolDrift.Drift["kind"], differences: ReadonlyArray<ToolDrift.Difference>): string =>
  kind === "added"
    ? "it is not in the lock file, and nobody has accepted it yet"
    : `it is not what it was when it was locked (${ToolDrift.fieldsOf(differences)}), and nobody has accepted that yet`
