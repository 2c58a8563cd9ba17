/** The tools of a turn as the model's API is given them, and the way back from its names to the registry's. */
import * as AiTool from "@effect/ai/Tool"
import type * as Toolkit from "@effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ToolName from "../../mcp/ToolName.ts"
import * as ModelSchema from "../../tool/ModelSchema.ts"
import type { Tool } from "../../tool/Tool.ts"
import type { ToolSet } from "../../tool/ToolRegistry.ts"
import type { ModelInfo } from "../model/ModelInfo.ts"

export interface Offer {
  readonly set: ToolSet
  /** What runs when it is called: the set, whether offered or not, and the search where there is one. */
  readonly callable: ToolSet
  readonly toolkit: Toolkit.WithHandler<Record<string, AiTool.Any>>
  readonly count: number
  /** Tools beyond what the API takes, in registry order. */
  readonly leftOut: ReadonlyArray<Tool>
  /** The registry's name of what the model called. */
  readonly registryName: (modelName: string) => string
}

/** A part of a set, and the tool by which the model finds the rest. */
export interface Part {
  readonly offered: ReadonlyArray<Tool>
  readonly search: Tool
}

export type Maker = (set: ToolSet, part?: Part) => Offer

/** Makes the offer of a set or a part of one; the same whole set gives the same offer, made once. */
export const maker = (info: ModelInfo): Maker => {
  const tools = new WeakMap<Tool, AiTool.Any>()
  const offers = new WeakMap<ToolSet, Offer>()

  const aiTool = (tool: Tool): AiTool.Any => {
    const known = tools.get(tool)
    if (known !== undefined) return known
    const made = toAiTool(tool, info)
    tools.set(tool, made)
    return made
  }

  return (set, part) => {
    if (part !== undefined) return make(set, withTool(set, part.search), [part.search, ...part.offered], info, aiTool)
    const known = offers.get(set)
    if (known !== undefined) return known
    const made = make(set, set, set.tools, info, aiTool)
    offers.set(set, made)
    return made
  }
}

/** @effect/ai builds a schema of every tool at every turn, about a millisecond each: more would freeze a terminal. */
const most = 512

const withTool = (set: ToolSet, tool: Tool): ToolSet => ({
  ...set,
  tools: [tool, ...set.tools],
  byName: new Map([...set.byName, [tool.name, tool]])
})

const make = (
  set: ToolSet,
  callable: ToolSet,
  tools: ReadonlyArray<Tool>,
  info: ModelInfo,
  aiTool: (tool: Tool) => AiTool.Any
): Offer => {
  const offered = tools.slice(0, info.maxTools ?? most)
  const names = new Map(offered.map((tool) => [ToolName.forModel(tool.name), tool.name]))
  return {
    set,
    callable,
    toolkit: {
      tools: Object.fromEntries(offered.map((tool) => [ToolName.forModel(tool.name), aiTool(tool)])),
      handle: () => Effect.dieMessage("the engine runs the tools, not the toolkit")
    },
    count: offered.length,
    leftOut: tools.slice(offered.length),
    registryName: (modelName) => names.get(modelName) ?? nameOf(callable, modelName)
  }
}

/** Of a tool that was not offered, and is called by the name that it would have had. */
const nameOf = ({ byName, tools }: ToolSet, modelName: string): string =>
  byName.has(modelName)
    ? modelName
    : (tools.find(({ name }) => ToolName.forModel(name) === modelName)?.name ?? modelName)

const toAiTool = (tool: Tool, info: ModelInfo): AiTool.Any => {
  const { schema } = ModelSchema.forProvider(info.provider, tool.inputSchema)
  // The type asks for a struct; any schema is taken, and this one's annotation reaches the API as it is.
  const parameters = Schema.Unknown.annotations({ jsonSchema: schema }) as unknown as AiTool.EmptyParams
  return AiTool.make(ToolName.forModel(tool.name), { description: tool.description }).setParameters(parameters)
}
