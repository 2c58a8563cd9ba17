/**
 * How the rows of the screen are shared out, so that what is drawn anew is never taller than the screen.
 *
 * @since 0.1.0
 */
import * as Completion from "./Completion.ts"
import * as TextBuffer from "./TextBuffer.ts"
import * as UiState from "./UiState.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Heights {
  /** For the end of the answer and the calls that run. */
  readonly live: number
  /** Whether there is room for the bars. */
  readonly bars: boolean
  readonly input: number
  readonly menu: number
  readonly dialog: number
}

/** A dialog that cannot show an argument is no question: below this the bars make room. */
const smallestDialog = 14
const largestMenu = 6
const smallestLive = 2

/**
 * The heights for a state.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (state: UiState.UiState): Heights => {
  const { dialog, plain, prompt, queued, rows, statuses, transcript } = state
  const run = transcript.run === undefined && queued.length === 0 ? 0 : 2 + (queued.length === 0 ? 0 : 1)
  // The key hints, and the line below the frame.
  const room = rows - 2 - run
  const barRows = statuses.length === 0 ? 2 : 3
  if (dialog !== undefined) {
    const bars = room - barRows - smallestLive >= smallestDialog
    const left = room - (bars ? barRows : 0)
    const live = Math.max(0, Math.min(smallestLive, left - smallestDialog))
    return { live, bars, input: 0, menu: 0, dialog: Math.max(1, left - live) }
  }
  const rules = plain ? 0 : 2
  const bars = room - barRows - rules >= 4
  const left = room - (bars ? barRows : 0) - rules
  const wanted = TextBuffer.layout(prompt.buffer, UiState.promptWidth(state)).rows.length
  const input = Math.max(1, Math.min(wanted, Math.floor(rows / 3), left))
  const menu = Math.max(0, Math.min(largestMenu, menuOf(state).candidates.length, left - input - 1))
  return { live: Math.max(1, left - input - menu), bars, input, menu, dialog: 0 }
}

/**
 * The list below the input: a completion under way, or the commands that begin like what is typed.
 *
 * @since 0.1.0
 * @category getters
 */
export const menuOf = ({ prompt, prompts }: UiState.UiState): Pick<Completion.Completion, "candidates" | "index"> => {
  if (prompt.completion !== undefined) return prompt.completion
  const wanted = Completion.wanted(prompt.buffer, { servers: [], models: [], prompts })
  return { candidates: wanted._tag === "Candidates" ? wanted.candidates : [], index: -1 }
}
