/**
 * A run as it happens, for people: the answer on stdout, what is done for it on stderr.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { EngineEvent } from "../../engine/EngineEvent.ts"
import { oneLine, visible } from "../../mcp/VisibleText.ts"
import { json } from "./json.ts"
import type { Service as Output } from "./Output.ts"
import { shortened } from "./table.ts"

/** How much of a call's arguments or result is shown. */
const shownColumns = 100

/**
 * Shows one event. A terminal gets the answer piece by piece as it comes; anything else gets it whole, at the end.
 *
 * @since 0.1.0
 * @category formatting
 */
export const show = (event: EngineEvent, output: Output): Effect.Effect<void> => {
  const { noteStyle } = output
  switch (event._tag) {
    case "Notice":
      return output.note(noteStyle.dim(visible(event.message, { newlines: true })))
    case "TextDelta":
      return output.isTerminal ? output.write(visible(event.text, { newlines: true })) : Effect.void
    case "ModelRetry":
      return output.note(noteStyle.yellow(retry(event)))
    case "ToolStarted":
      return output.note(`${noteStyle.cyan("→")} ${oneLine(event.name)} ${noteStyle.dim(short(json(event.arguments)))}`)
    case "ToolProgress":
      return output.note(noteStyle.dim(`  ${progress(event)}`))
    case "ToolFinished":
      return output.note(finished(event, output))
    case "CompactionStarted":
      return output.note(noteStyle.dim("the conversation has grown long: summing it up"))
    case "Compacted":
      return output.note(noteStyle.dim(compacted(event)))
    case "Done":
      return done(event, output)
    case "TurnStarted":
    case "ReasoningDelta":
    case "Usage":
      return Effect.void
  }
}

type Event<Tag extends EngineEvent["_tag"]> = Extract<EngineEvent, { _tag: Tag }>

const short = (text: string): string => shortened(oneLine(text), shownColumns)

const retry = ({ attempt, delayMs, reason }: Event<"ModelRetry">): string =>
  `${oneLine(reason)}; attempt ${attempt + 1} in ${(delayMs / 1000).toFixed(1)} s`

const progress = ({ message, progress, total }: Event<"ToolProgress">): string =>
  [
    total === undefined ? `${progress}` : `${progress}/${total}`,
    ...(message === undefined ? [] : [oneLine(message)])
  ].join(" ")

const compacted = ({ tokensAfter, tokensBefore }: Event<"Compacted">): string =>
  `summed up: about ${tokensBefore.toLocaleString("en")} tokens became ${tokensAfter.toLocaleString("en")}`

const finished = ({ denied, durationMs, name, result }: Event<"ToolFinished">, { noteStyle }: Output): string => {
  const mark = denied ? noteStyle.yellow("⊘") : result.isError ? noteStyle.red("✗") : noteStyle.green("✓")
  return [
    `${mark} ${oneLine(name)} ${noteStyle.dim(`${durationMs.toFixed(0)} ms ${short(result.text)}`)}`,
    ...(result.warnings ?? []).map((warning) => noteStyle.yellow(`  ! ${oneLine(warning)}`))
  ].join("\n")
}

const done = ({ error, reason, text, turns }: Event<"Done">, output: Output): Effect.Effect<void> => {
  const answer = output.isTerminal ? output.write("\n") : output.line(visible(text, { newlines: true }))
  switch (reason) {
    case "answer":
      return answer
    case "max-turns":
      return Effect.zipRight(
        answer,
        output.note(
          output.noteStyle.yellow(`stopped after ${turns} ${turns === 1 ? "turn" : "turns"} without an answer`)
        )
      )
    case "cancelled":
      return output.note(output.noteStyle.yellow("cancelled"))
    case "error":
      return output.note(output.noteStyle.red(visible(error ?? "the model could not be asked", { newlines: true })))
  }
}
