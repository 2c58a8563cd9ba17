/**
 * What a key does before a question.
 *
 * @since 0.1.0
 */
import * as Form from "./Form.ts"
import { Intent } from "./Intent.ts"
import type { Key } from "./Keys.ts"
import * as Question from "./Question.ts"
import { type Step, step } from "./Step.ts"
import * as TextBuffer from "./TextBuffer.ts"
import type { Dialog, UiState } from "./UiState.ts"

/**
 * A person who is typing when the question comes has not meant it: keys count after a pause of this many milliseconds.
 */
const pause = 700

/**
 * @since 0.1.0
 * @category transitions
 */
export const onKey = (state: UiState, dialog: Dialog, key: Key): Step => {
  if (dialog.reason !== undefined) return onReasonKey(state, dialog, dialog.reason, key)
  if (state.now - state.typedAt < pause) return step({ ...state, typedAt: state.now })
  if (dialog.form !== undefined) return onFormKey(state, dialog, dialog.form, key)
  if (key._tag === "Paste") return step(state)
  if (key._tag === "Press") return onChoiceKey(state, dialog, key.key)
  const picked = onChoiceKey(state, dialog, key.text.charAt(0))
  const rest = key.text.slice(1)
  // What follows an answer in the same moment was not meant for the next question.
  if (rest === "" || picked.state.dialog === undefined) return picked
  const next = onKey(picked.state, picked.state.dialog, { ...key, text: rest })
  return { state: next.state, intents: [...picked.intents, ...next.intents] }
}

const onChoiceKey = (state: UiState, dialog: Dialog, name: string): Step => {
  const choices = Question.choices(dialog.question)
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
  const answer = Question.choices(dialog.question)[index]?.answer
  switch (answer) {
    case undefined:
      return step(state)
    case "Word":
      return change(state, dialog, { choice: index, reason: TextBuffer.empty })
    case "accept":
    case "decline":
    case "cancel":
      return give(state, dialog, { action: answer })
    default:
      return give(state, dialog, { _tag: answer })
  }
}

const onFormKey = (state: UiState, dialog: Dialog, form: Form.Form, key: Key): Step => {
  const action = Form.actions[form.focus - form.inputs.length]
  if (action === undefined || key._tag !== "Press" || key.key !== "enter") {
    return change(state, dialog, { form: Form.onKey(form, key) })
  }
  if (action !== "accept") return give(state, dialog, { action })
  const submitted = Form.submitted(form)
  return "action" in submitted ? give(state, dialog, submitted) : change(state, dialog, { form: submitted })
}

/**
 * Answers the question.
 *
 * @since 0.1.0
 * @category transitions
 */
export const give = (state: UiState, { question }: Dialog, answer: Question.Reply): Step =>
  step({ ...state, dialog: undefined }, Intent.Answer({ id: question.id, answer }))

const onReasonKey = (state: UiState, dialog: Dialog, reason: TextBuffer.TextBuffer, key: Key): Step => {
  if (key._tag !== "Press") return change(state, dialog, { reason: TextBuffer.insert(reason, key.text) })
  if (key.key === "escape") return change(state, dialog, { reason: undefined })
  if (key.key === "enter") return give(state, dialog, { _tag: "Deny", reason: TextBuffer.content(reason).trim() })
  const edit = TextBuffer.keys[key.key]
  return edit === undefined ? step(state) : change(state, dialog, { reason: edit(reason) })
}
