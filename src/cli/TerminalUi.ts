/**
 * `harness9` in a terminal: the UI, on the program of this command line.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Model from "../engine/model/Model.ts"
import * as Permission from "../engine/Permission.ts"
import * as ServerRequests from "../engine/ServerRequests.ts"
import * as Browser from "../mcp/auth/Browser.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import * as LogFile from "../tui/LogFile.ts"
import * as Tui from "../tui/Tui.ts"
import * as BashSandbox from "./bashSandbox.ts"
import { ExitCode, usage } from "./CliError.ts"
import * as PermissionRules from "./permissionRules.ts"
import * as Tracing from "./Tracing.ts"

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
  readonly continue: boolean
  readonly resume: string | undefined
  readonly noSession: boolean
  readonly otlp: string | undefined
}

/**
 * Opens the UI and runs until the person leaves it.
 *
 * @since 0.1.0
 * @category execution
 */
export const open = Effect.fnUntraced(function* (options: Options) {
  const fs = yield* FileSystem.FileSystem
  const model = yield* modelName(options.model)
  const start = yield* chosen(options)
  const configFile = yield* editable(options.config)
  const settled = yield* PermissionRules.load(options)
  const permissions = {
    allow: options.allow,
    yes: options.yes,
    rules: settled.rules,
    onAlways: yield* PermissionRules.keeping
  }
  const services = Layer.unwrapEffect(
    Effect.map(loadApp, (App) =>
      Layer.provideMerge(
        App.layer(options, Permission.layerAsk(permissions), features(permissions), App.usableConfig(options)),
        App.logins
      )
    )
  )
  const here = Effect.provideService(FileSystem.FileSystem, fs)
  return yield* Tui.run(
    {
      model,
      start,
      configFile,
      plain: options.plain,
      sandbox: BashSandbox.label(options.sandbox),
      problems: Effect.map(here(problems(options.config)), (found) => [...found, ...PermissionRules.notes(settled)]),
      onConfigEdited: here(Effect.flatMap(loadReload, ({ now }) => now(options))),
      messages: Stream.provideService(
        Stream.unwrap(Effect.map(loadReload, ({ changes }) => changes(options))),
        FileSystem.FileSystem,
        fs
      )
    },
    services
  ).pipe(Effect.as(ExitCode.Done), Tracing.around(options), Effect.provide(LogFile.layer))
})

/** A mistake in the model's name is one of the command line: the UI need not open to say so. */
const modelName = (spec: string | undefined) =>
  Effect.flatMap(Model.environment, (environment) => Model.choose(spec, environment)).pipe(
    Effect.mapBoth({ onFailure: ({ message }) => usage(message), onSuccess: Model.nameOf })
  )

/** What reads sessions is loaded only where one is asked for. */
const chosen = (options: Options) =>
  options.continue || options.resume !== undefined
    ? Effect.flatMap(
        Effect.promise(() => import("./Sessions.ts")),
        ({ choose }) => choose(options)
      )
    : Effect.succeed({ _tag: "New" } as const)

/** Engine, model and servers are loaded behind the first frame. */
const loadApp = Effect.promise(() => import("./App.ts"))

const loadReload = Effect.promise(() => import("./ConfigReload.ts"))

/** The file that a person means: the first that is there, else the first that could be. */
const editable = Effect.fnUntraced(function* (named: string | undefined) {
  const fs = yield* FileSystem.FileSystem
  const paths = McpConfig.locations({ file: named }).map(({ path }) => path)
  const there = yield* Effect.filter(paths, (path) => Effect.orElseSucceed(fs.exists(path), () => false))
  return there[0] ?? paths[0] ?? ".mcp.json"
})

/** Everything that is wrong, and what to do. */
const problems = (named: string | undefined): Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem> =>
  McpConfig.load({ file: named }).pipe(
    Effect.map((config) => config.problems.map(told)),
    Effect.catchAll(({ message }) =>
      Effect.succeed([`${message}\nno server was started: /mcp, then e, opens the file`])
    )
  )

const told = ({ message, path, server }: McpConfig.Problem): string =>
  `${[path, server].filter((part) => part !== undefined).join(", ")}: ${message}`

const features = (permissions: Parameters<typeof ServerRequests.layerAsk>[0]) =>
  Layer.provide(ServerRequests.layerAsk(permissions), Browser.layer)
