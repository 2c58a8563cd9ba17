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
  Effect.flatMap(ConfigWatch.read({ file: options.config }), (outcome) =>
    Effect.map(
      follow(options, outcome),
      (message) => message ?? { text: "the configuration is unchanged", tone: "info" }
    )
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
    Stream.zipWithIndex,
    // The newest state counts: one that is still being followed does not hold it up.
    Stream.flatMap(
      ([outcome, index]) => Stream.fromEffect(follow(options, index > 0 ? outcome : unproblematic(outcome))),
      {
        switch: true
      }
    ),
    Stream.filterMap((message) => Option.fromNullable(message))
  )

const unproblematic = ConfigWatch.Outcome.$match({
  Loaded: ({ config }) => ConfigWatch.Outcome.Loaded({ config: { ...config, problems: [] } }),
  Rejected: () => ConfigWatch.Outcome.Rejected({ problems: [] })
})

const follow = Effect.fnUntraced(function* (options: Servers.Options, outcome: ConfigWatch.Outcome) {
  if (outcome._tag === "Rejected") return rejected(outcome.problems)
  const { problems, servers } = outcome.config
  const manager = yield* McpManager
  const report = yield* manager.reload(Servers.withTimes(servers, options))
  return loaded(report, problems)
})

const rejected = (problems: ReadonlyArray<McpConfig.Problem>): Message | undefined =>
  problems.length === 0 ? undefined : { text: `${problems.map(told).join("; ")} (nothing was changed)`, tone: "error" }

const loaded = (report: ReloadReport, problems: ReadonlyArray<McpConfig.Problem>): Message | undefined => {
  const parts = (["added", "changed", "removed"] as const).flatMap((what) =>
    report[what].length === 0 ? [] : [`${what} ${report[what].join(", ")}`]
  )
  if (parts.length === 0 && problems.length === 0) return undefined
  const done = parts.length === 0 ? [] : [`configuration: ${parts.join("; ")}`]
  return { text: [...done, ...problems.map(told)].join("; "), tone: problems.length === 0 ? "info" : "error" }
}

const told = ({ message, path, server }: McpConfig.Problem): string => {
  const where = [path, server].filter((part) => part !== undefined).join(", ")
  return where === "" ? message : `${where}: ${message}`
}
