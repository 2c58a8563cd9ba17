/**
 * The input: the text being edited, the prompts of before, and a completion under way.
 *
 * @since 0.1.0
 */

import * as Completion from "./Completion.ts"
import type { Key } from "./Keys.ts"
import * as TextBuffer from "./TextBuffer.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Prompt {
  readonly buffer: TextBuffer.TextBuffer
  /** Oldest first. */
  readonly history: ReadonlyArray<string>
  /** Which entry of the history is shown; its length when it is the draft. */
  readonly position: number
  /** What was being typed when the history was entered. */
  readonly draft: TextBuffer.TextBuffer
  readonly completion: Completion.Completion | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: Prompt = {
  buffer: TextBuffer.empty,
  history: [],
  position: 0,
  draft: TextBuffer.empty,
  completion: undefined
}

const historyLimit = 1_000

/**
 * The prompts of earlier sessions, put before those of this one.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onHistory = (prompt: Prompt, earlier: ReadonlyArray<string>): Prompt => {
  const history = [...earlier, ...prompt.history]
  return { ...prompt, history, position: prompt.position + earlier.length }
}

/**
 * The empty input after a prompt was sent.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onSubmit = (prompt: Prompt, text: string): Prompt => {
  const history = prompt.history.at(-1) === text ? prompt.history : [...prompt.history, text].slice(-historyLimit)
  const buffer = { ...TextBuffer.empty, killed: prompt.buffer.killed }
  return { ...empty, buffer, history, position: history.length }
}

/**
 * Text in place of what is there.
 *
 * @since 0.1.0
 * @category transitions
 */
export const setText = (prompt: Prompt, text: string): Prompt => ({
  ...prompt,
  buffer: TextBuffer.make(text),
  completion: undefined
})

/**
 * The files that were looked up for a completion; dropped when the text has changed since.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onCandidates = (
  prompt: Prompt,
  found: { readonly start: number; readonly prefix: string; readonly candidates: ReadonlyArray<Completion.Candidate> }
): Prompt => {
  const end = found.start + found.prefix.length
  const unchanged = prompt.buffer.cursor === end && prompt.buffer.text.slice(found.start, end) === found.prefix
  const completion = unchanged ? Completion.make(found.start, end, found.candidates) : undefined
  return completion === undefined ? prompt : { ...prompt, ...Completion.next(prompt.buffer, completion) }
}

/**
 * The prompt after an editing key; `undefined` when the key is none.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onKey = (prompt: Prompt, key: Key, width: number): Prompt | undefined => {
  if (key._tag === "Text") return edited(prompt, TextBuffer.insert(prompt.buffer, key.text))
  if (key._tag === "Paste") return edited(prompt, TextBuffer.paste(prompt.buffer, key.text))
  if (key.key === "up" || key.key === "ctrl+p") return moved(prompt, -1, width)
  if (key.key === "down" || key.key === "ctrl+n") return moved(prompt, 1, width)
  const edit = TextBuffer.keys[key.key]
  return edit === undefined ? undefined : edited(prompt, edit(prompt.buffer))
}

const edited = (prompt: Prompt, buffer: TextBuffer.TextBuffer): Prompt => ({ ...prompt, buffer, completion: undefined })

const moved = (prompt: Prompt, step: 1 | -1, width: number): Prompt => {
  const within = TextBuffer.moveRows(prompt.buffer, step, width)
  if (within !== undefined) return edited(prompt, within)
  const position = prompt.position + step
  if (position < 0 || position > prompt.history.length) return prompt
  const draft = prompt.position === prompt.history.length ? prompt.buffer : prompt.draft
  const recalled = prompt.history[position]
  const buffer = recalled === undefined ? draft : TextBuffer.make(recalled)
  return { ...prompt, buffer, draft, position, completion: undefined }
}
