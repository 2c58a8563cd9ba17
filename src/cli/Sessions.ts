/**
 * Which session a command line means, and where sessions are kept.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Model from "../engine/model/Model.ts"
import * as SessionFiles from "../engine/SessionFiles.ts"
import * as SessionStore from "../engine/SessionStore.ts"
import * as StateHome from "../mcp/internal/StateHome.ts"
import { McpManager } from "../mcp/McpManager.ts"
import { oneLine } from "../mcp/VisibleText.ts"
import type { Start } from "../tui/Chat.ts"
import { CliError, ExitCode, usage } from "./CliError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly continue: boolean
  /** The empty text when no session is named. */
  readonly resume: string | undefined
  readonly noSession: boolean
}

const folder = (): string => StateHome.path("sessions")

/**
 * The sessions as they are kept, for looking at them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const store: Effect.Effect<SessionStore.Service, never, FileSystem.FileSystem> = Effect.suspend(() =>
  SessionFiles.make({ folder: folder() })
)

/**
 * Keeps what happens, without the secrets of servers and the keys of models; with `noSession` for as long as the program runs.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = ({ noSession }: Pick<Options, "noSession">) =>
  noSession
    ? SessionStore.layerMemory
    : Layer.unwrapEffect(
        Effect.map(Effect.all([McpManager, Model.environment]), ([{ servers }, { anthropic, openai }]) => {
          const keys = [anthropic, openai].flatMap(({ apiKey }) =>
            apiKey === undefined ? [] : [Redacted.value(apiKey)]
          )
          return SessionFiles.layer({
            folder: folder(),
            secrets: Effect.map(servers, (all) => [...keys, ...all.flatMap(({ secrets }) => secrets)])
          })
        })
      )

/**
 * The session to go on with. Fails when there is none, or when somebody else has it open, with what there is instead.
 *
 * @since 0.1.0
 * @category constructors
 */
export const choose = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Start, CliError, FileSystem.FileSystem> {
  const { continue: latest, noSession, resume } = options
  if (!latest && resume === undefined) return { _tag: "New" }
  if (latest && resume !== undefined) return yield* usage("--continue and --resume exclude each other")
  if (noSession) return yield* usage("--no-session keeps nothing, and has nothing to go on with")
  if (resume === "") return { _tag: "Choose" }
  const all = yield* Effect.flatMap(store, ({ list }) => list)
  const wanted =
    resume === undefined
      ? all.find(({ directory }) => directory === process.cwd())
      : all.find(({ id }) => id === resume)
  if (wanted === undefined) {
    return yield* resume === undefined
      ? usage("there is no session of this directory to continue", listed(all))
      : usage(`there is no session "${resume}"`, listed(all))
  }
  if (wanted.inUse) {
    return yield* usage(`the session ${wanted.id} is open in another harness9`, "close it there, or begin another one")
  }
  return { _tag: "Resume", id: wanted.id }
})

/**
 * The same where nobody can be shown a list to choose from.
 *
 * @since 0.1.0
 * @category constructors
 */
export const chooseUnasked = (options: Options) =>
  Effect.flatMap(choose(options), (start) =>
    start._tag === "Choose"
      ? Effect.flatMap(
          Effect.flatMap(store, ({ list }) => list),
          (all) => usage("--resume needs the ID of a session here", listed(all))
        )
      : Effect.succeed(start)
  )

/**
 * Opens what was chosen.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (start: Exclude<Start, { readonly _tag: "Choose" }>) =>
  Effect.flatMap(SessionStore.SessionStore, ({ create, open }) =>
    start._tag === "New" ? create(process.cwd()) : Effect.mapError(open(start.id), toCliError)
  )

/**
 * @since 0.1.0
 * @category conversions
 */
export const toCliError = ({ hint, kind, message }: SessionStore.SessionError): CliError =>
  new CliError({ exitCode: kind === "unwritable" ? ExitCode.Failed : ExitCode.Usage, message, hint })

const mostListed = 10

const listed = (all: ReadonlyArray<SessionStore.Summary>): string =>
  all.length === 0 ? "no session is kept yet" : ["the last ones:", ...all.slice(0, mostListed).map(line)].join("\n  ")

const line = ({ directory, id, prompt }: SessionStore.Summary): string =>
  `${id}  ${oneLine(directory)}  ${oneLine(prompt.slice(0, 60))}`

/**
 * A session as JSON.
 *
 * @since 0.1.0
 * @category encoding
 */
export const toJson = ({ startedAt, updatedAt, ...summary }: SessionStore.Summary) => ({
  ...summary,
  startedAt: new Date(startedAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString()
})

/**
 * A moment as a person reads it in a list: `2026-12-01 13:01`, in local time.
 *
 * @since 0.1.0
 * @category formatting
 */
export const timeOf = (at: number): string => {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, "0")
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-")
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
