/**
 * A conversation with a person, line by line: what `harness9` is where no terminal UI can be.
 *
 * @since 0.1.0
 */
import { createInterface } from "node:readline"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import type * as Option from "effect/Option"
import * as Queue from "effect/Queue"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Shows the prompt and waits for a line; nothing once there are no more. */
  readonly ask: (prompt: string) => Effect.Effect<Option.Option<string>>
  /** Waits until the person presses Ctrl+C. Presses before this moment do not count. */
  readonly cancelled: Effect.Effect<void>
  /** Whether a person is there to answer questions. */
  readonly isTerminal: boolean
}

/**
 * @since 0.1.0
 * @category tags
 */
export class LineConsole extends Context.Tag("harness9/cli/LineConsole")<LineConsole, Service>() {}

/**
 * A console on two streams. It lets go of them when the Scope closes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
  const isTerminal = input.isTTY === true
  const lines = yield* Mailbox.make<string>()
  const presses = yield* Queue.sliding<void>(1)
  const readline = yield* Effect.acquireRelease(
    Effect.sync(() => createInterface({ input, output: isTerminal ? output : undefined, terminal: isTerminal })),
    (readline) => Effect.sync(() => readline.close())
  )
  readline.on("line", (line) => lines.unsafeOffer(line))
  readline.on("close", () => lines.unsafeDone(Exit.void))
  readline.on("SIGINT", () => presses.unsafeOffer(undefined))

  return LineConsole.of({
    isTerminal,
    cancelled: Effect.zipRight(Queue.takeAll(presses), Queue.take(presses)),
    ask: (prompt) =>
      Effect.suspend(() => {
        readline.setPrompt(prompt)
        if (isTerminal) readline.prompt()
        return Effect.option(lines.take)
      })
  })
})

/**
 * The console of the process.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = Layer.scoped(
  LineConsole,
  Effect.suspend(() => make(process.stdin, process.stdout))
)
