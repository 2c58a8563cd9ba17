/**
 * The permission rules of a command line: read before anything runs, and added to when a person says "always".
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as PermissionRules from "../engine/PermissionRules.ts"
import * as Trust from "../mcp/Trust.ts"
import { type CliError, usage } from "./CliError.ts"

/**
 * The rules of the files. Fails when one of them cannot be understood: what it forbids would not be kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (options: {
  readonly trust: boolean
}): Effect.Effect<PermissionRules.PermissionRules, CliError, FileSystem.FileSystem> =>
  PermissionRules.load().pipe(
    Effect.provide(options.trust ? Trust.trustAll : Trust.layer),
    Effect.mapError(({ hint, message }) => usage(message, hint ?? "nothing was started"))
  )

/**
 * What a person should know of them, line by line.
 *
 * @since 0.1.0
 * @category formatting
 */
export const notes = ({ problems, waiting }: PermissionRules.PermissionRules): ReadonlyArray<string> => [
  ...problems.map(({ message, path }) => `${path}: ${message}`),
  ...(waiting.length === 0
    ? []
    : [
        `what this project's harness9.json allows does not count yet: nobody has agreed to it. See it with: harness9 permissions, agree with: harness9 permissions --approve`
      ])
]

/**
 * The same, with the notes in the log.
 *
 * @since 0.1.0
 * @category constructors
 */
export const loadLogged = (options: { readonly trust: boolean }) =>
  Effect.tap(load(options), (rules) =>
    Effect.forEach(notes(rules), (note) => Effect.logWarning(`permissions: ${note}`), { discard: true })
  )

/**
 * Adds what a person has allowed for good to the project's `harness9.json`. That it cannot be kept is logged.
 *
 * @since 0.1.0
 * @category operations
 */
export const keeping: Effect.Effect<(pattern: string) => Effect.Effect<void>, never, FileSystem.FileSystem> =
  Effect.map(
    FileSystem.FileSystem,
    (fs) => (pattern) =>
      PermissionRules.add(pattern).pipe(
        Effect.provide(Trust.layer),
        Effect.provideService(FileSystem.FileSystem, fs),
        Effect.catchAll(({ message }) => Effect.logWarning(`permissions: ${message}`))
      )
  )
