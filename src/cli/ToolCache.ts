/**
 * The names of the tools that servers were last seen with, for completions: a Tab must not start a server.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import { dirname, isAbsolute, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import type { ServerStatus } from "../mcp/ServerStatus.ts"

const Content = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }))

type Content = typeof Content.Type

/**
 * Keeps the tools of the servers that are connected. That it cannot is nobody's trouble.
 *
 * @since 0.1.0
 * @category operations
 */
export const remember = (
  configs: ReadonlyArray<ServerConfig>,
  statuses: ReadonlyArray<ServerStatus>
): Effect.Effect<void, never, FileSystem.FileSystem> =>
  Effect.forEach(
    Object.entries(Arr.groupBy(configs, ({ source }) => source ?? "")),
    ([source, servers]) => {
      const seen = servers.flatMap(({ name }) => {
        const status = statuses.find((known) => known.name === name)
        return status?._tag === "Connected" ? [[name, status.tools.map((tool) => tool.name)] as const] : []
      })
      return seen.length === 0 ? Effect.void : add(source, Object.fromEntries(seen))
    },
    { discard: true }
  )

/**
 * The tools that a server was last seen with.
 *
 * @since 0.1.0
 * @category getters
 */
export const recall = ({
  name,
  source = ""
}: ServerConfig): Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem> =>
  Effect.map(read(source), (content) => (Record.has(content, name) ? (content[name] ?? []) : []))

const add = Effect.fnUntraced(
  function* (source: string, seen: Content) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* placeOf(source)
    const before = yield* read(source)
    const after = { ...before, ...seen }
    if (JSON.stringify(after) === JSON.stringify(before)) return
    const draft = `${path}.${process.pid}.tmp`
    yield* fs.makeDirectory(dirname(path), { recursive: true, mode: 0o700 })
    yield* fs.writeFileString(draft, JSON.stringify(after), { mode: 0o600 })
    yield* fs.rename(draft, path)
  },
  (effect) => Effect.ignore(effect)
)

const read = (source: string): Effect.Effect<Content, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const text = yield* fs.readFileString(yield* placeOf(source))
    return yield* Schema.decode(Content)(text)
  }).pipe(Effect.orElseSucceed(() => ({})))

/** A file for each configuration file: servers of two projects may have one name. */
const placeOf = (source: string) =>
  Effect.suspend(() => {
    const { HOME, USERPROFILE, XDG_CACHE_HOME = "" } = process.env
    const home = HOME ?? USERPROFILE
    const folder = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : home === undefined ? undefined : join(home, ".cache")
    const name = createHash("sha256").update(source).digest("hex").slice(0, 16)
    return Effect.fromNullable(folder && join(folder, "harness9", "tools", `${name}.json`))
  })
