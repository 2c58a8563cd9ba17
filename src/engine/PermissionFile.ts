/**
 * What a person has allowed for good: a file of the person's own, by the folder that it was allowed in.
 *
 * A project has no say in it: a file that comes with a checkout could allow everything.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Content = Schema.parseJson(
  Schema.Struct({ allow: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }) })
)

type Content = typeof Content.Type

/**
 * The patterns that are allowed in a folder. A file that cannot be read allows nothing, and is logged.
 *
 * @since 0.1.0
 * @category operations
 */
export const load = Effect.fnUntraced(function* (file: string, folder: string) {
  const content = yield* read(file)
  return Option.match(content, { onNone: () => [], onSome: ({ allow }) => allow[folder] ?? [] })
})

/**
 * Adds a pattern for a folder. That it cannot be kept is logged; a file that is no permission file is left as it is.
 *
 * @since 0.1.0
 * @category operations
 */
export const add = Effect.fnUntraced(function* (file: string, folder: string, pattern: string) {
  const content = yield* read(file)
  if (Option.isNone(content)) return
  const { allow } = content.value
  const patterns = allow[folder] ?? []
  if (patterns.includes(pattern)) return
  yield* write(file, { allow: { ...allow, [folder]: [...patterns, pattern] } }).pipe(
    Effect.catchAll((error) => logged(file, error))
  )
})

/** Nothing when there is a file that cannot be read. */
const read = (file: string): Effect.Effect<Option.Option<Content>, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* fs.exists(file))) return Option.some<Content>({ allow: {} })
    return Option.some(yield* Effect.flatMap(fs.readFileString(file), Schema.decode(Content)))
  }).pipe(Effect.catchAll((error) => Effect.as(logged(file, error), Option.none())))

/** In one step, so that a process that dies meanwhile leaves the old file. */
const write = Effect.fnUntraced(function* (file: string, content: Content) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}.tmp`
  yield* fs.writeFileString(next, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  yield* fs.rename(next, file)
})

const logged = (file: string, error: { readonly message: string }) =>
  Effect.logWarning(`permissions in ${file}: ${error.message}`)
