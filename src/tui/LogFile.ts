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
import { visible } from "../mcp/VisibleText.ts"
import * as StateFile from "./StateFile.ts"

/** From here on a log is begun anew; the old one is kept beside it. */
const largest = 5 * 1024 * 1024

/**
 * Takes every log line of what it is provided to, and adds it to the file.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFile = (file: string): Layer.Layer<never, never, FileSystem.FileSystem> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const lines = yield* Mailbox.make<string>()
      const opened = yield* Effect.option(open(fs, file))
      if (opened._tag === "None") return yield* Effect.locallyScoped(FiberRef.currentLoggers, HashSet.empty())
      const write = (chunk: Iterable<string>) =>
        Effect.ignore(opened.value.writeAll(new TextEncoder().encode(Array.from(chunk).join(""))))
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

const open = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, file: string) {
  yield* fs.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
  const size = yield* Effect.option(Effect.map(fs.stat(file), (info) => Number(info.size)))
  if (size._tag === "Some" && size.value > largest) yield* fs.rename(file, `${file}.1`)
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

/**
 * The file of the state directory; nothing when stderr is no terminal, since then log lines do not meet the screen.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never, never, FileSystem.FileSystem> = Layer.unwrapEffect(
  Effect.sync(() => (process.stderr.isTTY ? layerFile(StateFile.path("harness9.log")) : Layer.empty))
)
