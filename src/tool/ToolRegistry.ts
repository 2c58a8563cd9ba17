/**
 * Every tool that the model may be offered, built-in and MCP alike, in one registry with one order.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import type { Progress } from "../mcp/McpSchema.ts"
import * as VisibleText from "../mcp/VisibleText.ts"
import * as Merge from "./internal/Merge.ts"
import { nearest } from "./internal/NearestNames.ts"
import * as NullArguments from "./internal/NullArguments.ts"
import { failure, type Tool, type ToolResult, type Withheld } from "./Tool.ts"

/**
 * A tool that cannot be offered, and why.
 *
 * @since 0.1.0
 * @category models
 */
export interface Skipped {
  readonly tool: Tool
  readonly reason: string
}

/**
 * The registry at one moment: what a turn of the model sees. Built-ins first, then by server and tool name: the same in every run.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolSet {
  readonly tools: ReadonlyArray<Tool>
  readonly skipped: ReadonlyArray<Skipped>
  /** By registry name. */
  readonly byName: ReadonlyMap<string, Tool>
}

/**
 * The tools of a server that are withheld, by the server's own names, and why.
 *
 * @since 0.1.0
 * @category getters
 */
export const withheldOf = ({ skipped }: ToolSet, server: string): ReadonlyMap<string, Withheld> =>
  new Map(
    skipped.flatMap(({ tool: { origin, withheld } }) =>
      origin._tag === "Mcp" && origin.server === server && withheld !== undefined ? [[origin.tool, withheld]] : []
    )
  )

/**
 * Where a set of tools comes from, and its place when two tools meet in one name: the lowest rank wins.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  /** `builtin`, or `mcp:` and the server's name. */
  readonly id: string
  /** Built-ins -1, a server its index in the configuration. */
  readonly rank: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ExecuteOptions {
  /** Default: the tool's own, else 60 seconds. */
  readonly timeout?: Duration.Duration | undefined
  readonly onProgress?: ((progress: Progress) => Effect.Effect<void>) | undefined
  /** The set that the caller has offered; default: the present one. */
  readonly from?: ToolSet | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Puts these tools in place of all that the source had before, in one step. */
  readonly register: (source: Source, tools: ReadonlyArray<Tool>) => Effect.Effect<void>
  readonly unregister: (sourceId: string) => Effect.Effect<void>
  readonly snapshot: Effect.Effect<ToolSet>
  /** The present set, then each new one. */
  readonly changes: Stream.Stream<ToolSet>
  /** Runs a tool by name. Total: an unknown name, unusable arguments, a failure or a defect is a result with `isError`. */
  readonly execute: (name: string, args: JsonObject, options?: ExecuteOptions) => Effect.Effect<ToolResult>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class ToolRegistry extends Context.Tag("harness9/ToolRegistry")<ToolRegistry, Service>() {}

/**
 * An empty registry.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Service> = Effect.gen(function* () {
  const changed = yield* PubSub.sliding<void>(1)
  const sources = new Map<string, Merge.Entry>()
  let computed: ToolSet | undefined

  /** Computed when it is first looked at, once for each change. */
  const present = (): ToolSet => {
    computed ??= Merge.merge(sources.values())
    return computed
  }

  const change = (apply: () => boolean): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (!apply()) return Effect.void
      computed = undefined
      return Effect.asVoid(PubSub.publish(changed, undefined))
    })

  return {
    register: (source, tools) => change(() => sources.set(source.id, Merge.entry(source, tools)).size > 0),
    unregister: (sourceId) => change(() => sources.delete(sourceId)),
    snapshot: Effect.sync(present),
    changes: PubSub.subscribe(changed).pipe(
      Effect.map((signals) => Stream.concat(Stream.make(undefined), Stream.fromQueue(signals))),
      Stream.unwrapScoped,
      Stream.map(present),
      Stream.changesWith((before, after) => before === after)
    ),
    execute: (name, args, options) =>
      Effect.catchAllCause(
        Effect.suspend(() => run(options?.from ?? present(), name, args, options)),
        (cause) => Effect.succeed(broken(name, cause))
      )
  }
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<ToolRegistry> = Layer.effect(ToolRegistry, make)

const defaultTimeout = Duration.seconds(60)

const run = (
  set: ToolSet,
  name: string,
  args: JsonObject,
  options: ExecuteOptions | undefined
): Effect.Effect<ToolResult> => {
  const tool = set.byName.get(name)
  if (tool === undefined) return Effect.succeed(unknownTool(set, name))
  if (!isObject(args)) return Effect.succeed(failure(notAnObject(tool, args)))
  return tool.run(NullArguments.drop(tool.inputSchema, args), {
    timeout: options?.timeout ?? tool.timeout ?? defaultTimeout,
    onProgress: options?.onProgress
  })
}

const unknownTool = (set: ToolSet, name: string): ToolResult => {
  const shown = VisibleText.oneLine(String(name)).slice(0, 200)
  const skipped = set.skipped.find(({ tool }) => tool.name === name)
  if (skipped !== undefined) return failure(`The tool ${shown} cannot be used: ${skipped.reason}.`)
  const near = nearest(String(name), set.byName.keys())
  return failure(
    near.length === 0
      ? `There is no tool ${shown}. Use one of the tools that are on offer.`
      : `There is no tool ${shown}. Nearest by name: ${near.join(", ")}.`
  )
}

const notAnObject = ({ inputSchema, name }: Tool, args: unknown): string => {
  const given = args === null ? "null" : Array.isArray(args) ? "an array" : `a ${typeof args}`
  const fields = isObject(inputSchema.properties) ? Object.keys(inputSchema.properties).slice(0, 20) : []
  const hint = fields.length === 0 ? "" : ` with these fields: ${fields.join(", ")}`
  return `The arguments of ${name} must be a JSON object${hint}; they were ${given}. Call it again.`
}

/**
 * A defect is told, not thrown. An interruption of the calling fiber does not come by here; one from within the tool is an
 * end of the call like any other.
 */
const broken = (name: string, cause: Cause.Cause<never>): ToolResult => {
  if (Cause.isInterruptedOnly(cause)) return failure(`The call of ${name} was stopped before it had finished.`)
  const error = Cause.squash(cause)
  const message = VisibleText.oneLine(error instanceof Error ? error.message : String(error)).slice(0, 500)
  return failure(`The tool ${name} broke: ${message}. Calling it again in the same way is of little use.`)
}
