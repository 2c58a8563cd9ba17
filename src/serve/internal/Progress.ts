/** Progress of a request, told to the client that has asked for it with a token of its own. */
import * as Effect from "effect/Effect"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import type { Progress } from "../../mcp/McpSchema.ts"

/** What tells it; nothing where the request has no token. */
export const telling = (
  { _meta }: JsonObject,
  notify: (method: string, params: JsonObject) => void
): ((progress: Progress) => Effect.Effect<void>) | undefined => {
  const progressToken = isObject(_meta) ? _meta.progressToken : undefined
  if (progressToken === undefined) return undefined
  return (progress) => Effect.sync(() => notify("notifications/progress", { progressToken, ...progress }))
}
