/**
 * What a terminal sends when keys are pressed, decoded: text, pasted text, and named keys such as `ctrl+a` or `alt+enter`.
 *
 * The decoder is a pure function of what is pending and what has arrived, so that a sequence cut in two by the terminal, a
 * paste of many chunks and several keys in one chunk all come out right.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * - `Text`: typed characters
 * - `Paste`: text between the marks of bracketed paste, line ends as `\n`
 * - `Press`: a key by name, modifiers first: `enter`, `ctrl+c`, `alt+left`, `shift+tab`
 *
 * @since 0.1.0
 * @category models
 */
export type Key = Data.TaggedEnum<{
  Text: { readonly text: string }
  Paste: { readonly text: string }
  Press: { readonly key: string }
}>

/**
 * @since 0.1.0
 * @category constructors
 */
export const Key = Data.taggedEnum<Key>()

/**
 * What a chunk gave, and the beginning of a sequence whose end has not come yet.
 *
 * @since 0.1.0
 * @category models
 */
export interface Decoded {
  readonly keys: ReadonlyArray<Key>
  readonly pending: string
}

const pasteStart = "\x1b[200~"
const pasteEnd = "\x1b[201~"

/**
 * Decodes what has arrived after what was pending.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decode = (pending: string, chunk: string): Decoded => {
  const input = pending + chunk
  const keys: Array<Key> = []
  let index = 0
  while (index < input.length) {
    if (input.startsWith(pasteStart, index)) {
      const end = input.indexOf(pasteEnd, Math.max(index, pending.length - pasteEnd.length))
      if (end < 0) return { keys, pending: input.slice(index) }
      keys.push(Key.Paste({ text: input.slice(index + pasteStart.length, end).replace(/\r\n?/g, "\n") }))
      index = end + pasteEnd.length
    } else if (input[index] === "\x1b") {
      const sequence = readSequence(input.slice(index, index + 64))
      if (sequence === undefined) return { keys, pending: input.slice(index) }
      if (sequence.key !== undefined) keys.push(sequence.key)
      index += sequence.length
    } else {
      const run = /^[^\x00-\x1f\x7f-\x9f]+/.exec(input.slice(index))?.[0]
      const key = run === undefined ? control(input.charAt(index)) : Key.Text({ text: run })
      if (key !== undefined) keys.push(key)
      index += run?.length ?? 1
    }
  }
  return { keys, pending: "" }
}

/**
 * What is pending after nothing more has come for a moment: a lone escape is the Esc key; the rest of a paste waits on.
 *
 * @since 0.1.0
 * @category decoding
 */
export const flush = (pending: string): Decoded => {
  if (pending === "" || pending.startsWith(pasteStart)) return { keys: [], pending }
  const rest = decode("", pending.slice(1))
  return { keys: [Key.Press({ key: "escape" }), ...(pending.length > 1 ? rest.keys : [])], pending: "" }
}

const control = (char: string): Key | undefined => {
  const named = controls[char]
  if (named !== undefined) return Key.Press({ key: named })
  const code = char.charCodeAt(0)
  if (code < 1 || code > 26) return undefined
  return Key.Press({ key: `ctrl+${String.fromCharCode(code + 96)}` })
}

const controls: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "ctrl+j",
  "\t": "tab",
  "\b": "backspace",
  "\x7f": "backspace",
  "\x00": "ctrl+space",
  "\x1f": "ctrl+_"
}

interface Sequence {
  /** Not there when the sequence is no key: an answer of the terminal, a mouse event. */
  readonly key: Key | undefined
  readonly length: number
}

const readSequence = (input: string): Sequence | undefined => {
  if (input.startsWith("\x1b\x1b") && /^[[O]/.test(input.slice(2))) {
    const inner = readSequence(input.slice(1))
    return inner && { key: inner.key && withAlt(inner.key), length: inner.length + 1 }
  }
  const csi = /^\x1b\[(?:\[([A-E])|([\x30-\x3f]*)[\x20-\x2f]*([\x40-\x7e]))/.exec(input)
  if (csi !== null) return { key: press(csiName(csi[2] ?? "", csi[3] ?? `[${csi[1]}`)), length: csi[0].length }
  const ss3 = /^\x1bO([\x40-\x7e])/.exec(input)
  if (ss3 !== null) return { key: press(letters[ss3[1] ?? ""]), length: 3 }
  if (input.length === 1 || /^\x1b(?:\[[\x20-\x3f[]*|O)$/.test(input)) return undefined
  const char = String.fromCodePoint(input.codePointAt(1) ?? 0)
  if (char === "\x1b") return { key: Key.Press({ key: "escape" }), length: 1 }
  const plain = control(char) ?? Key.Press({ key: char })
  return { key: withAlt(plain), length: 1 + char.length }
}

const press = (key: string | undefined): Key | undefined => (key === undefined ? undefined : Key.Press({ key }))

const withAlt = (key: Key): Key => (key._tag === "Press" ? Key.Press({ key: modified(key.key, { alt: true }) }) : key)

const csiName = (parameters: string, final: string): string | undefined => {
  const [first = "", second = "", third = ""] = parameters.split(";")
  if (final === "u") return withModifiers(codeName(Number.parseInt(first, 10)), second)
  if (final === "~" && first === "27") return withModifiers(codeName(Number.parseInt(third, 10)), second)
  if (final === "Z") return "shift+tab"
  return withModifiers(final === "~" ? numbers[first] : letters[final], second)
}

const codeName = (code: number): string | undefined => {
  if (Number.isNaN(code) || code < 1 || code > 0x10ffff || code >= 57344) return undefined
  if (code === 27) return "escape"
  const char = String.fromCodePoint(code)
  return char === " " ? "space" : (controls[char] ?? char)
}

/** xterm's modifier number is one more than the sum of shift 1, alt 2, ctrl 4, meta 8. Kitty's event type follows a colon. */
const withModifiers = (name: string | undefined, parameter: string): string | undefined => {
  const [modifiers = "", event] = parameter.split(":")
  if (name === undefined || event === "3") return undefined
  const bits = Math.max(0, (Number.parseInt(modifiers, 10) || 1) - 1)
  return modified(name, { ctrl: (bits & 4) > 0, alt: (bits & 10) > 0, shift: (bits & 1) > 0 })
}

const modified = (
  name: string,
  { alt = false, ctrl = false, shift = false }: { ctrl?: boolean; alt?: boolean; shift?: boolean }
): string => `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`

const letters: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  "[A": "f1",
  "[B": "f2",
  "[C": "f3",
  "[D": "f4",
  "[E": "f5"
}

const numbers: Readonly<Record<string, string>> = {
  "1": "home",
  "2": "insert",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end"
}
