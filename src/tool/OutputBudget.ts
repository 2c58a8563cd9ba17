/**
 * How much of a tool's output the model is given. What is over the budget goes to a private file, and the model gets the head,
 * the tail, the size and the path: one big result must not cost the conversation its context.
 *
 * @since 0.1.0
 */
import { randomUUID } from "node:crypto"
import { mkdtempSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ContentBlock } from "../mcp/McpSchema.ts"
import type { ToolResult } from "./Tool.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  /** A text of more characters than this is cut. Default: 100,000, about 25,000 tokens. */
  readonly maxCharacters: number
  /** Where whole outputs go; made with mode 0700 when it is not there. Default: a directory of the process's own under the system's temporary one. */
  readonly directory?: string | undefined
}

/**
 * The settings in force; there without a layer.
 *
 * @since 0.1.0
 * @category references
 */
export class OutputBudget extends Context.Reference<OutputBudget>()("harness9/OutputBudget", {
  defaultValue: (): Settings => ({ maxCharacters: 100_000 })
}) {}

/**
 * The result with its text within the budget, or within a limit of its source's own. Blocks that are no text stay in `content`.
 *
 * @since 0.1.0
 * @category operations
 */
export const apply = (result: ToolResult, maxCharacters?: number): Effect.Effect<ToolResult> =>
  Effect.flatMap(OutputBudget, (budget) => {
    const settings = maxCharacters === undefined ? budget : { ...budget, maxCharacters }
    if (result.text.length <= settings.maxCharacters) return Effect.succeed(result)
    return Effect.map(cut(result.text, settings), (text) => ({
      ...result,
      text,
      content: [{ type: "text", text } as const, ...result.content.filter(isMedia)]
    }))
  })

/**
 * Whole outputs go to this directory while the effect runs.
 *
 * @since 0.1.0
 * @category combinators
 */
export const within =
  (directory: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(OutputBudget, (settings) => Effect.provideService(effect, OutputBudget, { ...settings, directory }))

/**
 * The directory that holds the whole outputs of this process: what is in it is meant to be read by its tools.
 *
 * @since 0.1.0
 * @category accessors
 */
export const directory: Effect.Effect<string | undefined> = Effect.map(
  OutputBudget,
  (settings) => settings.directory ?? ownDirectory
)

/** Made on first use, with a random name and mode 0700. */
let ownDirectory: string | undefined

const isMedia = ({ type }: ContentBlock): boolean => type === "image" || type === "audio"

const cut = (text: string, settings: Settings): Effect.Effect<string> =>
  Effect.map(keep(text, settings.directory), (whole) => {
    const head = withoutHalfCharacter(text.slice(0, Math.floor(settings.maxCharacters / 5)))
    const tail = text.slice(-Math.floor(settings.maxCharacters / 20)).replace(/^[\udc00-\udfff]/, "")
    const left = text.length - head.length - tail.length
    return `${head}\n\n[… ${left} of ${text.length} characters left out. ${whole} …]\n\n${tail}`
  })

const withoutHalfCharacter = (text: string): string => text.replace(/[\ud800-\udbff]$/, "")

/** Says where the whole text is. The file's name is random: nothing that a server says is part of a path. */
const keep = (text: string, configured: string | undefined): Effect.Effect<string> =>
  Effect.gen(function* () {
    const folder = configured ?? (yield* Effect.try(makeOwnDirectory))
    yield* Effect.tryPromise(() => fs.mkdir(folder, { recursive: true, mode: 0o700 }))
    const file = path.join(folder, `${randomUUID()}.txt`)
    yield* Effect.tryPromise((signal) => fs.writeFile(file, text, { flag: "wx", mode: 0o600, signal }))
    return `The whole output is in ${file}: read the part that you need from there.`
  }).pipe(Effect.orElseSucceed(() => "The whole output could not be saved; ask for less of it."))

const makeOwnDirectory = (): string => {
  ownDirectory ??= mkdtempSync(path.join(os.tmpdir(), "harness9-"))
  return ownDirectory
}
