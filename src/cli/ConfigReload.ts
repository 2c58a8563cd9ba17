/**
 * The running program on the configuration as it is now: after a person has edited it, and whenever its files change.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ConfigWatch from "../mcp/ConfigWatch.ts"
import type * as McpConfig from "../mcp/McpConfig.ts"
import { McpManager, type ReloadReport } from "../mcp/McpManager.ts"
import type { Message } from "../tui/UiState.ts"
import * as Servers from "./Servers.ts"

/**
 * Reads the files and follows them. What it says is for the person who has just edited one.
 *
 * @since 0.1.0
 * @category operations
 */
export const now = (options: Servers.Options): Effect.Effect<Message, never, FileSystem.FileSystem | McpManager> =>
  ConfigWatch.read({ file: options.config }).pipe(
    Effect.flatMap((outcome) => follow(options, outcome)),
    Effect.map(({ message }) => message)
  )

/**
 * Follows the files for as long as it is read, and says what is news: what is wrong with them at the beginning is told by whoever
 * has read them first.
 *
 * @since 0.1.0
 * @category constructors
 */
export const changes = (options: Servers.Options): Stream.Stream<Message, never, FileSystem.FileSystem | McpManager> =>
  ConfigWatch.watch({ file: options.config }).pipe(
    Stream.zipWithPrevious,
    // The newest state counts: one that is still being followed does not hold it up.
    Stream.flatMap(([before, outcome]) => Stream.fromEffect(news(options, outcome, Option.getOrUndefined(before))), {
      switch: true
    }),
    Stream.filterMap((message) => Option.fromNullable(message))
  )

const news = Effect.fnUntraced(function* (
  options: Servers.Options,
  outcome: ConfigWatch.Outcome,
  before: ConfigWatch.Outcome | undefined
) {
  if (before === undefined && outcome._tag === "Rejected") return undefined
  const { changed, message, problems } = yield* follow(options, outcome)
  const isNews = changed || before?._tag === "Rejected" || (problems && before !== undefined)
  return isNews ? message : undefined
})

/** The Manager follows what the files say. */
const follow = Effect.fnUntraced(function* (options: Servers.Options, outcome: ConfigWatch.Outcome) {
  if (outcome._tag === "Rejected") return { changed: false, problems: true, message: rejected(outcome.problems) }
  const { problems, servers } = outcome.config
  const manager = yield* McpManager
  const report = yield* manager.reload(yield* Servers.withSettings(servers, options))
  const parts = differences(report)
  const count = servers.length === 1 ? "1 server" : `${servers.length} servers`
  const done = `the configuration has ${count}${parts.length === 0 ? ", as before" : `: ${parts.join("; ")}`}`
  const message: Message =
    problems.length === 0
      ? { text: done, tone: "info" }
      : { text: [done, ...problems.map(told)].join("; "), tone: "error" }
  return { changed: parts.length > 0, problems: problems.length > 0, message }
})

const rejected = (problems: ReadonlyArray<McpConfig.Problem>): Message => ({
  text: `${problems.map(told).join("; ")} (nothing was changed)`,
  tone: "error"
})

const differences = (report: ReloadReport): ReadonlyArray<string> =>
  (["added", "changed", "removed"] as const).flatMap((what) =>
    report[what].length === 0 ? [] : [`${what} ${report[what].join(", ")}`]
  )

const told = ({ message, path, server }: McpConfig.Problem): string => {
  const where = [path, server].filter((part) => part !== undefined).join(", ")
  return where === "" ? message : `${where}: ${message}`
}
