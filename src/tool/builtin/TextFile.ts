/**
 * Text files as the built-in tools read and write them: regular, of a bearable size, no binary data; written in one step.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { type Refusal, refusalOf, refuse } from "./BuiltinTool.ts"

/** The largest file that is read: 64 MiB. */
const maxBytes = 64 * 1024 * 1024

/**
 * @since 0.1.0
 * @category models
 */
export interface TextFile {
  /** The text, byte order mark and line ends as they are. `shown` is the path in errors. */
  readonly read: (absolute: string, shown: string) => Effect.Effect<string, Refusal>
  /** Puts the text in place of the file at once, directories made as needed. Tells whether the file was there before. */
  readonly write: (absolute: string, shown: string, text: string) => Effect.Effect<boolean, Refusal>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  const read = Effect.fnUntraced(function* (absolute: string, shown: string) {
    const info = yield* Effect.mapError(fs.stat(absolute), refusalOf(shown))
    const name = JSON.stringify(shown)
    if (info.type === "Directory") return yield* refuse(`${name} is a directory: list it with glob.`)
    if (info.type !== "File") return yield* refuse(`${name} is not a regular file.`)
    if (info.size > maxBytes)
      return yield* refuse(`${name} has ${info.size} bytes: search it with grep, or read a part with bash.`)
    const bytes = yield* Effect.mapError(fs.readFile(absolute), refusalOf(shown))
    if (bytes.subarray(0, 8000).includes(0)) return yield* refuse(`${name} is a binary file (${bytes.length} bytes).`)
    return yield* Effect.orElse(decode(bytes), () => refuse(`${name} is no UTF-8 text (${bytes.length} bytes).`))
  })

  const write = Effect.fnUntraced(function* (absolute: string, shown: string, text: string) {
    const before = yield* Effect.option(fs.stat(absolute))
    if (before._tag === "Some" && before.value.type !== "File") {
      return yield* refuse(`${JSON.stringify(shown)} is not a file: it cannot be written.`)
    }
    const directory = path.dirname(absolute)
    const draft = path.join(directory, `.harness9-${randomUUID()}`)
    yield* fs.makeDirectory(directory, { recursive: true }).pipe(
      Effect.zipRight(fs.writeFileString(draft, text)),
      Effect.zipRight(before._tag === "Some" ? fs.chmod(draft, before.value.mode & 0o777) : Effect.void),
      Effect.zipRight(fs.rename(draft, absolute)),
      Effect.onError(() => Effect.ignore(fs.remove(draft))),
      Effect.mapError(refusalOf(shown))
    )
    return before._tag === "Some"
  })

  const textFile: TextFile = { read, write }
  return textFile
})

const decode = (bytes: Uint8Array) =>
  Effect.try(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes))
