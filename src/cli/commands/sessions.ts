/**
 * `harness9 sessions`: the conversations that are kept.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Summary } from "../../engine/SessionStore.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import { ExitCode } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import type { Style } from "../output/Style.ts"
import { shortened, table } from "../output/table.ts"
import * as Sessions from "../Sessions.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "sessions",
  summary: "Lists the conversations that are kept, the last used one first",
  details:
    "They are in $XDG_STATE_HOME/harness9/sessions, for their owner alone, with the secrets of servers and the keys of models masked.\n" +
    "Those not used for 90 days, and the oldest beyond 512 MiB, are removed when another one begins.",
  flags: { json: options.json },
  args: {},
  examples: [
    ["harness9 sessions", "id, time, turns, directory, first prompt"],
    ["harness9 --resume ID", "goes on with one"]
  ],
  handler: ({ json: asJson }) =>
    Effect.gen(function* () {
      const output = yield* Output
      const all = yield* Effect.flatMap(Sessions.store, ({ list }) => list)
      if (asJson) yield* output.line(json({ sessions: all.map(Sessions.toJson) }))
      else if (all.length === 0) yield* output.line("No session is kept.")
      else yield* output.line(table(all.map((session) => row(session, output.style))))
      return ExitCode.Done
    })
})

const row = ({ directory, id, inUse, prompt, turns, updatedAt }: Summary, style: Style): ReadonlyArray<string> => [
  id,
  Sessions.timeOf(updatedAt),
  `${turns} ${turns === 1 ? "turn" : "turns"}`,
  inUse ? style.green("open") : "",
  oneLine(directory),
  style.dim(shortened(oneLine(prompt.slice(0, 200)), 60))
]
