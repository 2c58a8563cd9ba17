/**
 * Calls of a server's tools, made as the transport and the revision want them.
 */
import * as Effect from "effect/Effect"
import { ErrorCode, type JsonObject } from "../../JsonRpc.ts"
import type { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as ParamHeaders from "./ParamHeaders.ts"
import type { ToolList } from "./ToolList.ts"

type Request = McpTransport.Service["request"]

/** Sends one `tools/call`, with `rest` as further params; the result is what the server sent. */
export type Send = (
  name: string,
  args: JsonObject,
  options: McpTransport.RequestOptions,
  rest?: JsonObject
) => Effect.Effect<unknown, McpError>

export const plain =
  (request: Request): Send =>
  (name, args, options, rest) =>
    request("tools/call", { ...rest, name, arguments: args }, options)

/**
 * Calls over HTTP in a stateless revision: some arguments go with them as headers too. A server that finds headers and
 * arguments at odds has changed the tool: its list is read again, and the call sent once more.
 */
export const withHeaders = (options: {
  readonly request: Request
  readonly list: Effect.Effect<ToolList>
  readonly relist: Effect.Effect<void, McpError>
}): Send => {
  const { list, relist, request } = options
  return (name, args, callOptions, rest) => {
    const send = Effect.flatMap(list, ({ params }) => {
      const annotated = params.get(name)
      const sent = annotated === undefined ? callOptions : { ...callOptions, headers: ParamHeaders.of(annotated, args) }
      return request("tools/call", { ...rest, name, arguments: args }, sent)
    })
    return Effect.catchIf(
      send,
      ({ code }) => code === ErrorCode.HeaderMismatch,
      () => Effect.zipRight(relist, send)
    )
  }
}
