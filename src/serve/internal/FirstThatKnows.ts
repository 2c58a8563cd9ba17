/** A request for something that one of several servers has, and nobody knows which. */
import * as Effect from "effect/Effect"
import { ErrorCode } from "../../mcp/JsonRpc.ts"
import type { McpError } from "../../mcp/McpError.ts"

/** The answer of the first server that knows it; else the error of the first that was asked. */
export const ask = <A>(
  [first, ...others]: readonly [string, ...ReadonlyArray<string>],
  request: (server: string) => Effect.Effect<A, McpError>
): Effect.Effect<A, McpError> =>
  Effect.catchIf(request(first), isUnknown, (error) => {
    const [next, ...rest] = others
    if (next === undefined) return Effect.fail(error)
    return Effect.mapError(ask([next, ...rest], request), (later) => (isUnknown(later) ? error : later))
  })

const isUnknown = ({ code }: McpError): boolean => code !== undefined && unknownThere.has(code)

const unknownThere: ReadonlySet<number> = new Set([
  ErrorCode.ResourceNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.MethodNotFound
])
