/** Which tools the model is offered, and which it has to search for because all of them would crowd its context. */
import * as DefinitionSize from "../../tool/DefinitionSize.ts"
import type { Tool } from "../../tool/Tool.ts"
import type { ToolSet } from "../../tool/ToolRegistry.ts"
import { type ModelInfo, windowOf } from "../model/ModelInfo.ts"

export interface Settings {
  /** What the definitions of servers' tools may take of the model's context, from 0 to 1. */
  readonly share: number
  /** How many tools that were found or called stay on offer; the least recently used leave. */
  readonly kept: number
}

export const defaults: Settings = { share: 0.1, kept: 30 }

export interface Split {
  readonly offered: ReadonlyArray<Tool>
  /** Those that have to be searched for, found or not; in registry order. */
  readonly searchable: ReadonlyArray<Tool>
}

/** Names of tools, the least recently used first. */
export type Recent = ReadonlyArray<string>

/** The names with these as the most recently used ones. */
export const use = (recent: Recent, names: ReadonlyArray<string>, kept: number): Recent => {
  const all = [...recent.filter((name) => !names.includes(name)), ...new Set(names)]
  return all.slice(Math.max(0, all.length - kept))
}

/** Built-in tools, pinned ones and recent ones are always offered; the rest are, as long as they fit into the budget. */
export const split = (set: ToolSet, recent: Recent, info: ModelInfo, { share }: Settings): Split => {
  // The offline model finds tools by their words, reads no definitions, and has no context to crowd.
  if (info.provider === "offline") return { offered: set.tools, searchable: [] }
  const budget = windowOf(info) * share
  const isTooMuch = DefinitionSize.exceeds(set.tools.filter(isOrdinary), budget)
  const isSearchable = (tool: Tool): boolean => tool.defer === true || (isTooMuch && isOrdinary(tool))
  const isRecent = new Set(recent)
  return {
    offered: set.tools.filter((tool) => isRecent.has(tool.name) || !isSearchable(tool)),
    searchable: set.tools.filter(isSearchable)
  }
}

const isOrdinary = ({ defer, origin }: Tool): boolean => origin._tag === "Mcp" && (defer ?? "auto") === "auto"
