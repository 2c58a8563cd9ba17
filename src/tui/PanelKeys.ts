/**
 * What a key does in a full-screen view.
 *
 * @since 0.1.0
 */
import { withheldOf } from "../tool/ToolRegistry.ts"
import { Intent } from "./Intent.ts"
import { Key } from "./Keys.ts"
import * as Panel from "./Panel.ts"
import { type Step, step } from "./Step.ts"
import * as UiState from "./UiState.ts"

/**
 * The state after a key in the view that is open. Characters that came in one piece are keys of their own.
 *
 * @since 0.1.0
 * @category transitions
 */
export const onKey = (state: UiState.UiState, panel: Panel.Panel, key: Key): Step => {
  if (panel.filtering) return step({ ...state, panel: Panel.onFilterKey(panel, key) })
  if (key._tag === "Paste") return onPaste(state, panel, key.text)
  if (key._tag !== "Text") return key._tag === "Press" ? onPress(state, panel, key.key) : step(state)
  return Array.from(key.text).reduce<Step>((before, char) => {
    const open = before.state.panel
    if (open === undefined) return before
    const after = open.filtering
      ? onKey(before.state, open, Key.Text({ text: char }))
      : onPress(before.state, open, char)
    return { state: after.state, intents: [...before.intents, ...after.intents] }
  }, step(state))
}

const onPress = (state: UiState.UiState, panel: Panel.Panel, key: string): Step => {
  const rows = UiState.rowsOf(state)
  const moved = Panel.onMove(panel, key, rows, UiState.panelHeight(state))
  if (moved !== undefined) return step({ ...state, panel: moved })
  switch (key) {
    case "escape":
    case "q":
    case "ctrl+o":
      return step({ ...state, panel: undefined })
    case "enter":
      if (panel.subject._tag === "Sessions") return resume(state, panel)
      return needsLogin(state, Panel.serverAt(panel, rows))
        ? onSubjectKey(state, panel, "l")
        : step(refreshed(state, Panel.toggle(panel, rows)))
    case "/":
      return step(panel.subject._tag === "Call" ? state : { ...state, panel: { ...panel, filtering: true } })
    default:
      return onSubjectKey(state, panel, key)
  }
}

const onSubjectKey = (state: UiState.UiState, panel: Panel.Panel, key: string): Step => {
  const { subject } = panel
  if (subject._tag === "Call") return key === "left" || key === "right" ? turn(state, subject.back, key) : step(state)
  if (subject._tag === "Tools" || subject._tag === "Sessions") return step(state)
  if (key === "e" || key === "E") return step(state, Intent.EditConfig())
  const server = Panel.serverAt(panel, UiState.rowsOf(state))
  if (server === undefined) return step(state)
  if (key === "i") return step(refreshed(state, Panel.toggleSays(panel, server)))
  if (key === "r") return step(UiState.onMessage(state, `reconnecting ${server}`), Intent.Reconnect({ server }))
  if (key === "a") return withheldAt(state, panel) ?? agree(state, panel, server)
  if (key === "l") return logIn(state, server)
  if (key !== "d") return step(state)
  const enabled = state.statuses.some(({ _tag, name }) => name === server && _tag === "Disabled")
  const message = `${enabled ? "enabling" : "disabling"} ${server}`
  return step(UiState.onMessage(state, message), Intent.SetEnabled({ server, enabled }))
}

const resume = (state: UiState.UiState, panel: Panel.Panel): Step => {
  const row = UiState.rowsOf(state)[panel.selected]
  return row?._tag === "Session" ? step({ ...state, panel: undefined }, Intent.Resume({ id: row.id })) : step(state)
}

/** On a tool that is withheld, `a` accepts it as it is now. */
const withheldAt = (state: UiState.UiState, panel: Panel.Panel): Step | undefined => {
  const row = UiState.rowsOf(state)[panel.selected]
  if (row?._tag !== "Tool" || row.server === undefined) return undefined
  const { name: tool, server } = row
  if (!withheldOf(state.toolSet, server).has(tool)) return undefined
  return step(UiState.onMessage(state, `accepting ${tool}`), Intent.AcceptTool({ server, tool }))
}

/** Nobody agrees to what they have not seen: where what the entry starts is out of sight, it is shown first. */
const agree = (state: UiState.UiState, panel: Panel.Panel, server: string): Step => {
  const waits = state.statuses.some(({ _tag, name }) => name === server && _tag === "NeedsApproval")
  if (!waits) return step(UiState.onMessage(state, `${server} needs no approval`))
  const { first, last } = Panel.extentOf(UiState.rowsOf(state), server)
  const isShown = panel.offset <= first && (last < panel.offset + UiState.panelHeight(state) || panel.offset === first)
  if (isShown) return step(UiState.onMessage(state, `starting ${server}`), Intent.Approve({ server }))
  return step(
    UiState.onMessage({ ...state, panel: { ...panel, offset: first } }, `this is what ${server} starts: a agrees to it`)
  )
}

const needsLogin = (state: UiState.UiState, server: string | undefined): boolean =>
  state.statuses.some(({ _tag, name }) => name === server && _tag === "NeedsAuth")

const logIn = (state: UiState.UiState, server: string): Step => {
  if (!needsLogin(state, server)) return step(UiState.onMessage(state, `${server} needs no login`))
  return step(UiState.onMessage(state, `asking ${server} where to log in`), Intent.Login({ server }))
}

/** What is pasted while a login waits is the address that the browser ended at. */
const onPaste = (state: UiState.UiState, panel: Panel.Panel, text: string): Step => {
  const selected = Panel.serverAt(panel, UiState.rowsOf(state))
  const server = selected !== undefined && state.logins.has(selected) ? selected : [...state.logins.keys()][0]
  const address = text.trim()
  return server === undefined || address === "" ? step(state) : step(state, Intent.PasteAddress({ server, address }))
}

const turn = (state: UiState.UiState, back: number, key: "left" | "right"): Step => {
  const target = key === "left" ? back + 1 : back - 1
  const exists = target >= 0 && target < UiState.calls(state).length
  return step(exists ? UiState.onPanel(state, { _tag: "Call", back: target }) : state)
}

/** After folding, the selected row is still the selected one. */
const refreshed = (state: UiState.UiState, panel: Panel.Panel): UiState.UiState => {
  const before = UiState.rowsOf(state)
  const after = { ...state, panel }
  return { ...after, panel: Panel.onRows(panel, before, UiState.rowsOf(after), UiState.panelHeight(after)) }
}
