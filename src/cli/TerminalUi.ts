/**
 * `harness9` in a terminal: the UI, on the program of this command line.
 *
 * @since 0.1.0
 */
import { dirname, join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Permission from "../engine/Permission.ts"
import * as PermissionFile from "../engine/PermissionFile.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import * as LogFile from "../tui/LogFile.ts"
import * as Tui from "../tui/Tui.ts"
import type { Message } from "../tui/UiState.ts"
import * as BashSandbox from "./bashSandbox.ts"
import { ExitCode } from "./CliError.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly config: string | undefined
  readonly connectTimeout: Duration.Duration | undefined
  readonly toolTimeout: Duration.Duration | undefined
  readonly model: string | undefined
  readonly allow: ReadonlyArray<string>
  readonly yes: boolean
  readonly plain: boolean
  readonly trust: boolean
  readonly sandbox: BashSandbox.Mode
}

/**
 * Opens the UI and runs until the person leaves it.
 *
 * @since 0.1.0
 * @category execution
 */
export const open = Effect.fnUntraced(function* (options: Options) {
  const fs = yield* FileSystem.FileSystem
  const configFile = yield* editable(options.config)
  const services = Layer.unwrapEffect(
    Effect.map(loadApp, (App) => App.layer(options, Layer.unwrapEffect(permission(options))))
  )
  const onConfigEdited = Effect.provideService(check(options.config), FileSystem.FileSystem, fs)
  const { model = process.env.HARNESS9_MODEL ?? "offline", plain } = options
  const sandbox = BashSandbox.label(options.sandbox)
  yield* Tui.run({ model, plain, configFile, onConfigEdited, sandbox }, services).pipe(Effect.provide(LogFile.layer))
  return ExitCode.Done
})

/** Engine, model and servers are loaded behind the first frame. */
const loadApp = Effect.promise(() => import("./App.ts"))

/** The file that a person means: the first that is there, else the first that could be. */
const editable = Effect.fnUntraced(function* (named: string | undefined) {
  const fs = yield* FileSystem.FileSystem
  const paths = McpConfig.locations({ file: named }).map(({ path }) => path)
  const there = yield* Effect.filter(paths, (path) => Effect.orElseSucceed(fs.exists(path), () => false))
  return there[0] ?? paths[0] ?? ".mcp.json"
})

const check = (named: string | undefined): Effect.Effect<Message, never, FileSystem.FileSystem> =>
  McpConfig.load({ file: named }).pipe(
    Effect.map(({ problems, servers }): Message => {
      const [problem] = problems
      if (problem === undefined) {
        return {
          text: `the configuration has ${servers.length} servers; changes count from the next start`,
          tone: "info"
        }
      }
      const where = [problem.path, problem.server].filter((part) => part !== undefined).join(", ")
      return { text: `${where}: ${problem.message}`, tone: "error" }
    }),
    Effect.catchAll(({ message }) => Effect.succeed<Message>({ text: message, tone: "error" }))
  )

const permission = Effect.fnUntraced(function* ({ allow, yes }: Options) {
  const fs = yield* FileSystem.FileSystem
  const folder = process.cwd()
  const file = permissionFile()
  const kept = yield* PermissionFile.load(file, folder)
  return Permission.layerAsk({
    allow: [...allow, ...kept],
    yes,
    onAlways: (pattern) => Effect.provideService(PermissionFile.add(file, folder, pattern), FileSystem.FileSystem, fs)
  })
})

/** Beside the person's own configuration. */
const permissionFile = (): string => {
  const user = McpConfig.locations().find(({ scope }) => scope === "user")
  return join(user === undefined ? process.cwd() : dirname(user.path), "permissions.json")
}
