/**
 * Who called what, and what came of it: a line of JSON for each call of a tool. Arguments and results are not in it, only the digest
 * of the arguments.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as CanonicalJson from "../mcp/internal/CanonicalJson.ts"
import { type ErrorObject, isObject } from "../mcp/JsonRpc.ts"

/**
 * What is known of a call before it is made.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subject {
  readonly client: string
  readonly tool: string
  /** Unset where no such tool is offered. */
  readonly server?: string | undefined
  readonly arguments: unknown
}

/**
 * - `ok`: the tool gave a result
 * - `error`: the tool says that it failed
 * - `failed`: there is no result
 * - `input-required`: the client is asked something first
 * - `cancelled`: the client took the call back
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome = "ok" | "error" | "failed" | "input-required" | "cancelled"

/**
 * @since 0.1.0
 * @category models
 */
export interface Audit {
  /** Makes the call, and writes its line when it has ended, however it did. */
  readonly recorded: <A>(subject: Subject, call: Effect.Effect<A, ErrorObject>) => Effect.Effect<A, ErrorObject>
}

/**
 * Nothing is written.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Audit = { recorded: (_, call) => call }

/**
 * Adds to the file, which only its owner can read. A line that cannot be written is logged, and costs no call.
 *
 * @since 0.1.0
 * @category constructors
 */
export const toFile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path, { flag: "a", mode: 0o600 })
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const write = (line: object) =>
    file.writeAll(new TextEncoder().encode(`${JSON.stringify(line)}\n`)).pipe(
      oneAtATime.withPermits(1),
      Effect.catchAll(({ message }) => Effect.logWarning(`the audit file ${path} cannot be written: ${message}`))
    )

  const recorded: Audit["recorded"] = ({ arguments: args, ...subject }, call) =>
    Effect.flatMap(Clock.currentTimeMillis, (began) =>
      Effect.onExit(call, (exit) =>
        Effect.flatMap(Clock.currentTimeMillis, (ended) =>
          write({
            time: new Date(began).toISOString(),
            ...subject,
            arguments: CanonicalJson.digest(args),
            outcome: outcomeOf(exit),
            durationMs: ended - began
          })
        )
      )
    )
  const audit: Audit = { recorded }
  return audit
}) satisfies (path: string) => Effect.Effect<Audit, unknown, FileSystem.FileSystem | Scope.Scope>

const outcomeOf = (exit: Exit.Exit<unknown, ErrorObject>): Outcome => {
  if (Exit.isFailure(exit)) return Exit.isInterrupted(exit) ? "cancelled" : "failed"
  const { value } = exit
  const result = isObject(value) && isObject(value.result) ? value.result : {}
  if (result.resultType === "input_required") return "input-required"
  return result.isError === true ? "error" : "ok"
}
