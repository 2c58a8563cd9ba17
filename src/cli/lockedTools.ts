/**
 * Servers connected once, and how their tools differ from the lock file: what `mcp lock` and `mcp verify` share.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { McpManager } from "../mcp/McpManager.ts"
import type { McpTool } from "../mcp/McpSchema.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import { type ServerStatus, word } from "../mcp/ServerStatus.ts"
import { oneLine } from "../mcp/VisibleText.ts"
import * as ToolDrift from "../tool/ToolDrift.ts"
import * as ToolLock from "../tool/ToolLock.ts"
import { type CliError, usage } from "./CliError.ts"
import type { Style } from "./output/Style.ts"
import { errorToJson } from "./output/servers.ts"
import * as Servers from "./Servers.ts"

/**
 * A server beside what is locked of it.
 *
 * - `same`: its tools are as they were locked
 * - `drift`: some are not
 * - `unlocked`: the file does not have it
 * - `unreachable`: it could not be asked
 *
 * @since 0.1.0
 * @category models
 */
export interface Compared {
  readonly name: string
  /** The lock file. */
  readonly path: string
  readonly state: "same" | "drift" | "unlocked" | "unreachable"
  readonly drifts: ReadonlyArray<ToolDrift.Drift>
  /** None while it is unreachable. */
  readonly tools: ReadonlyArray<McpTool>
  readonly status: ServerStatus
}

/**
 * Connects the servers that are not switched off, and compares them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const compare = (
  servers: ReadonlyArray<ServerConfig>,
  options: Servers.Options
): Effect.Effect<ReadonlyArray<Compared>, CliError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const manager = yield* McpManager
    yield* manager.start
    const configs = yield* manager.servers
    return yield* Effect.forEach(yield* manager.statuses, (status) => {
      const config = configs.find(({ name }) => name === status.name)
      return compareOne(status, config && ToolLock.pathOf(config))
    })
  }).pipe(
    Effect.map((all) => all.flat()),
    Effect.provide(
      Servers.layer(
        servers.filter(({ disabled }) => !disabled),
        options
      )
    )
  )

const compareOne = Effect.fnUntraced(function* (status: ServerStatus, path: string | undefined) {
  if (path === undefined) return []
  const { name } = status
  const document = yield* Effect.mapError(ToolLock.read(path), ({ hint, message }) => usage(message, hint))
  const locked = document && ToolLock.toolsOf(document, name)
  const tools = status._tag === "Connected" ? status.tools : []
  const drifts = locked === undefined || status._tag !== "Connected" ? [] : ToolDrift.between(locked, tools)
  const state =
    status._tag !== "Connected"
      ? "unreachable"
      : locked === undefined
        ? "unlocked"
        : drifts.length > 0
          ? "drift"
          : "same"
  return [{ name, path, state, drifts, tools, status } satisfies Compared]
})

/**
 * @since 0.1.0
 * @category encoding
 */
export const toJson = ({ drifts, name, state, status }: Compared) => ({
  name,
  state,
  differences: drifts,
  ...(state === "unreachable" && { status: word(status) }),
  ...("error" in status && { error: errorToJson(status.error) })
})

const marks = { changed: "~", added: "+", removed: "-" } as const

/**
 * What differs, a line for each tool and under it each field before and after.
 *
 * @since 0.1.0
 * @category formatting
 */
export const driftLines = (drifts: ReadonlyArray<ToolDrift.Drift>, style: Style): ReadonlyArray<string> =>
  drifts.flatMap(({ differences, kind, tool }) => [
    `    ${style.yellow(marks[kind])} ${style.bold(oneLine(tool))}  ${kind}`,
    ...differences.flatMap(({ after, before, field }) => [
      `        ${oneLine(field)}`,
      ...(before === undefined ? [] : [style.red(`          - ${written(before)}`)]),
      ...(after === undefined ? [] : [style.green(`          + ${written(after)}`)])
    ])
  ])

const written = (value: unknown): string => oneLine(typeof value === "string" ? value : JSON.stringify(value))
