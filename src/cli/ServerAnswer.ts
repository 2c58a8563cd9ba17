/**
 * What a command asks of one server: connected alone, asked, and its answer or failure shown.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import { McpManager } from "../mcp/McpManager.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import { oneLine } from "../mcp/VisibleText.ts"
import { type CliError, ExitCode, exitCodeOf } from "./CliError.ts"
import { json } from "./output/json.ts"
import { Output } from "./output/Output.ts"
import { errorToJson } from "./output/servers.ts"
import * as Servers from "./Servers.ts"

/**
 * The words of a command line that names a server.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input extends Servers.Options {
  readonly server: string
  readonly json: boolean
}

/**
 * A question to a server, and how its answer looks.
 *
 * @since 0.1.0
 * @category models
 */
export interface Question<A> {
  /** What was asked, for the JSON document: it stands in the answer and in the failure alike. */
  readonly about: JsonObject
  readonly ask: (client: McpClient.Service, config: ServerConfig) => Effect.Effect<A, McpError | CliError>
  readonly toJson: (answer: A) => JsonObject
  readonly toText: (answer: A, output: Output["Type"]) => string
  /** What is wrong with the answer and does not keep it from being shown. Default: nothing. */
  readonly warnings?: (answer: A) => ReadonlyArray<string>
  /** Default: done. */
  readonly exitCode?: (answer: A) => ExitCode
}

/**
 * Connects to the server alone, asks, and shows the answer. With `--json` a failure to ask is a document too.
 *
 * @since 0.1.0
 * @category execution
 */
export const show = <A>(
  input: Input,
  question: Question<A>
): Effect.Effect<ExitCode, CliError, Output | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const output = yield* Output
    const server = yield* Servers.find(yield* input.tape?.config ?? Servers.load(input), input.server)
    const about = { server: input.server, ...question.about }
    const asked = yield* askConnected(server, question.ask).pipe(
      Effect.either,
      Effect.provide(Servers.layer([server], input))
    )
    if (Either.isRight(asked)) {
      const answer = asked.right
      yield* output.line(input.json ? json({ ...about, ...question.toJson(answer) }) : question.toText(answer, output))
      for (const warning of question.warnings?.(answer) ?? []) {
        yield* output.note(output.noteStyle.yellow(`warning: ${oneLine(warning)}`))
      }
      return question.exitCode?.(answer) ?? ExitCode.Done
    }
    const error = asked.left
    if (error._tag === "CliError" || !input.json)
      return yield* error._tag === "CliError" ? error : Servers.asCliError(error)
    yield* output.line(json({ ...about, error: errorToJson(error) }))
    return exitCodeOf(error)
  })

const askConnected = <A>(server: ServerConfig, ask: Question<A>["ask"]) =>
  Effect.gen(function* () {
    const manager = yield* McpManager
    yield* manager.start
    const client = yield* manager.client(server.name)
    const used = (yield* manager.servers).find(({ name }) => name === server.name)
    return yield* ask(client, used ?? server)
  })
