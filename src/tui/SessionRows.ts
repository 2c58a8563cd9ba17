/**
 * The rows of `/resume`: the sessions that could be gone on with.
 *
 * @since 0.1.0
 */
import type { Summary } from "../engine/SessionStore.ts"
import { oneLine } from "../mcp/VisibleText.ts"
import { PanelRow } from "./PanelRow.ts"

/**
 * A row for each session that has the filter in its prompt, directory or name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of = (sessions: ReadonlyArray<Summary>, filter: string): ReadonlyArray<PanelRow> =>
  sessions
    .filter(({ directory, id, prompt }) => `${prompt} ${directory} ${id}`.toLowerCase().includes(filter.toLowerCase()))
    .flatMap(({ directory, id, inUse, prompt, turns, updatedAt }) => [
      PanelRow.Session({ id, text: oneLine(prompt.slice(0, 500)) }),
      PanelRow.Line({
        text: [
          new Date(updatedAt).toLocaleString("sv").slice(0, 16),
          `${turns} ${turns === 1 ? "turn" : "turns"}`,
          directory,
          ...(inUse ? ["open elsewhere"] : [])
        ].join("  "),
        indent: 2,
        tone: "muted"
      })
    ])
