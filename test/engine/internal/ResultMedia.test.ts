import type * as Prompt from "@effect/ai/Prompt"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ImageHeader from "../../../src/engine/internal/ImageHeader.ts"
import { CurrentModel, type Medium } from "../../../src/engine/model/ModelInfo.ts"
import type { ContentBlock } from "../../../src/mcp/McpSchema.ts"
import * as ScriptedModel from "../../../src/testing/ScriptedModel.ts"
import * as Tool from "../../../src/tool/Tool.ts"
import { collect, engine, registry, tool } from "../fixture.ts"

/** The first bytes of a PNG of that size, and some more. */
const png = (width = 1, height = 1, more = 10) => {
  const bytes = Buffer.alloc(24 + more)
  bytes.write("89504e470d0a1a0a", "hex")
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const image = (bytes: Buffer, mimeType = "image/png"): ContentBlock => ({
  type: "image",
  data: bytes.toString("base64"),
  mimeType
})
const sound = (mimeType: string): ContentBlock => ({ type: "audio", data: "UklGRg==", mimeType })

/** A part as text: a file as its type. */
const shown = (part: Prompt.UserMessagePart | Prompt.ToolMessagePart | Prompt.AssistantMessagePart) =>
  part.type === "text" ? part.text : part.type === "file" ? `<${part.mediaType}>` : part.type

/** What the model is asked with after its tool gave these results, one a turn: the messages after the person's. */
const given = (results: ReadonlyArray<ReadonlyArray<ContentBlock>>, media: ReadonlyArray<Medium> | undefined) =>
  Effect.gen(function* () {
    const script = ScriptedModel.make([
      ...results.map(() => ScriptedModel.calls({ name: "shot", arguments: {} })),
      ScriptedModel.text("Seen.")
    ])
    const left = results.slice()
    const run = () => Effect.sync(() => ({ ...Tool.text("taken"), content: left.shift() ?? [] }))
    const { service } = yield* registry([tool("shot", run)])
    const info = Layer.succeed(CurrentModel, { provider: "openai", model: "seeing", media })
    const { run: ask } = yield* engine({ model: Layer.merge(script.layer, info), registry: service })
    yield* collect(ask("look"))
    const messages = script.asked.at(-1)?.prompt.content ?? []
    return messages.flatMap((message) =>
      message.role === "system" ? [] : [`${message.role}: ${message.content.map(shown).join(" | ")}`]
    )
  })

describe("a result with media", () => {
  it.effect("comes with its images after it, for a model that takes them", () =>
    Effect.gen(function* () {
      expect(yield* given([[image(png()), image(png())]], ["image"])).toEqual([
        "user: look",
        "assistant: tool-call",
        "tool: tool-result",
        "user: [harness9] From the result of shot: | <image/png> | <image/png>"
      ])
    })
  )

  it.effect("says what was left out, for a model that takes none", () =>
    Effect.gen(function* () {
      expect((yield* given([[image(png())]], undefined)).at(-1)).toBe(
        "user: [harness9] From the result of shot: | [harness9] image/png left out: this model takes no images."
      )
      expect((yield* given([[sound("audio/wav")]], ["image"])).at(-1)).toContain(
        "audio/wav left out: this model takes no sounds."
      )
    })
  )

  it.effect("comes with its sounds, for a model that takes them", () =>
    Effect.gen(function* () {
      const blocks = [sound("audio/wav"), sound("audio/mpeg"), sound("audio/ogg")]
      expect((yield* given([blocks], ["audio"])).at(-1)).toBe(
        "user: [harness9] From the result of shot: | <audio/wav> | <audio/mpeg> | [harness9] audio/ogg left out: it is neither WAV nor MP3."
      )
    })
  )

  it.effect("gets no message more when there are no media in it", () =>
    Effect.gen(function* () {
      expect(yield* given([[{ type: "text", text: "taken" }]], ["image"])).toHaveLength(3)
    })
  )

  const refused: Readonly<Record<string, readonly [ContentBlock, string]>> = {
    "no image at all": [image(Buffer.from("<html>this is not an image, whatever it says</html>")), "it is no PNG"],
    "an image of a kind that models do not take": [image(Buffer.alloc(100, "BM"), "image/bmp"), "image/bmp left out"],
    "more pixels than every API takes": [image(png(800, 12_000)), "its 800 × 12000 pixels are too many"],
    "more bytes than every API takes": [image(png(1, 1, 4_000_000)), "it is larger than 5 MB"],
    "a type that is no type": [image(Buffer.alloc(40), "image/x\u001b[2J"), "Media left out"]
  }
  for (const [what, [block, why]] of Object.entries(refused)) {
    it.effect(`that is ${what} is not sent: the request would be refused, and each one after it`, () =>
      Effect.gen(function* () {
        const last = (yield* given([[block]], ["image"])).at(-1)
        expect(last).toContain(why)
        expect(last).not.toContain("<image")
      })
    )
  }

  it.effect("goes by what it is, not by what it is said to be", () =>
    Effect.gen(function* () {
      expect((yield* given([[image(png(), "image/jpeg")]], ["image"])).at(-1)).toContain("<image/png>")
    })
  )

  it.effect("keeps the newest of many images", () =>
    Effect.gen(function* () {
      const messages = yield* given(
        [[image(png()), image(png())], Array.from({ length: 19 }, () => image(png()))],
        ["image"]
      )
      expect(messages[3]).toBe(
        "user: [harness9] From the result of shot: | [harness9] image/png left out: newer ones have taken its place. | <image/png>"
      )
      expect(messages.join().split("<image/png>")).toHaveLength(21)
    })
  )
})

describe("the header of an image", () => {
  const bytes = (hex: string) => Buffer.concat([Buffer.from(hex.replaceAll(" ", ""), "hex"), Buffer.alloc(40)])
  const riff = (chunk: string, hex: string) =>
    Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}`, "latin1"), bytes(hex)])
  const known: Readonly<Record<string, Buffer>> = {
    "image/png": png(300, 200),
    "image/gif": Buffer.concat([Buffer.from("GIF89a"), bytes("2c01 c800")]),
    "image/jpeg": bytes("ffd8 ffe0 0004 0000 ffdb 0003 00 ffc2 0011 08 00c8 012c"),
    "image/webp, VP8": riff("VP8 ", "00000000 000000 9d012a 2c01 c800"),
    "image/webp, VP8L": riff("VP8L", "00000000 2f 2bc13100"),
    "image/webp, VP8X": riff("VP8X", "0a000000 00000000 2b0100 c70000")
  }
  for (const [kind, image] of Object.entries(known)) {
    it(`tells the size: ${kind}`, () => {
      const [mediaType] = kind.split(",")
      expect(ImageHeader.read(image)).toEqual({ mediaType, width: 300, height: 200 })
    })
  }

  it("of anything else, or cut short, is none", () => {
    expect(ImageHeader.read(Buffer.alloc(0))).toBeUndefined()
    expect(ImageHeader.read(png().subarray(0, 20))).toBeUndefined()
    expect(ImageHeader.read(bytes("ffd8 ffe0 ffff"))).toBeUndefined()
    expect(ImageHeader.read(riff("VP9 ", "00"))).toBeUndefined()
  })
})
