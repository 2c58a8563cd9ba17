/**
 * What servers ask a person, line by line.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Person } from "../engine/Person.ts"
import * as Elicitation from "../mcp/Elicitation.ts"
import { oneLine, visible } from "../mcp/VisibleText.ts"
import * as FieldText from "../tui/FieldText.ts"
import * as PageAddress from "../tui/PageAddress.ts"
import * as LineConsole from "./LineConsole.ts"
import { Output } from "./output/Output.ts"

/** As much of a foreign text as is shown before a question. */
const longest = 2_000

type Ended = "ended"

/**
 * The person at the console. Questions come one after the other; no answer, or the end of the lines, is no.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Person, never, LineConsole.LineConsole | Output> = Layer.effect(
  Person,
  Effect.gen(function* () {
    const console = yield* LineConsole.LineConsole
    const output = yield* Output
    const oneAtATime = (yield* Effect.makeSemaphore(1)).withPermits(1)
    const tell = (text: string) => output.note(visible(text, { newlines: true }))
    const ask = (question: string) =>
      Effect.map(console.ask(`${question} `), (line) => Option.getOrElse(line, () => "").trim())
    const word = (question: string) => Effect.map(ask(question), (line) => line.toLowerCase().charAt(0))

    /** Fails when there are no more lines. */
    const field = (one: Elicitation.Field): Effect.Effect<Elicitation.Content[string] | undefined, Ended> =>
      Effect.gen(function* () {
        const initial = FieldText.initial(one)
        const question = `${FieldText.label(one)}${initial === "" ? "" : ` [${oneLine(initial)}]`}: `
        const line = yield* Effect.flatMap(
          console.ask(question),
          Option.match({ onNone: () => Effect.fail("ended" as const), onSome: Effect.succeed })
        )
        const value = FieldText.parse(one, line.trim() === "" ? initial : line)
        const problem = Elicitation.problem(one, value)
        if (problem === undefined) return value
        yield* tell(`  ${problem}`)
        return yield* field(one)
      })

    const fillIn = ({ fields }: Elicitation.FormRequest): Effect.Effect<Elicitation.FormAnswer> =>
      Effect.forEach(fields, (one) => Effect.map(field(one), (value) => [one.name, value] as const)).pipe(
        Effect.map(
          (values): Elicitation.FormAnswer => ({
            action: "accept",
            content: Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
          })
        ),
        Effect.orElseSucceed((): Elicitation.FormAnswer => ({ action: "cancel" }))
      )

    return {
      tell,
      sampling: (request, { server }) =>
        oneAtATime(
          Effect.gen(function* () {
            const last = request.messages
              .at(-1)
              ?.content.map((block) => (block.type === "text" ? block.text : block.type))
            yield* tell(`${server} wants to ask the model (at most ${request.maxTokens} tokens):`)
            yield* tell((last ?? []).join("\n").slice(0, longest))
            const answer = yield* word("Allow it? [y]es, [N]o, [a]lways in this session:")
            return { _tag: answer === "y" ? "Once" : answer === "a" ? "Session" : "Deny" } as const
          })
        ),
      form: (request, { server }) =>
        oneAtATime(
          Effect.gen(function* () {
            yield* tell(`${server} asks you: ${request.message.slice(0, longest)}`)
            const answer = yield* word("Answer it? [y]es, [n]o, anything else: not now:")
            if (answer === "y") return yield* fillIn(request)
            return { action: answer === "n" ? "decline" : "cancel" } as const
          })
        ),
      url: (request, { server }) =>
        oneAtATime(
          Effect.gen(function* () {
            yield* tell(`${server} wants you to visit a page: ${request.message.slice(0, longest)}`)
            yield* tell(`  ${request.url.href}`)
            yield* Effect.forEach(PageAddress.warnings(request.url), (warning) => tell(`  ${warning}`))
            const answer = yield* word(`Open ${request.url.host} in the browser? [y]es, [n]o, anything else: not now:`)
            return { action: answer === "y" ? "accept" : answer === "n" ? "decline" : "cancel" } as const
          })
        )
    }
  })
)
