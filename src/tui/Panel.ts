/**
 * A full-screen view: rows of which a window is shown, a selected one, a filter. `/mcp`, `/tools` and the result of a tool
 * call are such views.
 *
 * @since 0.1.0
 */
import type { Key } from "./Keys.ts"
import { type Folding, isSelectable, type PanelRow } from "./PanelRow.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Panel {
  readonly subject: Subject
  /** The index of the selected row; in a view of plain lines the first one shown. */
  readonly selected: number
  /** The index of the first row shown. */
  readonly offset: number
  readonly folding: Folding
  /** The filter is being typed. */
  readonly filtering: boolean
}

/**
 * What the view shows; `call` counts the finished tool calls from the last one back.
 *
 * @since 0.1.0
 * @category models
 */
export type Subject =
  | { readonly _tag: "Servers" }
  | { readonly _tag: "Tools" }
  | { readonly _tag: "Sessions" }
  | { readonly _tag: "Call"; readonly back: number }

/**
 * A view from its top.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (subject: Subject): Panel => ({
  subject,
  selected: 0,
  offset: 0,
  folding: { servers: new Map(), tools: new Set(), filter: "" },
  filtering: false
})

/**
 * The panel with a row selected, and the window moved so that the row is in it with some of its neighbours.
 *
 * @since 0.1.0
 * @category transitions
 */
export const select = (panel: Panel, index: number, rows: ReadonlyArray<PanelRow>, height: number): Panel => {
  const selected = Math.max(0, Math.min(index, rows.length - 1))
  const margin = Math.min(2, Math.floor((height - 1) / 2))
  const last = Math.max(0, rows.length - height)
  const lowest = Math.min(last, Math.max(0, selected - margin))
  const highest = Math.max(0, Math.min(last, selected + margin - height + 1))
  return { ...panel, selected, offset: Math.max(highest, Math.min(panel.offset, lowest)) }
}

/**
 * The panel after its rows have changed: what was selected stays so, as far as it is still there.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onRows = (
  panel: Panel,
  before: ReadonlyArray<PanelRow>,
  after: ReadonlyArray<PanelRow>,
  height: number
): Panel => {
  const selected = before[panel.selected]
  const id = selected && identity(selected)
  const index = id === undefined ? panel.selected : after.findIndex((row) => identity(row) === id)
  return select(panel, index < 0 ? panel.selected : index, after, height)
}

const identity = (row: PanelRow): string | undefined => {
  if (row._tag === "Server") return `server ${row.status.name}`
  if (row._tag === "Tool") return `tool ${row.key}`
  return row._tag === "Session" ? `session ${row.id}` : undefined
}

/**
 * The server that a key such as `r` is meant for: the one of the selected row.
 *
 * @since 0.1.0
 * @category getters
 */
export const serverAt = (panel: Panel, rows: ReadonlyArray<PanelRow>): string | undefined => {
  const above = rows.slice(0, panel.selected + 1).findLast((row) => row._tag === "Server")
  return above?._tag === "Server" ? above.status.name : undefined
}

/**
 * The indices of the first and the last row that are about a server.
 *
 * @since 0.1.0
 * @category getters
 */
export const extentOf = (
  rows: ReadonlyArray<PanelRow>,
  server: string
): { readonly first: number; readonly last: number } => {
  const first = rows.findIndex((row) => row._tag === "Server" && row.status.name === server)
  const next = rows.findIndex((row, index) => index > first && row._tag === "Server")
  return { first, last: (next === -1 ? rows.length : next) - 1 }
}

type Move = (panel: Panel, rows: ReadonlyArray<PanelRow>, height: number) => Panel

/** To the next row that can be selected; where none can, the window itself moves. */
const step =
  (direction: 1 | -1): Move =>
  (panel, rows, height) => {
    if (!rows.some(isSelectable)) return scroll(direction)(panel, rows, height)
    for (let index = panel.selected + direction; index >= 0 && index < rows.length; index += direction) {
      const row = rows[index]
      if (row !== undefined && isSelectable(row)) return select(panel, index, rows, height)
    }
    return scroll(direction)(panel, rows, height)
  }

const scroll =
  (lines: number): Move =>
  (panel, rows, height) => ({
    ...panel,
    offset: Math.max(0, Math.min(panel.offset + lines, rows.length - height))
  })

const page =
  (direction: 1 | -1): Move =>
  (panel, rows, height) => {
    if (!rows.some(isSelectable)) return scroll(direction * (height - 1))(panel, rows, height)
    const target = panel.selected + direction * (height - 1)
    const clamped = Math.max(0, Math.min(target, rows.length - 1))
    return step(direction)({ ...panel, selected: clamped - direction }, rows, height)
  }

const edge =
  (index: number): Move =>
  (panel, rows, height) =>
    rows.some(isSelectable)
      ? step(index === 0 ? 1 : -1)({ ...panel, selected: index === 0 ? -1 : rows.length }, rows, height)
      : scroll(index === 0 ? -rows.length : rows.length)(panel, rows, height)

const moves: Readonly<Record<string, Move>> = {
  up: step(-1),
  k: step(-1),
  down: step(1),
  j: step(1),
  pageup: page(-1),
  "ctrl+b": page(-1),
  pagedown: page(1),
  "ctrl+f": page(1),
  space: page(1),
  " ": page(1),
  home: edge(0),
  g: edge(0),
  end: edge(1),
  G: edge(1)
}

/**
 * The panel after a key that moves in it; `undefined` when the key does not.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onMove = (panel: Panel, key: string, rows: ReadonlyArray<PanelRow>, height: number): Panel | undefined =>
  moves[key]?.(panel, rows, height)

/**
 * The panel with the selected row unfolded or folded.
 *
 * @since 0.1.0
 * @category transitions
 */
export const toggle = (panel: Panel, rows: ReadonlyArray<PanelRow>): Panel => {
  const row = rows[panel.selected]
  if (row?._tag === "Tool") {
    const tools = new Set(panel.folding.tools)
    if (!tools.delete(row.key)) tools.add(row.key)
    return { ...panel, folding: { ...panel.folding, tools } }
  }
  const server = row?._tag === "More" ? row.server : row?._tag === "Server" ? row.status.name : undefined
  if (server === undefined) return panel
  const isCut = rows.some((other) => other._tag === "More" && other.server === server)
  const servers = new Map(panel.folding.servers).set(server, isCut)
  return { ...panel, folding: { ...panel.folding, servers } }
}

/**
 * The panel with what a server says of itself and logs shown, or not any more.
 *
 * @since 0.1.0
 * @category transitions
 */
export const toggleSays = (panel: Panel, server: string): Panel => {
  const says = new Set(panel.folding.says)
  if (!says.delete(server)) says.add(server)
  return { ...panel, folding: { ...panel.folding, says } }
}

/**
 * The panel after a key while the filter is typed.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onFilterKey = (panel: Panel, key: Key): Panel => {
  const { filter } = panel.folding
  if (key._tag !== "Press") return filtered(panel, filter + key.text.replace(/\s+/g, " "))
  switch (key.key) {
    case "escape":
      return { ...filtered(panel, ""), filtering: false }
    case "enter":
      return { ...panel, filtering: false }
    case "backspace":
      return filtered(panel, Array.from(filter).slice(0, -1).join(""))
    case "ctrl+u":
      return filtered(panel, "")
    default:
      return panel
  }
}

const filtered = (panel: Panel, filter: string): Panel => ({
  ...panel,
  selected: 0,
  offset: 0,
  folding: { ...panel.folding, filter }
})
