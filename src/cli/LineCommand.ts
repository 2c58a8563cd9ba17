/**
 * The commands of the line-by-line chat: those of the terminal UI that make sense without one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Conversation } from "../engine/Engine.ts"
import { format } from "../engine/model/ModelInfo.ts"
import { ModelSwitch } from "../engine/model/ModelSwitch.ts"
import * as ServerPrompts from "../engine/ServerPrompts.ts"
import * as ShellCommand from "../engine/ShellCommand.ts"
import { McpManager } from "../mcp/McpManager.ts"
import { oneLine, visible } from "../mcp/VisibleText.ts"
import { ToolRegistry } from "../tool/ToolRegistry.ts"
import * as SlashCommand from "../tui/SlashCommand.ts"
import { Output } from "./output/Output.ts"
import * as RunView from "./output/RunView.ts"
import * as ServerView from "./output/servers.ts"
import { shortened, table } from "./output/table.ts"

/**
 * What a line is: the end of the conversation, a command with what it does, or something for the model.
 *
 * @since 0.1.0
 * @category models
 */
export type Line =
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Command"; readonly run: Effect.Effect<void, never, Needed> }
  | { readonly _tag: "Prompt" }

/**
 * What commands use.
 *
 * @since 0.1.0
 * @category models
 */
export type Needed = McpManager | ModelSwitch | Output | ToolRegistry

/**
 * Reads a line. Shell commands are for a person: in lines that come from elsewhere, `!` is a character like others.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read = (conversation: Conversation, line: string, isPerson: boolean): Line => {
  const shell = isPerson ? ShellCommand.parse(line) : undefined
  if (shell !== undefined) return command(runShell(conversation, shell))
  const parsed = SlashCommand.parse(line)
  if (parsed._tag === "NoCommand" || ServerPrompts.isCommand(line)) return { _tag: "Prompt" }
  if (parsed._tag === "Unknown") return command(note(SlashCommand.unknown(parsed)))
  switch (parsed.name) {
    case "exit":
      return { _tag: "Leave" }
    case "help":
      return command(note(help(isPerson)))
    case "clear":
      return command(Effect.zipRight(conversation.clear, note("The conversation is forgotten.")))
    case "compact":
      return command(compact(conversation, parsed.argument))
    case "resume":
      return command(note("Conversations of before: harness9 --continue, or harness9 --resume SESSION."))
    case "mcp":
      return command(showServers(parsed.argument))
    case "tools":
      return command(showTools)
    case "model":
      return command(parsed.argument === "" ? showModel : changeModel(parsed.argument))
  }
}

const command = (run: Effect.Effect<void, never, Needed>): Line => ({ _tag: "Command", run })

const note = (text: string) =>
  Effect.flatMap(Output, (output) => (text === "" ? Effect.void : output.note(visible(text, { newlines: true }))))

const helps: Partial<Record<SlashCommand.Name, string>> = {
  mcp: "servers: their state and errors",
  resume: "how to go on with a conversation of before"
}

const help = (isPerson: boolean): string =>
  table([
    ...SlashCommand.all.map(({ argument, help, name }) => [`/${name} ${argument}`.trim(), helps[name] ?? help]),
    ...(isPerson ? [["! COMMAND", "run a shell command; the model sees its output"]] : []),
    ["@SERVER:URI", "give the model a resource of a server"],
    ["Ctrl+C", "cancel what runs; twice at rest: leave"]
  ])

const runShell = Effect.fnUntraced(function* (conversation: Conversation, command: string) {
  const { text } = yield* ShellCommand.run(yield* ToolRegistry, conversation, command)
  yield* note(text.trimEnd())
})

const compact = (conversation: Conversation, focus: string) =>
  Effect.flatMap(Output, (output) =>
    Stream.runForEach(conversation.compact(focus === "" ? undefined : focus), (event) => RunView.show(event, output))
  )

const showServers = Effect.fnUntraced(function* (server: string) {
  const { noteStyle, note: write } = yield* Output
  const manager = yield* McpManager
  const all = ServerView.pair(yield* manager.servers, yield* manager.statuses)
  const servers = all.filter(({ config }) => server === "" || config.name === server)
  if (servers.length > 0) return yield* write(ServerView.rows(servers, noteStyle))
  yield* note(server === "" ? "No server is configured." : `no server is called ${server}`)
})

const showTools = Effect.gen(function* () {
  const { columns, noteStyle, note: write } = yield* Output
  const { tools } = yield* Effect.flatMap(ToolRegistry, ({ snapshot }) => snapshot)
  const widest = Math.max(0, ...tools.map(({ name }) => name.length))
  const room = Math.max(20, Math.min(columns, 160) - widest - 2)
  yield* write(
    table(tools.map(({ description, name }) => [noteStyle.cyan(oneLine(name)), shortened(oneLine(description), room)]))
  )
})

const showModel = Effect.gen(function* () {
  const { changes, names } = yield* ModelSwitch
  const inUse = Option.match(yield* Stream.runHead(changes), { onNone: () => "none", onSome: format })
  const others = names.filter((name) => name !== inUse)
  yield* note(`model: ${inUse}${others.length === 0 ? "" : `\nothers: ${others.join(", ")}`}`)
})

const changeModel = (name: string) =>
  Effect.flatMap(ModelSwitch, (models) => models.use(name)).pipe(
    Effect.map((info) => `from now on: ${format(info)}`),
    Effect.merge,
    Effect.flatMap((told) => note(typeof told === "string" ? told : told.message))
  )
