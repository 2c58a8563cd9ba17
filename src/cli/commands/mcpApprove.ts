/**
 * `harness9 mcp approve`: a person agrees to entries of the project's `.mcp.json`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../mcp/JsonRpc.ts"
import type { McpConfig } from "../../mcp/McpConfig.ts"
import type { Consent } from "../../mcp/ServerConfig.ts"
import * as Trust from "../../mcp/Trust.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import { ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as ServerView from "../output/servers.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp approve",
  summary: "Agrees to entries of this project's .mcp.json; without a name, shows those that wait for it",
  details:
    "A project's file can start programs, so its entries are started only after a person has agreed to them, and again when they\n" +
    "change. The word is kept in $XDG_STATE_HOME/harness9/approvals.json. Your own file, and one named by --config, need none.",
  flags: {
    config: options.config,
    all: Flag.toggle("all", "Every entry that waits"),
    json: options.json
  },
  args: { server: Flag.optional("SERVER", "The entry to agree to") },
  examples: [
    ["harness9 mcp approve", "what waits, and what each would start"],
    ["harness9 mcp approve github", "agree to one entry as it is now"],
    ["harness9 mcp approve --all", "agree to all of them"]
  ],
  handler: ({ all, config, json: asJson, server }) =>
    Effect.gen(function* () {
      if (all && server !== undefined) return yield* usage("name a server or say --all, not both")
      const output = yield* Output
      const waiting = yield* entriesThatWait(yield* Servers.load({ config }), server)
      const agrees = all || server !== undefined
      if (agrees) yield* Effect.forEach(waiting, approve, { discard: true })
      if (asJson) {
        yield* output.line(
          json({ approved: agrees ? waiting.map(toJson) : [], waiting: agrees ? [] : waiting.map(toJson) })
        )
        return ExitCode.Done
      }
      for (const { consent, name } of waiting) {
        yield* output.line(`${agrees ? "approved" : "waits for approval:"} ${output.style.bold(oneLine(name))}`)
        for (const line of ServerView.entryLines(consent.entry, output.style)) yield* output.line(line)
      }
      if (waiting.length === 0)
        yield* output.line(
          server === undefined ? "Nothing waits for approval." : `"${oneLine(server)}" needs no approval.`
        )
      else if (!agrees) yield* output.line("Agree with: harness9 mcp approve SERVER, or --all")
      return ExitCode.Done
    }).pipe(Effect.provide(Trust.layer))
})

interface Waiting {
  readonly name: string
  readonly consent: Consent
}

/** Fails when a server is named that there is not. */
const entriesThatWait = Effect.fnUntraced(function* (config: McpConfig, name: string | undefined) {
  const { isApproved } = yield* Trust.Trust
  const servers = name === undefined ? config.servers : [yield* Servers.find(config, name)]
  const asking = servers.flatMap(({ consent, name }): ReadonlyArray<Waiting> => (consent ? [{ name, consent }] : []))
  return yield* Effect.filter(asking, ({ consent, name }) =>
    Effect.map(isApproved(name, consent), (approved) => !approved)
  )
})

const approve = ({ consent, name }: Waiting) =>
  Effect.flatMap(Trust.Trust, (trust) => trust.approve(name, consent)).pipe(
    Effect.mapError(({ hint, message }) => usage(`the approval could not be kept: ${message}`, hint))
  )

const toJson = ({ consent, name }: Waiting): JsonObject => ({ name, entry: consent.entry })
