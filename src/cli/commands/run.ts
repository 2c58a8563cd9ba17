/**
 * `harness9 run`: one prompt to its answer, without a UI.
 *
 * @since 0.1.0
 */
import { stdin } from "node:process"
import { text as readText } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Engine } from "../../engine/Engine.ts"
import { type EngineEvent, type Reason, toJson } from "../../engine/EngineEvent.ts"
import * as Permission from "../../engine/Permission.ts"
import * as PromptInput from "../../engine/PromptInput.ts"
import * as ServerRequests from "../../engine/ServerRequests.ts"
import { withOutputs } from "../../engine/SessionStore.ts"
import { McpManager } from "../../mcp/McpManager.ts"
import * as App from "../App.ts"
import { type CliError, ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as options from "../options.ts"
import { json } from "../output/json.ts"
import { Output } from "../output/Output.ts"
import * as RunReport from "../output/RunReport.ts"
import * as RunView from "../output/RunView.ts"
import * as PermissionRules from "../permissionRules.ts"
import * as Sessions from "../Sessions.ts"
import * as Tape from "../Tape.ts"
import * as Tracing from "../Tracing.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "run",
  summary: "Runs one prompt to its answer, which goes to stdout",
  details:
    "Waits until every server has settled, each within its own timeout. A server that failed is told to the model; one with\n" +
    '"required": true ends the run. A tool that is not read-only needs --allow, --yes or a rule of harness9.json; so does a server that asks the model\n' +
    "something: --allow 'sampling(SERVER)'. What a server asks of a person is declined.",
  flags: {
    ...options.conversing,
    ...Tape.flags,
    ...Tracing.flags,
    output: Flag.choice("output", ["text", "json", "stream-json"], "json is one document, stream-json an event a line"),
    maxTurns: Flag.count("max-turns", "Stops a run that does not end; default 50")
  },
  args: { prompt: Flag.required("PROMPT", "What to do; - reads it from stdin") },
  examples: [
    ["harness9 run \"echo the text 'hello'\" --yes", "every tool may run"],
    ["harness9 run --continue 'and now the tests'", "goes on with the last session of this directory"],
    ["git diff | harness9 run - --allow 'mcp__github__*'", "a prompt from a pipe"],
    ["harness9 run 'list the files here' --output json | jq .text", "for a script"],
    ["harness9 run 'say hi' --record hi.ndjson", "a recording, for --replay"],
    ["harness9 run 'say hi' --trace", "and where the time went"]
  ],
  logs: "info",
  handler: (input) =>
    Effect.gen(function* () {
      const prompt = yield* readPrompt(input.prompt)
      const start = yield* Sessions.chooseUnasked(input)
      const { allow, yes } = input
      const rules = (yield* PermissionRules.loadLogged(input)).rules
      const permissions = { allow, yes, rules }
      const tape = yield* Tape.open(input)
      // A recording stands for itself: it is no session to go on with.
      const wanted = { ...input, tape, noSession: input.noSession || tape !== undefined }
      const app = App.layer(wanted, Permission.layer(permissions), ServerRequests.layer(permissions))
      const work = answer(prompt, start, wanted, tape).pipe(Effect.provide(app))
      return yield* tape === undefined ? work : tape.whole(work)
    }).pipe(Tracing.around(input, "run"))
})

interface RunInput {
  readonly output: "text" | "json" | "stream-json" | undefined
  readonly maxTurns: number | undefined
  readonly noSession: boolean
}

const readPrompt = (prompt: string): Effect.Effect<string, CliError> =>
  (prompt === "-" ? Effect.promise(() => readText(stdin)) : Effect.succeed(prompt)).pipe(
    Effect.filterOrFail(
      (text) => text.trim() !== "",
      () => usage("the prompt is empty")
    )
  )

type Start = Effect.Effect.Success<ReturnType<typeof Sessions.chooseUnasked>>

const answer = (
  prompt: string,
  start: Start,
  { maxTurns, noSession, output = "text" }: RunInput,
  tape: Tape.Tape | undefined
) =>
  Effect.gen(function* () {
    const session = yield* Sessions.open(start)
    yield* App.settled
    const engine = yield* Engine
    const conversation = yield* noSession ? engine.conversation : engine.open(session)
    const input = yield* withOutputs(session)(readInput(prompt))
    const told = conversation.run(input.prompt, { ...input.options, maxTurns })
    const events = tape === undefined ? told : Stream.mapEffect(told, tape.event)
    const report = yield* Stream.runFoldEffect(events, RunReport.empty, (report, event) =>
      Effect.as(output === "json" ? Effect.void : show(event, output), RunReport.add(report, event))
    )
    if (output === "json") yield* Effect.flatMap(Output, ({ line }) => line(json(report)))
    return exitCodes[report.reason]
  }).pipe(Effect.scoped)

/** A server's prompt filled in, and what is mentioned read. */
const readInput = Effect.fnUntraced(function* (prompt: string) {
  const input = yield* Effect.mapError(PromptInput.read(yield* McpManager, prompt), ({ message }) => usage(message))
  yield* Effect.forEach(input.problems, (problem) => Effect.logWarning(`[mcp] ${problem}`), { discard: true })
  return input
})

const show = (event: EngineEvent, format: "text" | "stream-json") =>
  Effect.flatMap(Output, (output) =>
    format === "text" ? RunView.show(event, output) : output.line(json(toJson(event)))
  )

const exitCodes: Readonly<Record<Reason, ExitCode>> = {
  answer: ExitCode.Done,
  "max-turns": ExitCode.Failed,
  error: ExitCode.Failed,
  cancelled: ExitCode.Interrupted
}
