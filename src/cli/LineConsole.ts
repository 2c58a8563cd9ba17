/**
 * A conversation with a person, line by line: what `harness9` is where no terminal UI can be.
 *
 * @since 0.1.0
 */
import { createInterface } from "node:readline"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /**
   * Shows the prompt and waits for a line; nothing once there are no more. Asked while another prompt waits, it is answered
   * first, and the other one shown again.
   */
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

interface Asked {
  readonly prompt: string
  readonly answer: (line: Option.Option<string>) => void
}

/**
 * A console on two streams. It lets go of them when the Scope closes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
  const isTerminal = input.isTTY === true
  const lines: Array<string> = []
  const asked: Array<Asked> = []
  let ended = false
  const presses = yield* Queue.sliding<void>(1)
  const readline = yield* Effect.acquireRelease(
    Effect.sync(() => createInterface({ input, output: isTerminal ? output : undefined, terminal: isTerminal })),
    (readline) => Effect.sync(() => readline.close())
  )
  readline.on("line", (line) => {
    const newest = asked.pop()
    if (newest === undefined) lines.push(line)
    else newest.answer(Option.some(line))
    show(asked.at(-1))
  })
  readline.on("close", () => {
    ended = true
    for (const each of asked.splice(0)) each.answer(Option.none())
  })
  readline.on("SIGINT", () => presses.unsafeOffer(undefined))

  const show = (question: Asked | undefined) => {
    if (question === undefined) return
    readline.setPrompt(question.prompt)
    if (isTerminal) readline.prompt()
  }

  return LineConsole.of({
    isTerminal,
    cancelled: Effect.zipRight(Queue.takeAll(presses), Queue.take(presses)),
    ask: (prompt) =>
      Effect.async((resume) => {
        const early = lines.shift()
        if (early !== undefined || ended) return resume(Effect.succeed(Option.fromNullable(early)))
        const question: Asked = { prompt, answer: (line) => resume(Effect.succeed(line)) }
        asked.push(question)
        show(question)
        return Effect.sync(() => {
          const index = asked.indexOf(question)
          if (index >= 0) asked.splice(index, 1)
        })
      })
  })
})

/**
 * A console for a command that reads nothing else: the streams are its own only while it asks. Ctrl+C at a question is Ctrl+C.
 *
 * @since 0.1.0
 * @category constructors
 */
export const onDemand = (input: NodeJS.ReadStream, output: NodeJS.WriteStream): Service => ({
  isTerminal: input.isTTY === true,
  cancelled: Effect.never,
  ask: (prompt) =>
    Effect.scoped(
      Effect.flatMap(make(input, output), (console) =>
        Effect.raceFirst(console.ask(prompt), Effect.zipRight(console.cancelled, interrupted))
      )
    )
})

const interrupted = Effect.zipRight(
  Effect.sync(() => process.kill(process.pid, "SIGINT")),
  Effect.never
)

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
