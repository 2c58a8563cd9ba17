/**
 * harness9/ai: the tools of MCP servers as a Toolkit of `@effect/ai`, for programs that have a LanguageModel of their own.
 *
 * @since 0.1.0
 */
import * as AiTool from "@effect/ai/Tool"
import type * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { isObject } from "./mcp/JsonRpc.ts"
import { McpManager } from "./mcp/McpManager.ts"
import * as ToolName from "./mcp/ToolName.ts"
import * as McpToolAdapter from "./tool/McpToolAdapter.ts"
import * as ModelSchema from "./tool/ModelSchema.ts"
import type { Tool } from "./tool/Tool.ts"
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
    readonly parameters: AiTool.AnyParametersSchema
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
          ({ isError, text }) => ({ isFailure: isError, result: text, encodedResult: text })
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
