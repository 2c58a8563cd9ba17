/**
 * What a key does before the question whether a tool may run.
 *
 * @since 0.1.0
 */
import type { Answer } from "../engine/Permission.ts"
import { Intent } from "./Intent.ts"
import type { Key } from "./Keys.ts"
import { type Step, step } from "./Step.ts"
import * as TextBuffer from "./TextBuffer.ts"
import type { Dialog, UiState } from "./UiState.ts"

/**
 * A person who is typing when the question comes has not meant it: keys count after a pause of this many milliseconds.
 */
const pause = 700

/**
 * The answers, in the order shown; `key` picks one at once, as does its number.
 *
 * @since 0.1.0
 * @category constants
 */
export const choices: ReadonlyArray<{ readonly key: string; readonly answer: Answer["_tag"] | "Word" }> = [
  { key: "y", answer: "Once" },
  { key: "s", answer: "Session" },
  { key: "a", answer: "Always" },
  { key: "n", answer: "Deny" },
  { key: "w", answer: "Word" }
]

/**
 * @since 0.1.0
 * @category transitions
 */
export const onKey = (state: UiState, dialog: Dialog, key: Key): Step => {
  if (dialog.reason !== undefined) return onReasonKey(state, dialog, dialog.reason, key)
  if (state.now - state.typedAt < pause) return step({ ...state, typedAt: state.now })
  const name = key._tag === "Press" ? key.key : key._tag === "Text" ? key.text.charAt(0) : ""
  const picked = choices.findIndex((choice, index) => choice.key === name || String(index + 1) === name)
  if (picked >= 0) return choose(state, dialog, picked)
  switch (name) {
    case "enter":
      return choose(state, dialog, dialog.choice)
    case "up":
    case "k":
      return change(state, dialog, { choice: (dialog.choice + choices.length - 1) % choices.length })
    case "down":
    case "j":
    case "tab":
      return change(state, dialog, { choice: (dialog.choice + 1) % choices.length })
    case "pageup":
      return change(state, dialog, { scroll: Math.max(0, dialog.scroll - 5) })
    case "pagedown":
      return change(state, dialog, { scroll: dialog.scroll + 5 })
    default:
      return step(state)
  }
}

const change = (state: UiState, dialog: Dialog, fields: Partial<Dialog>): Step =>
  step({ ...state, dialog: { ...dialog, ...fields } })

const choose = (state: UiState, dialog: Dialog, index: number): Step => {
  const answer = choices[index]?.answer
  if (answer === undefined) return step(state)
  if (answer === "Word") return change(state, dialog, { choice: index, reason: TextBuffer.empty })
  return give(state, dialog, { _tag: answer })
}

const give = (state: UiState, { question }: Dialog, answer: Answer): Step =>
  step({ ...state, dialog: undefined }, Intent.Answer({ id: question.id, answer }))

const onReasonKey = (state: UiState, dialog: Dialog, reason: TextBuffer.TextBuffer, key: Key): Step => {
  if (key._tag !== "Press") return change(state, dialog, { reason: TextBuffer.insert(reason, key.text) })
  if (key.key === "escape") return change(state, dialog, { reason: undefined })
  if (key.key === "enter") return give(state, dialog, { _tag: "Deny", reason: TextBuffer.content(reason).trim() })
  const edit = TextBuffer.keys[key.key]
  return edit === undefined ? step(state) : change(state, dialog, { reason: edit(reason) })
}
