import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { LineConsole } from "../../src/cli/LineConsole.ts"
import * as LinePerson from "../../src/cli/LinePerson.ts"
import { Output } from "../../src/cli/output/Output.ts"
import * as Style from "../../src/cli/output/Style.ts"
import { Person, type Service } from "../../src/engine/Person.ts"
import type * as Elicitation from "../../src/mcp/Elicitation.ts"

const origin = { server: "lab" }

/** What a person who types these lines answers, and what they were shown. */
const answering = <A>(lines: ReadonlyArray<string>, question: (person: Service) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const left = [...lines]
    const shown: Array<string> = []
    const note = (text: string) => Effect.asVoid(Effect.sync(() => shown.push(text)))
    const console = LineConsole.of({
      isTerminal: true,
      cancelled: Effect.never,
      ask: (prompt) => Effect.as(note(prompt), Option.fromNullable(left.shift()))
    })
    const style = Style.none
    const output = Output.of({ write: note, line: note, note, isTerminal: true, columns: 80, style, noteStyle: style })
    const layer = Layer.provide(LinePerson.layer, [Layer.succeed(LineConsole, console), Layer.succeed(Output, output)])
    return { answer: yield* Effect.provide(Effect.flatMap(Person, question), layer), shown: shown.join("\n") }
  })

const fields: ReadonlyArray<Elicitation.Field> = [
  { name: "name", required: true, type: "string" },
  { name: "age", required: false, type: "integer", default: 42 },
  { name: "color", required: false, type: "choice", options: [{ value: "r", title: "Red" }] }
]

describe("a server's form, line by line", () => {
  const fill = (...lines: ReadonlyArray<string>) =>
    answering(lines, ({ form }) => form({ message: "Who\u202e?", fields }, origin))

  it.effect("is asked field by field: an empty line takes the default, what does not fit is asked again", () =>
    Effect.gen(function* () {
      const { answer, shown } = yield* fill("y", "", "Ada", "old", "", "1")
      expect(answer).toEqual({ action: "accept", content: { name: "Ada", age: 42, color: "r" } })
      expect(shown).toContain("lab asks you: Who\\u{202e}?")
      expect(shown).toContain("must be given")
      expect(shown).toContain("must be a number")
    })
  )

  it.effect("is declined by n, and put aside by anything else or when the lines end", () =>
    Effect.gen(function* () {
      expect((yield* fill("n")).answer).toEqual({ action: "decline" })
      expect((yield* fill("what?")).answer).toEqual({ action: "cancel" })
      expect((yield* fill()).answer).toEqual({ action: "cancel" })
      expect((yield* fill("y", "")).answer).toEqual({ action: "cancel" })
    })
  )
})

describe("what else a server asks, line by line", () => {
  it.effect("a page is shown in full with what may deceive, and agreed to by y alone", () =>
    Effect.gen(function* () {
      const visit = (...lines: ReadonlyArray<string>) =>
        answering(lines, ({ url }) => url({ message: "Pay", url: new URL("http://xn--pypal-4ve.com/?a=1") }, origin))
      const { answer, shown } = yield* visit("y")
      expect(answer).toEqual({ action: "accept" })
      expect(shown).toContain("http://xn--pypal-4ve.com/?a=1")
      expect(shown).toContain("written in other letters")
      expect((yield* visit("")).answer).toEqual({ action: "cancel" })
    })
  )

  it.effect("the model is asked only when the person says so", () =>
    Effect.gen(function* () {
      const request = {
        messages: [{ role: "user", content: [{ type: "text", text: "2 + 2" }] }],
        maxTokens: 9
      } as const
      const ask = (...lines: ReadonlyArray<string>) => answering(lines, ({ sampling }) => sampling(request, origin))
      const { answer, shown } = yield* ask("y")
      expect(answer).toEqual({ _tag: "Once" })
      expect(shown).toContain("lab wants to ask the model (at most 9 tokens):\n2 + 2")
      expect((yield* ask("a")).answer).toEqual({ _tag: "Session" })
      expect((yield* ask("")).answer).toEqual({ _tag: "Deny" })
      expect((yield* ask()).answer).toEqual({ _tag: "Deny" })
    })
  )
})
