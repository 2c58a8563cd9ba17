import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Engine from "../../src/engine/Engine.ts"
import type { EngineEvent } from "../../src/engine/EngineEvent.ts"
import * as Permission from "../../src/engine/Permission.ts"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as Tool from "../../src/tool/Tool.ts"
import { type Service, ToolRegistry, type ToolSet } from "../../src/tool/ToolRegistry.ts"

/** A tool of a test: read-only unless it says otherwise. */
export const tool = (
  name: string,
  run: (args: JsonObject, options: Tool.RunOptions) => Effect.Effect<Tool.ToolResult> = () =>
    Effect.succeed(Tool.text(`${name} ran`)),
  options: Partial<Tool.Tool> = {}
): Tool.Tool => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: "object" },
  origin: { _tag: "Builtin" },
  hints: { readOnly: true, destructive: false, idempotent: false },
  run,
  ...options
})

export const writing = { hints: { readOnly: false, destructive: true, idempotent: false } }

export const mcpTool = (server: string, name: string, options: Partial<Tool.Tool> = {}) =>
  tool(`mcp__${server}__${name}`, undefined, { origin: { _tag: "Mcp", server, tool: name }, ...options })

const toolSet = (tools: ReadonlyArray<Tool.Tool>): ToolSet => ({
  tools,
  skipped: [],
  byName: new Map(tools.map((tool) => [tool.name, tool]))
})

/** A registry whose tools a test sets. */
export const registry = Effect.fnUntraced(function* (tools: ReadonlyArray<Tool.Tool>) {
  const ref = yield* SubscriptionRef.make(toolSet(tools))
  const service: Service = {
    register: () => Effect.void,
    unregister: () => Effect.void,
    snapshot: SubscriptionRef.get(ref),
    changes: ref.changes,
    execute: (name, args, options) =>
      Effect.flatMap(SubscriptionRef.get(ref), (now) => {
        const found = (options?.from ?? now).byName.get(name)
        if (found === undefined) return Effect.succeed(Tool.failure(`there is no tool "${name}"`))
        return found.run(args, { timeout: options?.timeout as never, onProgress: options?.onProgress })
      })
  }
  return { service, set: (tools: ReadonlyArray<Tool.Tool>) => SubscriptionRef.set(ref, toolSet(tools)) }
})

export interface Setup {
  readonly model: Layer.Layer<LanguageModel.LanguageModel>
  readonly registry: Service
  readonly options?: Engine.Options
  readonly permission?: Permission.Options
}

export const engine = (setup: Setup) =>
  Effect.provide(
    Engine.make(setup.options),
    Layer.mergeAll(
      setup.model,
      Layer.succeed(ToolRegistry, setup.registry),
      Permission.layer({ directory: "/work", ...setup.permission })
    )
  )

export const collect = (stream: Stream.Stream<EngineEvent>): Effect.Effect<ReadonlyArray<EngineEvent>> =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

/** Events of one kind. */
export const only = <Tag extends EngineEvent["_tag"]>(
  events: ReadonlyArray<EngineEvent>,
  tag: Tag
): ReadonlyArray<Extract<EngineEvent, { _tag: Tag }>> =>
  events.filter((event): event is Extract<EngineEvent, { _tag: Tag }> => event._tag === tag)
