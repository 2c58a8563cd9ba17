/**
 * A tool of an MCP server as a typed Effect function: what `harness9 generate` writes modules of.
 *
 * ```ts
 * const getSum = TypedTool.make({
 *   server: "everything",
 *   tool: "get-sum",
 *   input: Schema.Struct({ a: Schema.Number, b: Schema.Number })
 * })
 * const program = Effect.map(getSum({ a: 1, b: 2 }), ({ text }) => text)
 * ```
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as ShellWord from "../mcp/internal/ShellWord.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import { McpManager } from "../mcp/McpManager.ts"
import type { ToolCallResult } from "../mcp/McpSchema.ts"
import * as VisibleText from "../mcp/VisibleText.ts"

/**
 * A call that came to nothing though the server could be reached.
 *
 * - `arguments`: they do not fit the schema; nothing was sent
 * - `tool`: the tool itself failed, and `message` is what it says
 * - `result`: what it gave does not fit the schema: the server is another one than the types were written for
 *
 * @since 0.1.0
 * @category errors
 */
export class ToolFailure extends Data.TaggedError("ToolFailure")<{
  readonly server: string
  readonly tool: string
  readonly kind: "arguments" | "tool" | "result"
  readonly message: string
  /** What to try, if there is something. */
  readonly hint?: string | undefined
}> {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options<in out I> {
  /** The server's name in the configuration. */
  readonly server: string
  /** The tool's name, as the server has it. */
  readonly tool: string
  readonly input: Schema.Schema<I>
}

/**
 * Arguments and options of a call; the arguments may be left out where none is needed.
 *
 * @since 0.1.0
 * @category models
 */
export type Arguments<I> = {} extends I
  ? [args?: I, options?: McpClient.CallOptions]
  : [args: I, options?: McpClient.CallOptions]

/**
 * Calls the tool over the Manager's connection; with `over`, over any other.
 *
 * @since 0.1.0
 * @category models
 */
export interface TypedTool<I, out O> {
  (...call: Arguments<I>): Effect.Effect<O, McpError | ToolFailure, McpManager>
  readonly over: (
    client: Pick<McpClient.Service, "callTool">,
    ...call: Arguments<I>
  ) => Effect.Effect<O, McpError | ToolFailure>
}

/**
 * A function that gives the whole result.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <I extends object>(options: Options<I>): TypedTool<I, ToolCallResult> =>
  build(options, Either.right)

/**
 * A function that gives what the tool has for programs (`structuredContent`), checked.
 *
 * @since 0.1.0
 * @category constructors
 */
export const structured = <I extends object, O>({
  output,
  ...options
}: Options<I> & { readonly output: Schema.Schema<O> }): TypedTool<I, O> => {
  const decode = Schema.decodeUnknownEither(output, parsing)
  return build(options, ({ structuredContent }) => decode(structuredContent))
}

const build = <I extends object, O>(
  { input, server, tool }: Options<I>,
  read: (result: ToolCallResult) => Either.Either<O, ParseResult.ParseError>
): TypedTool<I, O> => {
  const encode = Schema.encodeUnknownEither(input, parsing)
  const failed = (kind: ToolFailure["kind"], message: string, hint?: string) =>
    new ToolFailure({ server, tool, kind, message, hint })
  const misfit = (kind: "arguments" | "result", error: ParseResult.ParseError) =>
    failed(
      kind,
      `the ${kind} of "${tool}": ${placesOf(error)}`,
      kind === "result"
        ? `harness9 generate ${ShellWord.quote(server)} --output FILE --check says what changed`
        : undefined
    )

  const over = Effect.fnUntraced(function* (
    client: Pick<McpClient.Service, "callTool">,
    ...[args, options]: [args?: I, options?: McpClient.CallOptions]
  ) {
    const values = encode(args ?? {})
    if (Either.isLeft(values)) return yield* misfit("arguments", values.left)
    // A schema of objects encodes to an object.
    const result = yield* client.callTool(tool, values.right as object as JsonObject, options)
    if (result.isError) return yield* failed("tool", VisibleText.visible(result.text, { newlines: true }))
    const content = read(result)
    return Either.isRight(content) ? content.right : yield* misfit("result", content.left)
  })
  const overManager = (...[args, options]: [args?: I, options?: McpClient.CallOptions]) =>
    Effect.flatMap(McpManager, (manager) =>
      Effect.flatMap(manager.client(server), (client) => over(client, args, options))
    )
  return Object.assign(overManager, { over })
}

/** What servers add to what they have said is passed on. */
const parsing = { onExcessProperty: "preserve", errors: "all" } as const

/** Which fields do not fit, and nothing of what is in them. */
const placesOf = (error: ParseResult.ParseError): string => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  const places = issues.map(({ _tag, path }) => {
    const place = path.length === 0 ? "the whole" : path.map(String).join(".")
    return `${VisibleText.oneLine(place)} ${_tag === "Missing" ? "is missing" : "is not what the schema says"}`
  })
  return [...new Set(places)].slice(0, 5).join(", ")
}
