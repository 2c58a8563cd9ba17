/**
 * How a server's state looks: a mark, a word, and a tone, the same in bar and panel.
 *
 * @since 0.1.0
 */
import { ServerStatus } from "../mcp/ServerStatus.ts"
import { oneLine } from "../mcp/VisibleText.ts"

/**
 * What the state means to a person: colours are made of it.
 *
 * @since 0.1.0
 * @category models
 */
export type Tone = "good" | "waiting" | "bad" | "off"

/**
 * @since 0.1.0
 * @category models
 */
export interface ServerView {
  readonly name: string
  readonly mark: string
  readonly label: string
  readonly tone: Tone
}

/**
 * The view of a state.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (status: ServerStatus): ServerView => ({ name: oneLine(status.name), ...look(status) })

const look = ServerStatus.$match({
  Pending: () => ({ mark: "○", label: "connecting", tone: "waiting" as const }),
  Connected: ({ tools }) => ({ mark: "●", label: counted(tools.length, "tool"), tone: "good" as const }),
  Failed: () => ({ mark: "✗", label: "failed", tone: "bad" as const }),
  // It was there and is gone: a person sees that at once, also when it may come back by itself.
  Reconnecting: ({ attempt }) => ({ mark: "✗", label: `reconnecting (${attempt})`, tone: "bad" as const }),
  NeedsAuth: () => ({ mark: "○", label: "needs login", tone: "waiting" as const }),
  NeedsApproval: () => ({ mark: "○", label: "needs approval", tone: "waiting" as const }),
  Disabled: () => ({ mark: "–", label: "disabled", tone: "off" as const })
})

/**
 * A number with its noun.
 *
 * @since 0.1.0
 * @category formatting
 */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`

/**
 * The cell of the bar: `context7 ● 2 tools`.
 *
 * @since 0.1.0
 * @category formatting
 */
export const cell = ({ label, mark, name }: ServerView): string => `${name} ${mark} ${label}`

const urgency: Readonly<Record<Tone, number>> = { bad: 0, waiting: 1, good: 2, off: 3 }

/**
 * What fits into a width, cells parted by ` │ `: everything in the order given, or else what needs attention first and the
 * number of what was left out. One is shown however little room there is.
 *
 * @since 0.1.0
 * @category formatting
 */
export const fit = (
  views: ReadonlyArray<ServerView>,
  width: number,
  measure: (text: string) => number
): { readonly shown: ReadonlyArray<ServerView>; readonly hidden: number } => {
  const separator = 3
  const total = views.reduce((sum, view) => sum + measure(cell(view)) + separator, -separator)
  if (total <= width) return { shown: views, hidden: 0 }
  const byUrgency = views.toSorted((left, right) => urgency[left.tone] - urgency[right.tone])
  const shown: Array<ServerView> = []
  let left = width - `+${views.length} more`.length
  for (const view of byUrgency) {
    left -= measure(cell(view)) + separator
    if (left < 0 && shown.length > 0) break
    shown.push(view)
  }
  return { shown, hidden: views.length - shown.length }
}
