/**
 * A JSON object that is fetched: the metadata documents of servers and authorization servers.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type JsonObject, parseObject } from "../JsonRpc.ts"
import type { McpError } from "../McpError.ts"
import type { AuthHttp } from "./AuthHttp.ts"

/** The object at an address, or what is there instead of one. */
export const get = (
  http: AuthHttp,
  step: string,
  url: string,
  headers?: Readonly<Record<string, string>>
): Effect.Effect<Either.Either<JsonObject, string>, McpError> =>
  http.send({ step, method: "GET", url, headers }).pipe(
    Effect.map(({ body, status }) => {
      if (status !== 200) return Either.left(`answered ${status}`)
      const document = parseObject(body)
      return document === undefined
        ? Either.left("answered with something else than a JSON object")
        : Either.right(document)
    }),
    // A redirect that is not followed, or more than any document has: whatever is there, it is none.
    Effect.catchIf(
      ({ kind }) => kind === "http" || kind === "too-large",
      ({ message }) => Effect.succeed(Either.left(`is of no use (${message})`))
    )
  )
