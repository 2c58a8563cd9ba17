/**
 * What a key does, wherever the person is: in the conversation, in a view, or before a question.
 *
 * @since 0.1.0
 */
import * as ServerPrompts from "../engine/ServerPrompts.ts"
import * as ShellCommand from "../engine/ShellCommand.ts"
import * as Completion from "./Completion.ts"
import * as DialogKeys from "./DialogKeys.ts"
import * as Help from "./Help.ts"
import { Intent } from "./Intent.ts"
import type { Key } from "./Keys.ts"
import * as PanelKeys from "./PanelKeys.ts"
import * as Prompt from "./Prompt.ts"
import * as Question from "./Question.ts"
import * as SlashCommand from "./SlashCommand.ts"
import { type Step, step } from "./Step.ts"
import * as TextBuffer from "./TextBuffer.ts"
import * as Transcript from "./Transcript.ts"
import * as UiState from "./UiState.ts"

/**
 * The state after a key, and what the key asks for.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onKey = (before: UiState.UiState, key: Key, now: number): Step => {
  const state = { ...before, now, message: undefined }
  if (key._tag === "Press" && key.key === "ctrl+c") return stop(state, Intent.Quit())
  if (key._tag === "Press" && key.key === "ctrl+l") return step(state, Intent.Repaint())
  if (key._tag === "Press" && key.key === "ctrl+z") return step(state, Intent.Suspend())
  if (state.panel !== undefined) return PanelKeys.onKey(state, state.panel, key)
  if (state.dialog !== undefined) {
    if (key._tag === "Press" && key.key === "escape" && state.dialog.reason === undefined) {
      const reply = Question.onEscape(state.dialog.question)
      return reply === undefined ? stop(state) : DialogKeys.give(state, state.dialog, reply)
    }
    return DialogKeys.onKey(state, state.dialog, key)
  }
  return key._tag === "Press" ? onPress(state, key.key) : onEdit({ ...state, typedAt: now }, key)
}

/** Cancels what runs; once more, or with nothing running, does the rest. */
const stop = (state: UiState.UiState, ...otherwise: ReadonlyArray<Intent>): Step => {
  const { run } = state.transcript
  if (run === undefined || run.cancelling) return step(state, ...otherwise)
  return step({ ...state, transcript: Transcript.onCancelling(state.transcript) }, Intent.Cancel())
}

const onPress = (state: UiState.UiState, key: string): Step => {
  switch (key) {
    case "enter":
      return onEnter(state)
    case "tab":
      return onTab(state, 1)
    case "shift+tab":
      return onTab(state, -1)
    case "escape":
      return state.prompt.completion === undefined
        ? stop(state)
        : step({ ...state, prompt: { ...state.prompt, completion: undefined } })
    case "ctrl+o":
      return UiState.calls(state).length === 0
        ? step(UiState.onMessage(state, "no tool has been called yet"))
        : step(UiState.onPanel(state, { _tag: "Call", back: 0 }))
    case "ctrl+d":
      return state.prompt.buffer.text === "" ? step(state, Intent.Quit()) : onEdit(state, { _tag: "Press", key })
    default:
      return onEdit(state, { _tag: "Press", key })
  }
}

const onEdit = (state: UiState.UiState, key: Key): Step => {
  const prompt = Prompt.onKey(state.prompt, key, UiState.promptWidth(state))
  return step(prompt === undefined ? state : { ...state, prompt })
}

const onTab = (state: UiState.UiState, direction: 1 | -1): Step => {
  const { buffer, completion } = state.prompt
  if (completion !== undefined) {
    return step({ ...state, prompt: { ...state.prompt, ...Completion.next(buffer, completion, direction) } })
  }
  const servers = state.statuses.map(({ name }) => name)
  const wanted = Completion.wanted(buffer, { servers, models: state.models, prompts: state.prompts })
  if (wanted._tag === "Nothing") return step(state)
  if (wanted._tag === "Files") {
    return step(state, Intent.FindFiles({ start: wanted.start, prefix: wanted.prefix }))
  }
  if (wanted._tag === "Values") {
    const { start, prefix } = wanted
    return step(state, Intent.FindValues({ start, prefix, command: wanted.command, wanted: wanted.wanted }))
  }
  const begun = Completion.make(wanted.start, buffer.cursor, wanted.candidates)
  if (begun === undefined) return step(state)
  return step({ ...state, prompt: { ...state.prompt, ...Completion.next(buffer, begun, direction) } })
}

const onEnter = (state: UiState.UiState): Step => {
  const { buffer } = state.prompt
  if (buffer.text.charAt(buffer.cursor - 1) === "\\") {
    const continued = TextBuffer.replace(buffer, buffer.cursor - 1, buffer.cursor, "\n")
    return step({ ...state, prompt: { ...state.prompt, buffer: continued, completion: undefined } })
  }
  const text = TextBuffer.content(buffer).trim()
  if (text === "") return step(state)
  const sent = { ...state, typedAt: 0, prompt: Prompt.onSubmit(state.prompt, text) }
  const remember = Intent.Remember({ prompt: text })
  const next = submit(sent, text)
  return { state: next.state, intents: [remember, ...next.intents] }
}

const submit = (state: UiState.UiState, text: string): Step => {
  const command = SlashCommand.parse(text)
  if (command._tag === "Command") return onCommand(state, command.name, command.argument)
  if (command._tag === "Unknown" && ServerPrompts.find(state.prompts, text) === undefined) {
    return step(UiState.onMessage(state, SlashCommand.unknown(command), "error"))
  }
  if (state.transcript.run !== undefined) return step({ ...state, queued: [...state.queued, text] })
  return start(state, text)
}

/**
 * Sends a prompt, or runs it when it begins with `!`.
 *
 * @since 0.1.0
 * @category transitions
 */
export const start = (state: UiState.UiState, text: string): Step => {
  const said = Transcript.add(state.transcript, Transcript.Item.User({ text }))
  const shell = ShellCommand.parse(text)
  const transcript = Transcript.onRun(said, state.now, shell === undefined ? "thinking" : "running")
  return step(
    { ...state, transcript },
    shell === undefined ? Intent.Ask({ prompt: text }) : Intent.Shell({ command: shell })
  )
}

/**
 * The next of the prompts that wait, once the run before it is over.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onIdle = (state: UiState.UiState): Step => {
  const [next, ...queued] = state.queued
  return next === undefined || state.transcript.run !== undefined ? step(state) : start({ ...state, queued }, next)
}

const onCommand = (state: UiState.UiState, name: SlashCommand.Name, argument: string): Step => {
  switch (name) {
    case "mcp":
      return openServers(state, argument)
    case "tools":
      return step(UiState.onPanel(state, { _tag: "Tools" }))
    case "model":
      return argument === ""
        ? step(say(state, aboutModel(state)))
        : step(UiState.onMessage(state, `changing to ${argument}`), Intent.UseModel({ name: argument }))
    case "help":
      return step(say(state, Help.text))
    case "clear":
      return whenIdle(state, step({ ...state, transcript: Transcript.empty }, Intent.Clear()))
    case "resume":
      return whenIdle(state, step(state, Intent.Resume({ id: argument === "" ? undefined : argument })))
    case "compact": {
      const transcript = Transcript.onRun(state.transcript, state.now, "summing up the conversation")
      const focus = argument === "" ? undefined : argument
      return whenIdle(state, step({ ...state, transcript }, Intent.Compact({ focus })))
    }
    case "exit":
      return step(state, Intent.Quit())
  }
}

const whenIdle = (state: UiState.UiState, next: Step): Step =>
  state.transcript.run === undefined
    ? next
    : step(UiState.onMessage(state, "something runs: cancel it first (Esc)", "error"))

const aboutModel = ({ model, models }: UiState.UiState): string => {
  const others = models.filter((name) => name !== model)
  const known = others.length === 0 ? "" : `\nothers: ${others.join(", ")}`
  return `model: ${model}\nanother one: /model PROVIDER/MODEL${known}`
}

const say = (state: UiState.UiState, text: string): UiState.UiState => ({
  ...state,
  transcript: Transcript.add(state.transcript, Transcript.Item.Notice({ text, tone: "info" }))
})

const openServers = (state: UiState.UiState, server: string): Step => {
  if (server !== "" && !state.statuses.some(({ name }) => name === server)) {
    return step(UiState.onMessage(state, `no server is called ${server}`, "error"))
  }
  return step(UiState.onServer(UiState.onPanel(state, { _tag: "Servers" }), server))
}
