/**
 * A conversation with the model line by line, where no terminal UI can be. It waits for no server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type Conversation, Engine } from "../engine/Engine.ts"
import * as Permission from "../engine/Permission.ts"
import * as PromptInput from "../engine/PromptInput.ts"
import * as ServerRequests from "../engine/ServerRequests.ts"
import { withOutputs } from "../engine/SessionStore.ts"
import * as Browser from "../mcp/auth/Browser.ts"
import { McpManager } from "../mcp/McpManager.ts"
import { oneLine, visible } from "../mcp/VisibleText.ts"
import type { Message } from "../tui/UiState.ts"
import * as App from "./App.ts"
import { ExitCode } from "./CliError.ts"
import * as ConfigReload from "./ConfigReload.ts"
import * as LineCommand from "./LineCommand.ts"
import * as LineConsole from "./LineConsole.ts"
import * as LinePerson from "./LinePerson.ts"
import { json } from "./output/json.ts"
import { Output } from "./output/Output.ts"
import * as RunView from "./output/RunView.ts"
import * as PermissionRules from "./permissionRules.ts"
import * as Sessions from "./Sessions.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options extends App.Options, Sessions.Options {
  readonly allow: ReadonlyArray<string>
  readonly yes: boolean
}

/**
 * Talks until there are no more lines, or the person leaves.
 *
 * @since 0.1.0
 * @category execution
 */
export const open = Effect.fnUntraced(function* (options: Options) {
  const start = yield* Sessions.chooseUnasked(options)
  const { rules } = yield* PermissionRules.loadLogged({ trust: options.trust === true })
  const permissions = { allow: options.allow, yes: options.yes, rules, onAlways: yield* PermissionRules.keeping }
  const app = App.layer(options, Layer.unwrapEffect(permission(permissions)), Layer.unwrapEffect(features(permissions)))
  return yield* talk(options, start).pipe(Effect.provide(app), Effect.provide(LineConsole.layer))
})

type Permissions = Parameters<typeof Permission.layerAsk>[0]

/** Asks the person when there is one. */
const permission = (options: Permissions) =>
  Effect.map(LineConsole.LineConsole, ({ isTerminal }) =>
    isTerminal ? Layer.provide(Permission.layerAsk(options), approver) : Permission.layer(options)
  )

const features = (options: Permissions) =>
  Effect.map(LineConsole.LineConsole, ({ isTerminal }) =>
    isTerminal
      ? Layer.provide(ServerRequests.layerAsk(options), [LinePerson.layer, Browser.layer])
      : ServerRequests.layer(options)
  )

const approver = Layer.effect(
  Permission.Approver,
  Effect.gen(function* () {
    const console = yield* LineConsole.LineConsole
    return {
      ask: (request) =>
        Effect.map(console.ask(question(request)), (line): Permission.Answer => {
          const said = Option.getOrElse(line, () => "").trim()
          const word = said.toLowerCase()
          if (word === "y" || word === "yes") return { _tag: "Once" }
          if (word === "s" || word === "session") return { _tag: "Session" }
          if (word === "a" || word === "always") return { _tag: request.rule === undefined ? "Always" : "Session" }
          return word === "" || word === "n" || word === "no" ? { _tag: "Deny" } : { _tag: "Deny", reason: said }
        })
    }
  })
)

const question = (request: Permission.PermissionRequest): string =>
  `Run ${oneLine(request.tool.name)} ${json(request.arguments)}? [y]es, [N]o, [s]ession${
    request.rule === undefined ? `, [a]lways (writes ${oneLine(Permission.keptPattern(request))} to harness9.json)` : ""
  }, or a word to the model why not: `

type Start = Effect.Effect.Success<ReturnType<typeof Sessions.chooseUnasked>>

const talk = Effect.fnUntraced(function* (options: Options, start: Start) {
  const manager = yield* McpManager
  const session = yield* Sessions.open(start)
  const conversation = yield* Effect.flatMap(Engine, (engine) => engine.open(session))
  yield* Effect.forkScoped(manager.start)
  yield* Effect.forkScoped(Stream.runForEach(ConfigReload.changes(options), logged))
  return yield* withOutputs(session)(listen(conversation))
}, Effect.scoped)

const logged = ({ text, tone }: Message) => (tone === "error" ? Effect.logWarning : Effect.logInfo)(`[mcp] ${text}`)

const listen = (
  conversation: Conversation
): Effect.Effect<ExitCode, never, LineConsole.LineConsole | LineCommand.Needed> =>
  Effect.gen(function* () {
    const output = yield* Output
    const console = yield* LineConsole.LineConsole
    let pressed = false
    while (true) {
      const line = yield* Effect.raceFirst(console.ask("> "), Effect.as(console.cancelled, "cancelled" as const))
      if (line === "cancelled") {
        if (pressed) return ExitCode.Interrupted
        pressed = true
        yield* output.note("Press Ctrl+C again to quit.")
        continue
      }
      pressed = false
      if (Option.isNone(line)) return ExitCode.Done
      const prompt = line.value.trim()
      if (prompt === "") continue
      const read = LineCommand.read(conversation, prompt, console.isTerminal)
      if (read._tag === "Leave") return ExitCode.Done
      const stopped = Effect.zipRight(console.cancelled, output.note("Stopped."))
      const work: Effect.Effect<void, never, LineCommand.Needed> =
        read._tag === "Command" ? read.run : reply(conversation, prompt)
      yield* Effect.raceFirst(work, stopped)
    }
  })

const reply = (conversation: Conversation, prompt: string) =>
  Effect.gen(function* () {
    const output = yield* Output
    const input = yield* PromptInput.read(yield* McpManager, prompt)
    yield* Effect.forEach(input.problems, (problem) => output.note(visible(problem)))
    yield* Stream.runForEach(conversation.run(input.prompt, input.options), (event) => RunView.show(event, output))
  }).pipe(Effect.catchAll(({ message }) => Effect.flatMap(Output, (output) => output.note(visible(message)))))
