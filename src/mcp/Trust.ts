/**
 * What a person has agreed to: the entries of a project's `.mcp.json` that may be started on this machine.
 *
 * A project's file can start programs, so opening a folder must not be enough. The word of a person is for one entry as it is
 * written, in one folder; it is kept outside of the project. It is for the entry, not for the files that the entry starts.
 *
 * @since 0.1.0
 */
import { realpath } from "node:fs/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FileLock from "./auth/internal/FileLock.ts"
import * as PrivateFile from "./auth/internal/PrivateFile.ts"
import * as ShellWord from "./internal/ShellWord.ts"
import * as StateHome from "./internal/StateHome.ts"
import { McpError } from "./McpError.ts"
import type { Consent, ServerConfig } from "./ServerConfig.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Whether a person has agreed to exactly this entry in this folder. */
  readonly isApproved: (server: string, consent: Consent) => Effect.Effect<boolean>
  /** Keeps a person's word, in place of an earlier one for another form of the entry. Fails when it cannot be kept. */
  readonly approve: (server: string, consent: Consent) => Effect.Effect<void, McpError>
  /** Takes the word back for one server of a folder, or for all; gives the names of those. */
  readonly revoke: (project: string, server?: string) => Effect.Effect<ReadonlyArray<string>, McpError>
}

/** By server. */
type Digests = Readonly<Record<string, string>>

/** By folder. */
type Approvals = Readonly<Record<string, Digests>>

/** A place for approvals. Changes come one after the other. */
interface Place {
  readonly read: Effect.Effect<Approvals>
  readonly change: <A>(step: (approvals: Approvals) => readonly [A, Approvals]) => Effect.Effect<A, McpError>
}

const of = ({ change, read }: Place): Service => ({
  isApproved: (server, { digest, project }) =>
    Effect.zipWith(read, real(project), (approvals, folder) => own(own(approvals, folder) ?? {}, server) === digest),
  approve: (server, { digest, project }) =>
    Effect.flatMap(real(project), (folder) =>
      change((approvals) => [undefined, { ...approvals, [folder]: { ...own(approvals, folder), [server]: digest } }])
    ),
  revoke: (project, server) =>
    Effect.flatMap(real(project), (folder) =>
      change((approvals) => {
        const { [folder]: given = {}, ...others } = approvals
        const left = Object.entries(given).filter(([name]) => server !== undefined && name !== server)
        const revoked = Object.keys(given).filter((name) => server === undefined || name === server)
        return [revoked, left.length === 0 ? others : { ...others, [folder]: Object.fromEntries(left) }]
      })
    )
})

/** The names of folders and servers are anybody's choice: what a plain object inherits is none of them. */
const own = <A>(record: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** A folder is the same by whatever link it is reached. */
const real = (folder: string): Effect.Effect<string> =>
  Effect.orElseSucceed(
    Effect.tryPromise(() => realpath(folder)),
    () => folder
  )

const memory = (): Service => {
  let approvals: Approvals = {}
  return of({
    read: Effect.sync(() => approvals),
    change: (step) =>
      Effect.sync(() => {
        const [result, next] = step(approvals)
        approvals = next
        return result
      })
  })
}

/**
 * Who is asked whether an entry may be started. Without a layer: words are kept in memory, and none has been given yet.
 *
 * @since 0.1.0
 * @category references
 */
export class Trust extends Context.Reference<Trust>()("harness9/Trust", { defaultValue: memory }) {}

/**
 * Words that end with the program.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<never> = Layer.sync(Trust, memory)

/**
 * Every entry may be started, and no word is kept: for scripts that know what they open.
 *
 * @since 0.1.0
 * @category layers
 */
export const trustAll: Layer.Layer<never> = Layer.succeed(Trust, {
  isApproved: () => Effect.succeed(true),
  approve: () => Effect.void,
  revoke: () => Effect.succeed([])
})

/**
 * Words in a file of mode 0600.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFile = (file: string): Layer.Layer<never> => Layer.succeed(Trust, of(inFile(file)))

/**
 * Words in `$XDG_STATE_HOME/harness9/approvals.json`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never> = Layer.unwrapEffect(
  Effect.sync(() => layerFile(StateHome.path("approvals.json")))
)

const Record = <A>(value: Schema.Schema<A>) => Schema.Record({ key: Schema.String, value })

const Document = Schema.parseJson(
  Schema.Struct({ version: Schema.Literal(1), approvals: Record(Record(Schema.String)) })
)

const inFile = (file: string): Place => {
  const read = PrivateFile.read(file).pipe(
    Effect.mapError(({ message }) => failure(message)),
    Effect.flatMap(
      Option.match({
        onNone: () => Effect.succeed<Approvals>({}),
        onSome: (text) =>
          Effect.mapBoth(Schema.decode(Document)(text), {
            onFailure: () => failure(`${file} does not hold approvals`, "Remove the file to begin anew."),
            onSuccess: ({ approvals }) => approvals
          })
      })
    )
  )
  const write = (approvals: Approvals) =>
    Effect.mapError(
      PrivateFile.write(file, `${JSON.stringify({ version: 1, approvals }, undefined, 2)}\n`),
      ({ message }) => failure(message)
    )
  return {
    // A file that cannot be read agrees to nothing.
    read: Effect.catchAll(read, ({ message }) => Effect.as(Effect.logWarning(`[mcp] ${message}`), {})),
    change: (step) =>
      Effect.gen(function* () {
        const [result, next] = step(yield* read)
        yield* write(next)
        return result
      }).pipe(
        FileLock.exclusively(`${file}.lock`),
        Effect.mapError((error) => (error._tag === "McpError" ? error : failure(error.message)))
      )
  }
}

const failure = (message: string, hint?: string): McpError =>
  new McpError({ server: "", phase: "config", kind: "config", message, hint })

/**
 * The servers as they may be used now: those that somebody has agreed to ask for nothing more, and where nobody has, the
 * person's own entry of that name keeps its place.
 *
 * @since 0.1.0
 * @category operations
 */
export const review = (servers: ReadonlyArray<ServerConfig>): Effect.Effect<ReadonlyArray<ServerConfig>> =>
  Effect.flatMap(Trust, ({ isApproved }) =>
    Effect.forEach(servers, (server) => {
      const { consent, name } = server
      if (consent === undefined) return Effect.succeed(server)
      return Effect.flatMap(isApproved(name, consent), (approved) => {
        if (approved) return Effect.succeed({ ...server, consent: undefined })
        const waiting = consent.hides ?? server
        return server.disabled ? Effect.succeed(waiting) : Effect.as(Effect.logWarning(wanted(server)), waiting)
      })
    })
  )

/**
 * What a person can do about a server that waits for their word.
 *
 * @since 0.1.0
 * @category formatting
 */
export const hint = (server: string): string =>
  `See what it starts and agree to it with: harness9 mcp approve ${ShellWord.quote(server)} (or --trust, for one run)`

const wanted = ({ consent, name }: ServerConfig): string =>
  consent?.hides === undefined
    ? `[mcp] server "${name}" is not started: it comes with this project, and nobody has agreed to it yet. ${hint(name)}`
    : `[mcp] server "${name}" of this project would take the place of your own, which is used: nobody has agreed to it yet. ${hint(name)}`
