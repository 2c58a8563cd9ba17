/**
 * The configuration: which servers there are, from `.mcp.json` in the project and `harness9/mcp.json` of the user.
 *
 * A file may have comments and trailing commas. What is wrong with one entry costs that entry and is told as a problem, with the place in
 * the file; only a file that is no configuration at all is an error. No file is an empty configuration.
 *
 * @since 0.1.0
 */
import { dirname, isAbsolute, join, resolve } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as CommandLine from "./internal/config/CommandLine.ts"
import * as ConfigReader from "./internal/config/ConfigReader.ts"
import * as ConfigText from "./internal/config/ConfigText.ts"
import { McpError } from "./McpError.ts"
import type { ServerConfig } from "./ServerConfig.ts"

/**
 * Something in a configuration that a person should know of: an entry that cannot be used, or a part of one that is ignored.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem {
  /** The entry that it is about. */
  readonly server?: string
  /** The file that it is in; absolute. */
  readonly path?: string
  /** What is wrong, and where in the file. */
  readonly message: string
}

/**
 * The servers to connect to, and what was wrong on the way to them.
 *
 * @since 0.1.0
 * @category models
 */
export interface McpConfig {
  /** The project's in the order of its file, then the user's that no project entry has the name of. */
  readonly servers: ReadonlyArray<ServerConfig>
  readonly problems: ReadonlyArray<Problem>
  /** The files that there are, also when one of them is broken; absolute. */
  readonly files: ReadonlyArray<string>
  /** Those of them that are no configuration at all; their problems say why. */
  readonly broken?: ReadonlyArray<string> | undefined
}

/**
 * @since 0.1.0
 * @category tags
 */
export const McpConfig = Context.GenericTag<McpConfig>("harness9/McpConfig")

/**
 * A configuration without servers.
 *
 * @since 0.1.0
 * @category constructors
 */
export const empty: McpConfig = { servers: [], problems: [], files: [] }

/**
 * What one file says.
 *
 * @since 0.1.0
 * @category models
 */
export interface ParsedFile {
  readonly servers: ReadonlyArray<ServerConfig>
  /** Of all entries, also of those that cannot be used: a project's entry hides the user's even when it is broken. */
  readonly names: ReadonlyArray<string>
  readonly problems: ReadonlyArray<Problem>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ParseOptions {
  /** The file that the text comes from, absolute: relative folders in it start there. */
  readonly path: string
  /** Where a program starts whose entry has no `cwd`. */
  readonly cwd: string
  /** What `${VAR}` refers to. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of the project that the file comes along with, absolute: each entry then asks for a person's consent. */
  readonly project?: string | undefined
}

/**
 * Reads the text of a file. Its left side is a text that is no configuration at all, with line and column.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (text: string, options: ParseOptions): Either.Either<ParsedFile, McpError> =>
  ConfigReader.read(text, options)

/**
 * @since 0.1.0
 * @category models
 */
export interface LoadOptions {
  /** Use this file alone. */
  readonly file?: string | undefined
  /** The project's folder. Default: where the process runs. */
  readonly cwd?: string | undefined
  /** Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/**
 * A place where a configuration file is looked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Location {
  /** `named` is a file that was asked for by name. */
  readonly scope: "named" | "project" | "user"
  /** Absolute. */
  readonly path: string
}

/**
 * The files that `load` looks at, the one that wins first.
 *
 * @since 0.1.0
 * @category getters
 */
export const locations = (options: LoadOptions = {}): ReadonlyArray<Location> => {
  const { cwd = process.cwd(), env = process.env, file } = options
  if (file !== undefined) return [{ scope: "named", path: resolve(cwd, file) }]
  const home = env.HOME ?? env.USERPROFILE
  const configured = env.XDG_CONFIG_HOME ?? ""
  const folder = isAbsolute(configured) ? configured : home === undefined ? undefined : join(home, ".config")
  const project: Location = { scope: "project", path: resolve(cwd, ".mcp.json") }
  return folder === undefined ? [project] : [project, { scope: "user", path: join(folder, "harness9", "mcp.json") }]
}

/**
 * Reads the configuration. Fails when a file that was asked for is missing or broken, or when every file that there is is broken;
 * one broken file of two is a problem, and the other's servers are there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load: (options?: LoadOptions) => Effect.Effect<McpConfig, McpError, FileSystem.FileSystem> =
  Effect.fnUntraced(function* (options: LoadOptions = {}) {
    const { cwd = process.cwd(), env = process.env } = options
    const found = yield* Effect.forEach(locations(options), (location) => readFile(location, { cwd, env }))
    const files = found.filter((file) => file._tag !== "Absent")
    const loaded = files.filter((file) => file._tag === "Loaded")
    const broken = files.filter((file) => file._tag === "Broken")
    if (broken.length > 0 && loaded.length === 0) return yield* allBroken(broken)
    const { problems, servers } = merge(loaded)
    return {
      servers,
      problems: [
        ...broken.map(({ error, path }) => ({ path, message: withHint(error) })),
        ...problems,
        ...(yield* CommandLine.problems(servers, env))
      ],
      files: files.map(({ path }) => path),
      ...(broken.length > 0 && { broken: broken.map(({ path }) => path) })
    }
  })

/**
 * The configuration as a Layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options?: LoadOptions): Layer.Layer<McpConfig, McpError, FileSystem.FileSystem> =>
  Layer.effect(McpConfig, load(options))

type Absent = { readonly _tag: "Absent" }
type Broken = { readonly _tag: "Broken"; readonly path: string; readonly error: McpError }
type Loaded = { readonly _tag: "Loaded"; readonly path: string; readonly parsed: ParsedFile }

const readFile = Effect.fnUntraced(function* (
  { path, scope }: Location,
  { cwd, env }: Pick<ParseOptions, "cwd" | "env">
): Effect.fn.Return<Absent | Broken | Loaded, never, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.either(fs.readFile(path))
  if (Either.isLeft(bytes) && scope !== "named" && isNotFound(bytes.left)) return { _tag: "Absent" }
  const parsed = bytes.pipe(
    Either.mapLeft((error) => unreadable(path, error)),
    Either.flatMap((content) => ConfigText.decode(content, path)),
    Either.flatMap((text) => parse(text, scopes[scope]({ path, env, cwd })))
  )
  return Either.match(parsed, {
    onLeft: (error): Broken => ({ _tag: "Broken", path, error }),
    onRight: (file): Loaded => ({ _tag: "Loaded", path, parsed: file })
  })
})

/** Naming a file is consent to what it lists, and so is writing it at home; a file that lies in a project is neither. */
const scopes: Readonly<Record<Location["scope"], (options: ParseOptions) => ParseOptions>> = {
  named: (options) => ({ ...options, cwd: dirname(options.path) }),
  project: (options) => ({ ...options, cwd: dirname(options.path), project: dirname(options.path) }),
  user: (options) => options
}

/** Whole entries: the first file that has a name decides, and problems of what it hides are nobody's. */
const merge = (files: ReadonlyArray<Loaded>): Pick<McpConfig, "problems" | "servers"> => {
  const taken = new Map<string, ServerConfig | undefined>()
  const problems: Array<Problem> = []
  for (const { parsed } of files) {
    const before = new Map(taken)
    for (const name of parsed.names) if (!before.has(name)) taken.set(name, undefined)
    for (const server of parsed.servers) {
      const first = before.get(server.name)
      if (!before.has(server.name)) taken.set(server.name, server)
      else if (first?.consent !== undefined) {
        taken.set(server.name, { ...first, consent: { ...first.consent, hides: server } })
      }
    }
    problems.push(...parsed.problems.filter(({ server }) => server === undefined || !before.has(server)))
  }
  return { servers: [...taken.values()].filter((server) => server !== undefined), problems }
}

const allBroken = (broken: ReadonlyArray<Broken>): McpError => {
  const [first] = broken
  return broken.length === 1 && first !== undefined
    ? first.error
    : configError(broken.map(({ error }) => withHint(error)).join("; "))
}

const withHint = ({ hint, message }: McpError): string => (hint === undefined ? message : `${message}: ${hint}`)

const isNotFound = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

const unreadable = (path: string, error: PlatformError): McpError => {
  if (isNotFound(error)) return configError(`${path} does not exist`)
  const denied = error._tag === "SystemError" && error.reason === "PermissionDenied"
  return configError(`${path} cannot be read: ${denied ? "permission denied" : error.message}`)
}

const configError = (message: string): McpError =>
  new McpError({ server: "", phase: "config", kind: "config", message })
