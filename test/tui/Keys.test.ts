import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Keys from "../../src/tui/Keys.ts"

const { Paste, Press, Text } = Keys.Key

const decodeAll = (chunks: ReadonlyArray<string>): ReadonlyArray<Keys.Key> => {
  let pending = ""
  const keys: Array<Keys.Key> = []
  for (const chunk of chunks) {
    const decoded = Keys.decode(pending, chunk)
    pending = decoded.pending
    keys.push(...decoded.keys)
  }
  return [...keys, ...Keys.flush(pending).keys]
}

describe("Keys", () => {
  it.each([
    ["a", [Text({ text: "a" })]],
    ["héllo 漢字 👩‍👩‍👧", [Text({ text: "héllo 漢字 👩‍👩‍👧" })]],
    ["\r", [Press({ key: "enter" })]],
    ["\n", [Press({ key: "ctrl+j" })]],
    ["\t", [Press({ key: "tab" })]],
    ["\x7f", [Press({ key: "backspace" })]],
    ["\x03", [Press({ key: "ctrl+c" })]],
    ["\x1b[A", [Press({ key: "up" })]],
    ["\x1bOA", [Press({ key: "up" })]],
    ["\x1b[3~", [Press({ key: "delete" })]],
    ["\x1b[1;5C", [Press({ key: "ctrl+right" })]],
    ["\x1b[1;3D", [Press({ key: "alt+left" })]],
    ["\x1b\x1b[D", [Press({ key: "alt+left" })]],
    ["\x1bb", [Press({ key: "alt+b" })]],
    ["\x1b\r", [Press({ key: "alt+enter" })]],
    ["\x1b\x7f", [Press({ key: "alt+backspace" })]],
    ["\x1b[13;2u", [Press({ key: "shift+enter" })]],
    ["\x1b[27;5;13~", [Press({ key: "ctrl+enter" })]],
    ["\x1b[99;5u", [Press({ key: "ctrl+c" })]],
    ["\x1b[Z", [Press({ key: "shift+tab" })]],
    ["\x1b[H", [Press({ key: "home" })]],
    ["\x1b[F", [Press({ key: "end" })]]
  ])("%j is read as the key that it is", (bytes, keys) => {
    expect(decodeAll([bytes])).toEqual(keys)
  })

  it("several keys in one chunk are each of them", () => {
    expect(decodeAll(["/m\t\r"])).toEqual([Text({ text: "/m" }), Press({ key: "tab" }), Press({ key: "enter" })])
  })

  it("a lone escape is the Esc key once nothing follows it", () => {
    expect(Keys.decode("", "\x1b")).toEqual({ keys: [], pending: "\x1b" })
    expect(Keys.flush("\x1b")).toEqual({ keys: [Press({ key: "escape" })], pending: "" })
  })

  it("two escapes are two Esc keys", () => {
    expect(decodeAll(["\x1b\x1b"])).toEqual([Press({ key: "escape" }), Press({ key: "escape" })])
  })

  it("answers of the terminal, mouse events and key releases are no keys", () => {
    expect(decodeAll(["\x1b[?62;c", "\x1b[<0;1;1M", "\x1b[I", "\x1b[97;1:3u", "x"])).not.toContainEqual(
      Press({ key: "a" })
    )
    expect(decodeAll(["\x1b[?62;c", "\x1b[I", "\x1b[97;1:3u", "x"])).toEqual([Text({ text: "x" })])
  })

  it("a paste is one key, with keys and escapes in it as text", () => {
    const text = "line 1\nrm -rf /\n\x1b[A\ttab"
    expect(decodeAll([`a\x1b[200~${text.replaceAll("\n", "\r")}\x1b[201~b`])).toEqual([
      Text({ text: "a" }),
      Paste({ text }),
      Text({ text: "b" })
    ])
  })

  it("a paste whose end has not come waits for it, however long", () => {
    const { keys, pending } = Keys.decode("", "\x1b[200~half")
    expect(keys).toEqual([])
    expect(Keys.flush(pending)).toEqual({ keys: [], pending })
    expect(Keys.decode(pending, " whole\x1b[201~").keys).toEqual([Paste({ text: "half whole" })])
  })

  it("however the bytes are cut into chunks, the keys are the same", () => {
    const pieces = fc.constantFrom(
      "a",
      "漢",
      "\r",
      "\x1b[1;5C",
      "\x1bOA",
      "\x1bb",
      "\x1b[200~p\rq\x1b[201~",
      "\x1b[13;2u"
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 6 }), (parts, cuts) => {
        const input = parts.join("")
        const places = [0, ...cuts.map((cut) => cut % (input.length + 1)).sort((a, b) => a - b), input.length]
        const chunks = places.slice(1).map((end, index) => input.slice(places[index], end))
        expect(merged(decodeAll(chunks))).toEqual(merged(decodeAll([input])))
      })
    )
  })

  it("never throws and never holds back what is no beginning of a sequence", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (input) => {
        const { pending } = Keys.decode("", input)
        expect(pending === "" || pending.startsWith("\x1b")).toBe(true)
      })
    )
  })
})

/** Text that was cut in two is the same text. */
const merged = (keys: ReadonlyArray<Keys.Key>): ReadonlyArray<Keys.Key> => {
  const all: Array<Keys.Key> = []
  for (const key of keys) {
    const last = all.at(-1)
    if (last?._tag === "Text" && key._tag === "Text") all.splice(-1, 1, Text({ text: last.text + key.text }))
    else all.push(key)
  }
  return all
}
