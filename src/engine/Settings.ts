/**
 * What a person or a project has settled for harness9 itself: `harness9.json` in the project and `harness9/harness9.json` of the
 * user, and what the administrator's `managed.json` adds.
 *
 * A file may have comments and trailing commas. A key that nobody knows is told as a problem. A file that cannot be understood is
 * an error, since what it forbids would not be kept.
 *
 * @since 0.1.0
 */
import { dirname, join } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as ConfigText from "../mcp/internal/config/ConfigText.ts"
import * as Limits from "../mcp/Limits.ts"
import * as ManagedPolicy from "../mcp/ManagedPolicy.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import { McpError } from "../mcp/McpError.ts"

const Patterns = (description: string) =>
  Schema.optionalWith(
    Schema.Array(
      Schema.NonEmptyString.annotations({
        message: () => ({ message: "must be a text that is not empty", override: true })
      })
    ).annotations({
      description,
      message: () => "must be a list of patterns"
    }),
    { exact: true }
  )

/**
 * Which tools may run: lists of patterns such as `mcp__github__*` or `bash(npm test*)`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Permissions = Schema.Struct({
  allow: Patterns("Calls that run without a question. Of a project's file, once a person has agreed to it."),
  ask: Patterns("Calls that a person is asked about, also where another rule allows them."),
  deny: Patterns("Calls that never run, whatever allows them.")
}).annotations({
  description: "Which tool calls run, are asked about, or never run. deny wins over ask, ask over allow.",
  message: () => ({ message: 'must be an object of lists: "allow", "ask", "deny"', override: false })
})

/**
 * The whole file.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Document = Schema.Struct({
  $schema: Schema.optionalWith(
    Schema.String.annotations({ description: "The JSON Schema of this file, for editors." }),
    {
      exact: true
    }
  ),
  permissions: Schema.optionalWith(Permissions, { exact: true }),
  compactAt: Schema.optionalWith(
    Schema.Number.annotations({
      message: () => ({ message: "must be a number from 0 to 1", override: true })
    })
      .pipe(Schema.between(0, 1, { message: () => ({ message: "must be a number from 0 to 1", override: true }) }))
      .annotations({
        description:
          "What share of the model's context a conversation may take before it is summed up. Default: 0.8; 0 switches it off."
      }),
    { exact: true }
  ),
  limits: Schema.optionalWith(
    Limits.Settings.annotations({
      description:
        "How much each server may send, list, ask and be asked, unless its entry says otherwise. A project's file can only lower them."
    }),
    { exact: true }
  ),
  maxLogBytes: Schema.optionalWith(
    Schema.Int.pipe(Schema.positive()).annotations({
      description:
        "The UI's log is begun anew when it is larger; the old one is kept beside it. Of the user's file. Default: 5 MiB.",
      message: () => ({ message: "must be a whole number of at least 1", override: true })
    }),
    { exact: true }
  )
}).annotations({ message: () => ({ message: "must hold an object", override: false }) })

/**
 * @since 0.1.0
 * @category models
 */
export type Document = typeof Document.Type

/**
 * A place where settings are looked for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Location {
  readonly scope: "managed" | "project" | "user"
  /** Absolute. */
  readonly path: string
}

/**
 * One file that there is.
 *
 * @since 0.1.0
 * @category models
 */
export interface File extends Location {
  readonly content: Document
  /** The line of a part of the file, from 1. */
  readonly lineOf: (path: ReadonlyArray<PropertyKey>) => number
}

/**
 * What all files say.
 *
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  /** The administrator's first, then the user's, then the project's. */
  readonly files: ReadonlyArray<File>
  /** What is ignored, with its place. */
  readonly problems: ReadonlyArray<McpConfig.Problem>
}

/**
 * The files that `load` looks at. `cwd` and `env` are as those of the servers' configuration.
 *
 * @since 0.1.0
 * @category getters
 */
export const locations = (options: Omit<McpConfig.LoadOptions, "file"> = {}): ReadonlyArray<Location> => {
  const managed = ManagedPolicy.files(options.env).map((path): Location => ({ scope: "managed", path }))
  const others = McpConfig.locations({ cwd: options.cwd, env: options.env }).flatMap(
    ({ path, scope }): Array<Location> =>
      scope === "named" ? [] : [{ scope, path: join(dirname(path), "harness9.json") }]
  )
  return [...managed, ...others.reverse()]
}

/**
 * Reads the settings. Fails with the place when one of the files cannot be understood.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (
  options: Omit<McpConfig.LoadOptions, "file"> = {}
): Effect.Effect<Settings, McpError, FileSystem.FileSystem> =>
  Effect.map(Effect.forEach(locations(options), read), (found) => ({
    files: found.flatMap(({ file }) => (file === undefined ? [] : [file])),
    problems: found.flatMap(({ problems }) => problems)
  }))

/**
 * What share of the model's context a conversation may take, where a file says: the project's comes before the user's.
 *
 * @since 0.1.0
 * @category getters
 */
export const compactAt = ({ files }: Settings): number | undefined =>
  files.findLast(({ content }) => content.compactAt !== undefined)?.content.compactAt

/**
 * The limits of all servers whose entries do not set their own: the user's, and what the project lowers.
 *
 * @since 0.1.0
 * @category getters
 */
export const limits = ({ files }: Settings): Limits.Settings => {
  const of = (scope: Location["scope"]) => files.find((file) => file.scope === scope)?.content.limits ?? {}
  const user = of("user")
  const own = Limits.make(user)
  const lowered = Object.entries(of("project")).filter(([name, value]) => value < own[name as keyof Limits.Limits]) // a key of the schema
  return { ...user, ...Object.fromEntries(lowered) }
}

/**
 * How large the UI's log becomes before it is begun anew: 5 MiB, unless the user says otherwise.
 *
 * @since 0.1.0
 * @category getters
 */
export const maxLogBytes = ({ files }: Settings): number =>
  files.find(({ scope }) => scope === "user")?.content.maxLogBytes ?? defaultMaxLogBytes

const defaultMaxLogBytes = 5 * 1024 * 1024

/**
 * What a file says, and what is wrong with it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Read {
  readonly file: File | undefined
  readonly problems: ReadonlyArray<McpConfig.Problem>
}

const read = Effect.fnUntraced(function* (location: Location) {
  const fs = yield* FileSystem.FileSystem
  const { path } = location
  const bytes = yield* fs.readFile(path).pipe(
    Effect.catchIf(isAbsent, () => Effect.succeed(undefined)),
    Effect.mapError((error) => failure(`${path} cannot be read: ${because(error)}`))
  )
  const absent: Read = { file: undefined, problems: [] }
  return bytes === undefined
    ? absent
    : yield* Either.flatMap(ConfigText.decode(bytes, path), (text) => parse(text, location))
})

/**
 * Reads the text of a file.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (text: string, location: Location): Either.Either<Read, McpError> =>
  Either.flatMap(ConfigText.parse(text, location.path), ({ position, root }) => {
    const { path, scope } = location
    const written = root === undefined ? {} : ConfigText.toValue(root)
    // Beside the permissions, the administrator's file holds lists of servers, which are read elsewhere.
    return decode(scope === "managed" ? permissionsOf(written) : written).pipe(
      Either.mapLeft((error) => {
        const issues = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => {
          const place = root === undefined ? "" : ` (${position(ConfigText.find(root, path))})`
          return `${path.length === 0 ? "the file" : path.join(".")} ${message}${place}`
        })
        return failure(`${path}: ${issues.join("; ")}`)
      }),
      Either.map((content) => ({
        file: { ...location, content, lineOf: (at) => (root === undefined ? 1 : lineAt(text, root, at)) },
        problems: root === undefined ? [] : ignored(root, location, position)
      }))
    )
  })

const decode = Schema.decodeUnknownEither(Document, { errors: "all" })

const permissionsOf = (written: unknown): unknown =>
  typeof written === "object" && written !== null && "permissions" in written
    ? { permissions: written.permissions }
    : {}

const lineAt = (text: string, root: ConfigText.Node, path: ReadonlyArray<PropertyKey>): number =>
  text.slice(0, ConfigText.find(root, path).offset).split(/\r\n|\r|\n/).length

/** The keys of the file and of the objects in it that mean nothing, and those that stand there twice. */
const ignored = (
  root: ConfigText.Node,
  { path, scope }: Location,
  position: (node: ConfigText.Node) => string
): ReadonlyArray<McpConfig.Problem> => {
  const known: ReadonlyArray<readonly [ConfigText.Node | undefined, object]> = [
    [scope === "managed" ? undefined : root, Document.fields],
    [ConfigText.properties(root).findLast(({ key }) => key === "permissions")?.value, Permissions.fields]
  ]
  const unknown = known.flatMap(([node, fields]) =>
    (node === undefined ? [] : ConfigText.properties(node)).filter(({ key }) => !Object.hasOwn(fields, key))
  )
  return [
    ...ConfigText.repeatedWithin(root).map(
      ({ key, keyNode }) => [`"${key}" is there twice: the later one counts`, keyNode] as const
    ),
    ...unknown.map(({ key, keyNode }) => [`unknown key ignored: "${key}"`, keyNode] as const)
  ].map(([message, node]) => ({ path, message: `${message} (${position(node)})` }))
}

const isAbsent = (error: PlatformError): boolean =>
  error._tag === "SystemError" && (error.reason === "NotFound" || error.reason === "BadResource")

const because = (error: PlatformError): string =>
  error._tag === "SystemError" && error.reason === "PermissionDenied" ? "permission denied" : error.message

const failure = (message: string): McpError => new McpError({ server: "", phase: "config", kind: "config", message })
