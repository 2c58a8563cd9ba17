/**
 * harness9/ai: the tools of MCP servers as a Toolkit of `@effect/ai`, for programs that have a LanguageModel of their own; and the
 * other way, a program's own Toolkit in the registry, for harness9's engine.
 *
 * @since 0.1.0
 */
import * as AiTool from "@effect/ai/Tool"
import type * as Toolkit from "@effect/ai/Toolkit"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { isObject, type JsonObject } from "./mcp/JsonRpc.ts"
import { McpManager } from "./mcp/McpManager.ts"
import * as ToolName from "./mcp/ToolName.ts"
import * as McpToolAdapter from "./tool/McpToolAdapter.ts"
import * as ModelSchema from "./tool/ModelSchema.ts"
import { failure, type Tool, text } from "./tool/Tool.ts"
import * as ToolRegistry from "./tool/ToolRegistry.ts"

/**
 * A tool of the registry as a model is offered it: its arguments are what its JSON Schema says, its result is text. A failure is a
 * result too, so that the model can act on it.
 *
 * @since 0.1.0
 * @category models
 */
export type RegistryTool = AiTool.Tool<
  string,
  {
    readonly parameters: AiTool.AnyParametersSchema & { readonly Context: never }
    readonly success: typeof Schema.String
    readonly failure: typeof Schema.String
    readonly failureMode: "return"
  }
>

/**
 * @since 0.1.0
 * @category models
 */
export type RegistryToolkit = Toolkit.WithHandler<Record<string, RegistryTool>>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Whose API the schemas are for. Default: `openai`, which the others understand. */
  readonly provider?: ModelSchema.Provider | undefined
}

/**
 * The registry's tools at this moment. Calls run without asking anyone: offer what may run.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromRegistry = (
  registry: ToolRegistry.Service,
  { provider = "openai" }: Options = {}
): Effect.Effect<RegistryToolkit> =>
  Effect.map(registry.snapshot, (set) => {
    const byModelName = new Map(set.tools.map((tool) => [ToolName.forModel(tool.name), tool]))
    return {
      tools: Object.fromEntries([...byModelName].map(([name, tool]) => [name, toAiTool(name, tool, provider)])),
      handle: (name, args: unknown) =>
        Effect.map(
          registry.execute(byModelName.get(name)?.name ?? name, isObject(args) ? args : {}, { from: set }),
          (result) => ({ isFailure: result.isError, result: result.text, encodedResult: result.text })
        )
    }
  })

/**
 * The toolkit of the registry in the context, taken anew each time a model is asked: give it to `LanguageModel.generateText`
 * or `streamText` as it is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const toolkit: Effect.Effect<RegistryToolkit, never, ToolRegistry.ToolRegistry> = Effect.flatMap(
  ToolRegistry.ToolRegistry,
  (registry) => fromRegistry(registry)
)

/**
 * A registry of the Manager's tools. The servers are connected when it is built, and it follows them from then on.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<ToolRegistry.ToolRegistry, never, McpManager> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const manager = yield* McpManager
    const registry = yield* ToolRegistry.ToolRegistry
    yield* McpToolAdapter.inject(manager, registry)
    yield* manager.start
    yield* McpToolAdapter.sync(manager, registry)
  })
).pipe(Layer.provideMerge(ToolRegistry.layer))

/**
 * Puts a program's own toolkit into the registry, beside the tools of servers, until the Scope closes: harness9's engine offers and
 * runs them all. `Tool.Readonly` and the other annotations are its hints; one that is not `Readonly` needs permission to run.
 *
 * @since 0.1.0
 * @category operations
 */
export const register = <Tools extends Record<string, AiTool.Any>, E, R>(
  toolkit: Effect.Effect<Toolkit.WithHandler<Tools>, E, R>
): Effect.Effect<void, E, R | AiTool.Requirements<Tools[keyof Tools]> | ToolRegistry.ToolRegistry | Scope.Scope> =>
  Effect.gen(function* () {
    const registry = yield* ToolRegistry.ToolRegistry
    const { handle, tools } = yield* toolkit
    const context = yield* Effect.context<AiTool.Requirements<Tools[keyof Tools]>>()
    const id = `toolkit:${Object.keys(tools).join(",")}`
    const own = Object.entries(tools).map(([name, tool]) =>
      // The handler reads the arguments by the tool's own schema.
      fromAiTool(tool, (args) => Effect.provide(handle(name, args as AiTool.Parameters<Tools[string]>), context))
    )
    yield* Effect.acquireRelease(registry.register({ id, rank: -1 }, own), () => registry.unregister(id))
  })

/**
 * `register`, as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerToolkit = <Tools extends Record<string, AiTool.Any>, E, R>(
  toolkit: Effect.Effect<Toolkit.WithHandler<Tools>, E, R>
): Layer.Layer<
  never,
  E,
  Exclude<R | AiTool.Requirements<Tools[keyof Tools]>, Scope.Scope> | ToolRegistry.ToolRegistry
> => Layer.scopedDiscard(register(toolkit))

const fromAiTool = (
  tool: AiTool.Any,
  handle: (args: JsonObject) => Effect.Effect<AiTool.HandlerResult<AiTool.Any>, unknown>
): Tool => ({
  name: tool.name,
  description: tool.description ?? AiTool.getDescriptionFromSchemaAst(tool.parametersSchema.ast) ?? "",
  inputSchema: { ...AiTool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast) },
  origin: { _tag: "Builtin" },
  hints: {
    readOnly: Context.get(tool.annotations, AiTool.Readonly),
    destructive: Context.get(tool.annotations, AiTool.Destructive),
    idempotent: Context.get(tool.annotations, AiTool.Idempotent)
  },
  run: (args, { timeout }) =>
    handle(args).pipe(
      Effect.map(({ encodedResult, isFailure }) => ({
        ...text(written(encodedResult)),
        isError: isFailure,
        structuredContent: encodedResult
      })),
      Effect.catchAll((error) => Effect.succeed(failure(written(error)))),
      Effect.timeoutTo({
        duration: timeout,
        onSuccess: (result) => result,
        onTimeout: () => failure(`${tool.name} took longer than ${Duration.format(timeout)} and was stopped.`)
      })
    )
})

const written = (value: unknown): string => {
  if (typeof value === "string") return value
  if (!(value instanceof Error)) return JSON.stringify(value) ?? ""
  return ParseResult.isParseError(value.cause) ? value.cause.message : value.message
}

const toAiTool = (name: string, tool: Tool, provider: ModelSchema.Provider): RegistryTool => {
  const { schema } = ModelSchema.forProvider(provider, tool.inputSchema)
  // The type asks for a struct; any schema is taken, and this one's annotation reaches the API as it is.
  const parameters = Schema.Unknown.annotations({ jsonSchema: schema }) as unknown as AiTool.EmptyParams
  return AiTool.make(name, {
    description: tool.description,
    success: Schema.String,
    failure: Schema.String,
    failureMode: "return"
  }).setParameters(parameters)
}
