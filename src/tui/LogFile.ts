/**
 * Where log lines go while the UI owns the screen: into a file, unless a person has sent stderr elsewhere.
 *
 * @since 0.1.0
 */
import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import * as Settings from "../engine/Settings.ts"
import { visible } from "../mcp/VisibleText.ts"
import * as StateFile from "./StateFile.ts"

/**
 * Takes every log line of what it is provided to, and adds it to the file. One that has become larger than `maxBytes` is begun anew; what it
 * held is kept beside it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFile = (file: string, maxBytes: number): Layer.Layer<never, never, FileSystem.FileSystem> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const lines = yield* Mailbox.make<string>()
      const opened = yield* Effect.option(open(fs, file, maxBytes))
      if (opened._tag === "None") return yield* Effect.locallyScoped(FiberRef.currentLoggers, HashSet.empty())
      const log = opened.value
      let size = Number(
        (yield* Effect.option(log.stat)).pipe(Option.match({ onNone: () => 0, onSome: ({ size }) => size }))
      )
      const write = Effect.fnUntraced(function* (chunk: Iterable<string>) {
        const bytes = new TextEncoder().encode(Array.from(chunk).join(""))
        if (size > 0 && size + bytes.length > maxBytes) {
          yield* fs.copyFile(file, `${file}.1`)
          yield* log.truncate(0)
          size = 0
        }
        yield* log.writeAll(bytes)
        size += bytes.length
      }, Effect.ignore)
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.flatMap(lines.takeAll, ([chunk, done]) =>
            Effect.zipRight(write(chunk), done ? Effect.interrupt : Effect.void)
          )
        )
      )
      yield* Effect.addFinalizer(() => Effect.flatMap(lines.clear, write))
      const logger = make((line) => lines.unsafeOffer(line))
      yield* Effect.locallyScoped(FiberRef.currentLoggers, HashSet.make(logger))
    })
  )

const open = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, file: string, maxBytes: number) {
  yield* fs.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
  const size = yield* Effect.option(Effect.map(fs.stat(file), (info) => Number(info.size)))
  if (size._tag === "Some" && size.value > maxBytes) yield* fs.rename(file, `${file}.1`)
  return yield* fs.open(file, { flag: "a", mode: 0o600 })
})

const make = (write: (line: string) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, date, logLevel, message }) => {
    const text = Arr.ensure(message)
      .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      .join(" ")
    const failure = Cause.isEmpty(cause) ? "" : ` ${Cause.squash(cause)}`
    write(`${date.toISOString()} ${logLevel.label} ${visible(text + failure)}\n`)
  })

/** Settings that cannot be read are told elsewhere. */
const maxBytes = Settings.load().pipe(
  Effect.orElseSucceed(() => ({ files: [], problems: [] })),
  Effect.map(Settings.maxLogBytes)
)

/**
 * The file of the state directory; nothing when stderr is no terminal, since then log lines do not meet the screen.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never, never, FileSystem.FileSystem> = Layer.unwrapEffect(
  Effect.suspend(() =>
    process.stderr.isTTY
      ? Effect.map(maxBytes, (maxBytes) => layerFile(StateFile.path("harness9.log"), maxBytes))
      : Effect.succeed(Layer.empty)
  )
)
