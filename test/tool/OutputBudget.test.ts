import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OutputBudget from "../../src/tool/OutputBudget.ts"
import * as Tool from "../../src/tool/Tool.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "output-budget-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

const within = (settings: OutputBudget.Settings, result: Tool.ToolResult) =>
  OutputBudget.apply(result).pipe(Effect.provideService(OutputBudget.OutputBudget, settings))

describe("an output over the budget", () => {
  it.effect("is left alone up to 100,000 characters", () =>
    Effect.gen(function* () {
      const result = Tool.text("x".repeat(100_000))
      expect(yield* OutputBudget.apply(result)).toBe(result)
    })
  )

  it.scoped("is told by head, tail, size and path; the whole is in a private file of its own", () =>
    Effect.gen(function* () {
      const directory = path.join(yield* temporary, "deeper")
      const whole = `first line ${"x".repeat(2000)} last line`
      const result = yield* within({ maxCharacters: 1000, directory }, { ...Tool.failure(whole), structuredContent: 1 })
      expect(result).toMatchObject({
        isError: true,
        structuredContent: 1,
        content: [{ type: "text", text: result.text }]
      })
      expect(result.text.length).toBeLessThan(600)
      expect(result.text).toMatch(/^first line x+/)
      expect(result.text).toMatch(/x+ last line$/)
      expect(result.text).toContain(`[… ${whole.length - 250} of ${whole.length} characters left out.`)
      const file = /in (\S+\.txt):/.exec(result.text)?.[1] ?? ""
      expect(path.dirname(file)).toBe(directory)
      expect(fs.readFileSync(file, "utf8")).toBe(whole)
      expect(fs.statSync(file).mode & 0o777).toBe(0o600)
      expect(fs.statSync(directory).mode & 0o777).toBe(0o700)
    })
  )

  it.scoped("keeps its media, and cuts no character in two", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const
      const text = "😀".repeat(500)
      const result = yield* within(
        { maxCharacters: 105, directory },
        { isError: false, text, content: [Tool.text(text).content, image].flat() }
      )
      expect(result.content).toEqual([{ type: "text", text: result.text }, image])
      expect(result.text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
    })
  )

  it.scoped("is still told when the file cannot be written", () =>
    Effect.gen(function* () {
      const file = path.join(yield* temporary, "a-file")
      fs.writeFileSync(file, "")
      const result = yield* within({ maxCharacters: 100, directory: file }, Tool.text("x".repeat(200)))
      expect(result.text).toContain("The whole output could not be saved; ask for less of it.")
    })
  )
})
