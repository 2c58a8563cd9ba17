/**
 * Asks a server what login it wants, by a message without one.
 */
import * as Effect from "effect/Effect"
import * as HttpFields from "../internal/http/HttpFields.ts"
import * as JsonRpc from "../JsonRpc.ts"
import type { McpError } from "../McpError.ts"
import type { Http } from "../ServerConfig.ts"
import * as AuthHttp from "./AuthHttp.ts"

/** The `WWW-Authenticate` header of the refusal. Undefined when the server does not refuse, or does not say. */
export const challengeOf = Effect.fnUntraced(function* (
  server: string,
  { _tag, ca, url }: Http
): Effect.fn.Return<string | undefined, McpError> {
  const http = yield* AuthHttp.make({ server, url, ca })
  const step = "the question whether a login is needed"
  const { headers, status } = yield* http.send(
    _tag === "sse"
      ? { step, method: "GET", url, headers: { accept: "text/event-stream" }, headOnly: true }
      : {
          step,
          method: "POST",
          url,
          // Opens no session: whoever lets it pass wants no login, or not yet.
          body: JsonRpc.encodeRequest(1, "tools/list", {}),
          headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
          headOnly: true
        }
  )
  return status === 401 || status === 403 ? HttpFields.get(headers, "www-authenticate") : undefined
})
