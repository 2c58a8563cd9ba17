/**
 * `harness9 sessions remove`: conversations are forgotten.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as Sessions from "../Sessions.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "sessions remove",
  summary: "Forgets conversations, with what their tools have put aside",
  flags: { json: options.json },
  args: { ids: Flag.rest("ID", "The sessions; one that is open is left") },
  examples: [["harness9 sessions remove 20261201-130154-3fa0c1", "one of them"]],
  handler: ({ ids, json: asJson }) =>
    Effect.gen(function* () {
      if (ids.length === 0) return yield* usage("name the sessions to remove", "harness9 sessions lists them")
      const output = yield* Output
      const { remove } = yield* Sessions.store
      yield* Effect.forEach(ids, remove, { discard: true })
      yield* output.line(asJson ? json({ removed: ids }) : `removed ${ids.join(", ")}`)
      return ExitCode.Done
    }).pipe(Effect.catchTag("SessionError", Sessions.toCliError))
})
