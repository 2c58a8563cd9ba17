/**
 * Changes of a configuration file that leave the rest of it as it was written: comments, order, indentation, line ends,
 * trailing commas, byte order mark.
 *
 * The edits are functions of the text. `update` puts one into a file: as a whole or not at all, and one program after the other.
 * A text that does not parse is never changed.
 *
 * @since 0.1.0
 */
import { dirname, resolve } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as ConfigText from "./internal/config/ConfigText.ts"
import * as JsonEdit from "./internal/config/JsonEdit.ts"
import type { JsonObject } from "./JsonRpc.ts"
import { McpError } from "./McpError.ts"

/**
 * A change of a file's text. The left side says why the text cannot be changed.
 *
 * @since 0.1.0
 * @category models
 */
export type Edit = (text: string, path: string) => Either.Either<string, McpError>

/**
 * Puts an entry into the file: in place of the one of that name, else as the last.
 *
 * @since 0.1.0
 * @category edits
 */
export const setEntry =
  (name: string, entry: JsonObject): Edit =>
  (text, path) =>
    edit(text, path, (source, root) => {
      if (root === undefined) return Either.right(JsonEdit.document(source, { mcpServers: { [name]: entry } }))
      return Either.map(serversIn(root, path), (servers) =>
        servers === undefined
          ? JsonEdit.setProperty(source, root, "mcpServers", { [name]: entry })
          : JsonEdit.setProperty(source, servers, name, entry)
      )
    })

/**
 * Takes an entry out of the file; of a name that is there twice, both.
 *
 * @since 0.1.0
 * @category edits
 */
export const removeEntry =
  (name: string): Edit =>
  (text, path) =>
    withoutProperty(text, path, name, (root) => Either.map(serversIn(root, path), Option.fromNullable))

/**
 * Sets a field of an entry that is there; `undefined` takes it out.
 *
 * @since 0.1.0
 * @category edits
 */
export const setField =
  (name: string, field: string, value: unknown): Edit =>
  (text, path) =>
    value === undefined
      ? withoutProperty(text, path, field, (root) => Either.map(entryIn(root, name, path), Option.some))
      : edit(text, path, (source, root) =>
          Either.map(root === undefined ? missing(name, path) : entryIn(root, name, path), (entry) =>
            JsonEdit.setProperty(source, entry, field, value)
          )
        )

/**
 * Puts a text at the end of a list, which is reached over these keys; what is missing on the way is made. Nothing changes when the list has it.
 *
 * @since 0.1.0
 * @category edits
 */
export const append =
  (keys: ReadonlyArray<string>, item: string): Edit =>
  (text, path) =>
    edit(text, path, (source, root) => {
      if (root === undefined) return Either.right(JsonEdit.document(source, nested(keys, item)))
      let node = root
      for (const [index, key] of keys.entries()) {
        if (node.type !== "object")
          return Either.left(failure(`${path}: ${keys.slice(0, index).join(".")} is no object`))
        const child = ConfigText.properties(node).findLast((property) => property.key === key)?.value
        if (child === undefined) {
          return Either.right(JsonEdit.setProperty(source, node, key, nested(keys.slice(index + 1), item)))
        }
        node = child
      }
      if (node.type !== "array") return Either.left(failure(`${path}: ${keys.join(".")} is no list`))
      const isThere = node.children?.some(({ value }) => value === item) === true
      return Either.right(isThere ? source.text : JsonEdit.appendItem(source, node, item))
    })

const nested = (keys: ReadonlyArray<string>, item: string): unknown =>
  keys.reduceRight<unknown>((value, key) => ({ [key]: value }), [item])

/**
 * Several changes as one.
 *
 * @since 0.1.0
 * @category edits
 */
export const all =
  (edits: ReadonlyArray<Edit>): Edit =>
  (text, path) =>
    edits.reduce<Either.Either<string, McpError>>(
      (before, next) => Either.flatMap(before, (changed) => next(changed, path)),
      Either.right(text)
    )

/**
 * The entries of a text as they are written, in its order.
 *
 * @since 0.1.0
 * @category getters
 */
export const entries = (text: string, path: string): Either.Either<ReadonlyMap<string, unknown>, McpError> =>
  ConfigText.parse(text, path).pipe(
    Either.flatMap(({ root }) => (root === undefined ? Either.right(undefined) : serversIn(root, path))),
    Either.map((servers) => {
      const all = servers === undefined ? [] : ConfigText.lastProperties(servers)
      return new Map(all.map(({ key, value }) => [key, ConfigText.toValue(value)]))
    })
  )

/**
 * The text of a configuration file; the empty text when there is none.
 *
 * @since 0.1.0
 * @category operations
 */
export const read = (path: string): Effect.Effect<string, McpError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const bytes = yield* fs.readFile(path).pipe(
      Effect.catchIf(hasReason("NotFound"), () => Effect.succeed(new Uint8Array())),
      Effect.mapError((error) => failure(`${path} cannot be read: ${because(error)}`))
    )
    // The byte order mark is part of the text here, so that it is written again.
    const text = yield* ConfigText.decode(bytes, path)
    return bytes[0] === 0xef && bytes[1] === 0xbb && !text.startsWith(byteOrderMark) ? byteOrderMark + text : text
  })

/**
 * Changes a file: read, edited, and replaced in one step by a file of the same mode, where a link leads if it is one. Whoever edits
 * it at the same time waits. A missing file is made. Tells whether anything has changed.
 *
 * @since 0.1.0
 * @category operations
 */
export const update = (path: string, edit: Edit): Effect.Effect<boolean, McpError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const target = yield* destination(path)
    const draft = `${target}.lock`
    yield* fs.makeDirectory(dirname(target), { recursive: true })
    const mode = yield* Effect.option(Effect.map(fs.stat(target), (info) => info.mode & 0o7777))

    const replace = Effect.gen(function* () {
      const before = yield* read(target)
      const after = yield* edit(before, path)
      if (after === before) {
        yield* fs.remove(draft)
        return false
      }
      yield* fs.writeFileString(draft, after)
      if (Option.isSome(mode)) yield* fs.chmod(draft, mode.value)
      yield* fs.rename(draft, target)
      return true
    })

    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(
        restore(take(draft)),
        Effect.tapErrorCause(replace, () => Effect.ignore(fs.remove(draft)))
      )
    )
  }).pipe(
    Effect.mapError((error) =>
      error._tag === "McpError" ? error : failure(`${path} cannot be written: ${because(error)}`)
    )
  )

const pollInterval = Duration.millis(20)
/** Nobody edits that long: whoever has made an older draft is gone. */
const staleAfter = Duration.seconds(10)

/** Makes the draft, which only one program at a time can. */
const take = (draft: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const clearStale = Effect.gen(function* () {
      const { mtime } = yield* fs.stat(draft)
      const oldest = (yield* Clock.currentTimeMillis) - Duration.toMillis(staleAfter)
      if (Option.exists(mtime, (time) => time.getTime() < oldest)) yield* fs.remove(draft)
    })
    yield* fs.writeFileString(draft, "", { flag: "wx" }).pipe(
      Effect.tapErrorTag("SystemError", ({ reason }) =>
        reason === "AlreadyExists" ? Effect.ignore(clearStale) : Effect.void
      ),
      Effect.retry({ while: hasReason("AlreadyExists"), schedule: Schedule.spaced(pollInterval) })
    )
  })

const byteOrderMark = "\uFEFF"

/** The file that is meant, when the path is a link to it; also when that is not there yet. */
const destination = (path: string): Effect.Effect<string, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    fs.realPath(path).pipe(
      Effect.orElse(() => Effect.map(fs.readLink(path), (link) => resolve(dirname(path), link))),
      Effect.orElseSucceed(() => path)
    )
  )

/** Parses a text and changes it without its byte order mark. */
const edit = (
  raw: string,
  path: string,
  change: (source: JsonEdit.Source, root: ConfigText.Node | undefined) => Either.Either<string, McpError>
): Either.Either<string, McpError> => {
  const mark = raw.startsWith(byteOrderMark) ? byteOrderMark : ""
  const text = raw.slice(mark.length)
  return ConfigText.parse(text, path).pipe(
    Either.flatMap(({ root }) => change(JsonEdit.source(text, root), root)),
    Either.map((changed) => mark + changed)
  )
}

/** The text without every property of that name in the object that `find` leads to. */
const withoutProperty = (
  text: string,
  path: string,
  key: string,
  find: (root: ConfigText.Node) => Either.Either<Option.Option<ConfigText.Node>, McpError>
): Either.Either<string, McpError> =>
  edit(text, path, (source, root) =>
    Either.map(root === undefined ? Either.right(Option.none()) : find(root), (object) => {
      const property = Option.getOrUndefined(object)
      const last =
        property === undefined ? undefined : ConfigText.properties(property).findLast((known) => known.key === key)
      return property === undefined || last === undefined
        ? source.text
        : JsonEdit.removeProperty(source, property, last)
    })
  ).pipe(
    Either.flatMap((changed) => (changed === text ? Either.right(text) : withoutProperty(changed, path, key, find)))
  )

/** The object that holds the entries, if there is one. */
const serversIn = (root: ConfigText.Node, path: string): Either.Either<ConfigText.Node | undefined, McpError> => {
  if (root.type !== "object") return Either.left(failure(`${path}: the file must hold an object with "mcpServers"`))
  const servers = ConfigText.properties(root).findLast(({ key }) => key === "mcpServers")?.value
  return servers === undefined || servers.type === "object"
    ? Either.right(servers)
    : Either.left(failure(`${path}: "mcpServers" must be an object with an entry for each server`))
}

const entryIn = (root: ConfigText.Node, name: string, path: string): Either.Either<ConfigText.Node, McpError> =>
  Either.flatMap(serversIn(root, path), (servers) => {
    const entry = servers && ConfigText.properties(servers).findLast(({ key }) => key === name)?.value
    if (entry === undefined) return missing(name, path)
    return entry.type === "object" ? Either.right(entry) : Either.left(failure(`${path}: "${name}" is no object`))
  })

const missing = (name: string, path: string) => Either.left(failure(`${path} has no server "${name}"`))

const hasReason = (reason: string) => (error: PlatformError) => error._tag === "SystemError" && error.reason === reason

const because = (error: PlatformError): string =>
  error._tag === "SystemError" && error.reason === "PermissionDenied" ? "permission denied" : error.message

const failure = (message: string): McpError => new McpError({ server: "", phase: "config", kind: "config", message })
