/**
 * `harness9 sessions show`: what was said and done in a conversation.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SessionEvent } from "../../engine/SessionEvent.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import { shortened } from "../output/table.ts"
import * as Sessions from "../Sessions.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "sessions show",
  summary: "Shows what was said and done in a conversation",
  flags: { json: options.json },
  args: { id: Flag.required("ID", "The session; harness9 sessions lists them") },
  examples: [
    ["harness9 sessions show 20261201-130154-3fa0c1", "prompts, answers and calls"],
    ["harness9 sessions show 20261201-130154-3fa0c1 --json", "every event, results in full"]
  ],
  handler: ({ id, json: asJson }) =>
    Effect.gen(function* () {
      const output = yield* Output
      const { events, summary } = yield* Effect.flatMap(Sessions.store, ({ read }) => read(id))
      if (asJson) yield* output.line(json({ ...Sessions.toJson(summary), events }))
      else yield* output.line(events.flatMap((event) => lines(event, output.style)).join("\n"))
      return ExitCode.Done
    }).pipe(Effect.catchTag("SessionError", Sessions.toCliError))
})

const lines = (event: SessionEvent, style: Style): ReadonlyArray<string> => {
  switch (event.type) {
    case "prompted":
      return ["", style.bold(`> ${visible(event.prompt, { newlines: true })}`)]
    case "answered":
      return event.parts.flatMap((part) => {
        if (part.type === "text") return [visible(part.text, { newlines: true })]
        return part.type === "tool-call"
          ? [`${style.cyan("→")} ${oneLine(part.name)} ${style.dim(short(json(part.arguments)))}`]
          : []
      })
    case "returned":
      return [`${event.isError ? style.red("✗") : style.green("✓")} ${style.dim(short(event.text))}`]
    case "noticed":
      return event.notices.map((notice) => style.dim(visible(notice, { newlines: true })))
    case "compacted":
      return [style.dim(visible(event.summary, { newlines: true }))]
    case "ended":
      return event.reason === "answer" ? [] : [style.yellow(visible(event.error ?? event.reason, { newlines: true }))]
    case "noted":
      return [style.dim(visible(event.text, { newlines: true }))]
    case "cleared":
      return [style.dim("forgotten up to here")]
    case "offered":
    case "recent":
      return []
  }
}

const short = (text: string): string => shortened(oneLine(text.slice(0, 1_000)), 100)
