/**
 * A program that is run for what it prints: a keychain's, a person's own helper. No shell is between,
 * and what it started ends with it.
 */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ProcessTree from "../../internal/stdio/ProcessTree.ts"

const maxBytes = 256 * 1024
const grace = Duration.millis(200)

export interface Call {
  readonly command: readonly [string, ...ReadonlyArray<string>]
  readonly stdin?: string | undefined
  readonly cwd?: string | undefined
  /** Variables beside the host's. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** What the program printed is not in it: that may be a secret. */
export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{
  readonly message: string
  readonly hint?: string | undefined
  readonly started: boolean
}> {}

/** Runs it to its end. Interruption ends it at once. */
export const run = ({ command, cwd, env, stdin }: Call): Effect.Effect<{ readonly stdout: string }, ProgramFailed> => {
  const [program, ...args] = command
  const failed = (message: string) => new ProgramFailed({ message: `${program} ${message}`, started: true })
  return Effect.scoped(
    Effect.gen(function* () {
      const tree = yield* ProcessTree.spawn({
        server: "",
        command: program,
        args,
        env: { ...hostEnvironment(), ...env },
        cwd,
        grace
      }).pipe(Effect.mapError(({ hint, message }) => new ProgramFailed({ message, hint, started: false })))
      const chunks: Array<Uint8Array> = []
      let size = 0
      const tooMuch = yield* Deferred.make<never, ProgramFailed>()
      tree.stdout.on("data", (chunk: Uint8Array) => {
        size += chunk.length
        if (size <= maxBytes) chunks.push(chunk)
        else Deferred.unsafeDone(tooMuch, Effect.fail(failed(`printed more than ${maxBytes} bytes`)))
      })
      tree.stderr.resume()
      tree.stdin.end(stdin)
      const ending = yield* Effect.raceFirst(
        Effect.zipRight(Deferred.await(tree.drained), Deferred.await(tree.ended)),
        Deferred.await(tooMuch)
      )
      if (ending._tag === "NeverRan") return yield* new ProgramFailed({ message: ending.error.message, started: false })
      if (ending.signal !== null) return yield* failed(`was killed by ${ending.signal}`)
      if (ending.code !== 0) return yield* failed(`ended with code ${ending.code}`)
      return { stdout: Buffer.concat(chunks).toString("utf8") }
    })
  )
}

const hostEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((variable): variable is [string, string] => variable[1] !== undefined)
  )
