import { describe, expect, it } from "@effect/vitest"
import type * as Elicitation from "../../src/mcp/Elicitation.ts"
import * as FieldText from "../../src/tui/FieldText.ts"
import * as Form from "../../src/tui/Form.ts"
import { Key } from "../../src/tui/Keys.ts"
import * as PageAddress from "../../src/tui/PageAddress.ts"

const options = [
  { value: "r", title: "Red" },
  { value: "g", title: "Green" }
]

const fields: ReadonlyArray<Elicitation.Field> = [
  { name: "name", required: true, type: "string" },
  { name: "age", required: false, type: "integer", minimum: 18, default: 42 },
  { name: "sure", required: false, type: "boolean" },
  { name: "color", required: false, type: "choice", options },
  { name: "colors", required: false, type: "choices", options, minItems: 1, default: ["r"] }
]

const text = (value: string) => Key.Text({ text: value })
const press = (key: string) => Key.Press({ key })
const filledIn = (...keys: ReadonlyArray<Key>) => keys.reduce(Form.onKey, Form.make({ message: "", fields }))
const down = press("down")

describe("a form", () => {
  it("begins with its defaults, and does not invent values for fields without", () => {
    expect(Form.make({ message: "", fields }).inputs.map(Form.valueOf)).toEqual([
      undefined,
      42,
      undefined,
      undefined,
      ["r"]
    ])
  })

  it("is filled in with keys alone", () => {
    const filled = filledIn(
      text("Ada"),
      down,
      press("ctrl+u"),
      text("18"),
      down,
      text("n"),
      down,
      press("right"),
      press("right"),
      down,
      press("right"),
      text(" ")
    )
    expect(Form.submitted(filled)).toEqual({
      action: "accept",
      content: { name: "Ada", age: 18, sure: false, color: "g", colors: ["r", "g"] }
    })
  })

  it("leaves out what was emptied", () => {
    const filled = filledIn(text("Ada"), down, press("ctrl+u"), down, text("y"), press("backspace"))
    expect(Form.submitted(filled)).toEqual({ action: "accept", content: { name: "Ada", colors: ["r"] } })
  })

  it("is not sent while something is wrong: it goes to the first such field and says what, until it is mended", () => {
    const sent = Form.submitted(filledIn(down, press("ctrl+u"), text("7")))
    if ("action" in sent) throw new Error("it was sent")
    expect(sent.focus).toBe(0)
    expect(sent.inputs.map(({ problem }) => problem)).toEqual([
      "must be given",
      "must be at least 18",
      undefined,
      undefined,
      undefined
    ])
    const mended = [text("Ada"), down, text("7")].reduce(Form.onKey, sent)
    expect(mended.inputs.map(({ problem }) => problem)).toEqual(Array.from({ length: 5 }))
    expect(Form.valueOf(mended.inputs[1] as Form.Input)).toBe(77)
  })

  it("what was emptied does not come back as its default", () => {
    const cleared = filledIn(text("Ada"), down, down, down, down, text("1"))
    const sent = Form.submitted(cleared)
    expect("action" in sent ? sent : sent.inputs[4]?.problem).toBe("needs at least 1 of the options")
    const words = Form.make({ message: "", fields: [{ name: "a", required: false, type: "string", default: "x" }] })
    expect(Form.submitted(Form.onKey(words, press("ctrl+u")))).toEqual({ action: "accept", content: { a: "" } })
  })

  it("goes round from the last action to the first field", () => {
    expect(filledIn(press("up")).focus).toBe(fields.length + 2)
    expect(filledIn(press("up"), press("tab")).focus).toBe(0)
  })
})

describe("a field as a text", () => {
  const [, age, sure, color, colors] = fields as [
    Elicitation.Field,
    Elicitation.Field,
    Elicitation.Field,
    Elicitation.Field,
    Elicitation.Field
  ]

  it.each([
    [age, "41", 41],
    [age, "old", "old"],
    [age, " ", undefined],
    [sure, "Yes", true],
    [sure, "n", false],
    [sure, "perhaps", "perhaps"],
    [color, "green", "g"],
    [color, "2", "g"],
    [color, "blue", "blue"],
    [colors, "Red, 2", ["r", "g"]]
  ] as const)("%o of %s", (field, written, value) => {
    expect(FieldText.parse(field, written)).toEqual(value)
  })

  it("says what is wanted on a line", () => {
    expect(FieldText.label(color)).toBe("color (one of 1 Red, 2 Green)")
    expect(FieldText.label({ ...age, title: "Age\nnow", required: true })).toBe(
      "Age now* (integer from 18, 42 when empty)"
    )
  })
})

describe("the address of a page", () => {
  it.each([
    ["https://example.com/a?b=c", []],
    ["http://localhost:8080/", []],
    ["http://example.com/", ["the way there is not encrypted (http)"]],
    [
      "https://xn--pypal-4ve.com/",
      ["the name is written in other letters, which may look like another one: pаypal.com"]
    ],
    ["https://paypal.com@evil.test/", ["what stands before the @ is no host: it leads to evil.test"]]
  ])("%s", (address, warnings) => {
    expect(PageAddress.warnings(new URL(address))).toEqual(warnings)
  })
})
