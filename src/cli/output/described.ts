/**
 * Things of a server that have a name and a description, as people read them.
 *
 * @since 0.1.0
 */
import { oneLine } from "../../mcp/VisibleText.ts"
import type { Output } from "./Output.ts"
import { shortened, table } from "./table.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Described {
  /** As the server sent it. */
  readonly name: string
  /** A word or two, safe to show. */
  readonly facts: string
  /** As the server sent it. */
  readonly description: string
}

/**
 * A line for each, or that there are none of the kind.
 *
 * @since 0.1.0
 * @category formatting
 */
export const described = (
  kind: string,
  things: ReadonlyArray<Described>,
  { columns, style }: Output["Type"]
): string => {
  if (things.length === 0) return `The server has no ${kind}.`
  const widest = Math.max(...things.map(({ facts, name }) => name.length + facts.length))
  const room = Math.max(20, columns - widest - 4)
  return table(
    things.map(({ description, facts, name }) => [
      style.cyan(oneLine(name)),
      style.dim(facts),
      shortened(oneLine(description), room)
    ])
  )
}
