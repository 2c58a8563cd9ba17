/**
 * How much of a model's context the definition of a tool takes.
 *
 * @since 0.1.0
 */
import type { Tool } from "./Tool.ts"

/**
 * A definition is compact JSON with English in it. The definitions of 430 tools of published servers have 4.4 characters for each
 * token of OpenAI's tokenizer (from 3.9 to 5.2); others cut text finer, so that less is taken here.
 */
const charactersPerToken = 4

const known = new WeakMap<Tool, number>()

/**
 * The tokens of a definition: name, description and input schema. An estimate, made once for each tool.
 *
 * @since 0.1.0
 * @category getters
 */
export const tokens = (tool: Tool): number => {
  const before = known.get(tool)
  if (before !== undefined) return before
  const characters = tool.name.length + tool.description.length + JSON.stringify(tool.inputSchema).length
  const estimate = Math.ceil(characters / charactersPerToken)
  known.set(tool, estimate)
  return estimate
}

/**
 * Whether the definitions together take more than this. Stops counting once they do.
 *
 * @since 0.1.0
 * @category predicates
 */
export const exceeds = (tools: Iterable<Tool>, budget: number): boolean => {
  let sum = 0
  for (const tool of tools) {
    sum += tokens(tool)
    if (sum > budget) return true
  }
  return false
}
