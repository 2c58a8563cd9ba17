/**
 * A credential of the configuration, read when it is needed: the platform that writes the file renews it at any time.
 */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { McpError } from "../McpError.ts"
import type { Credential } from "../ServerConfig.ts"
import * as AuthError from "./AuthError.ts"

export const read = (server: string, what: string, credential: Credential): Effect.Effect<string, McpError> =>
  credential._tag === "text"
    ? Effect.succeed(credential.text)
    : Effect.tryPromise({
        try: () => readFile(credential.path, "utf8"),
        catch: () => AuthError.make(server, "config", `${what} cannot be read from ${credential.path}`)
      }).pipe(
        Effect.map((text) => text.trim()),
        Effect.filterOrFail(
          (text) => text !== "",
          () => AuthError.make(server, "config", `${what} is empty: ${credential.path}`)
        )
      )

export const readOptional = (
  server: string,
  what: string,
  credential: Credential | undefined
): Effect.Effect<string | undefined, McpError> =>
  credential === undefined ? Effect.succeed(undefined) : read(server, what, credential)
