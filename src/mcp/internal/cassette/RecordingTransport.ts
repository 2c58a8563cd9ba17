/**
 * A transport with everything that goes over it written down, before it goes on.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Entry } from "../../Cassette.ts"
import type * as CassetteRecorder from "../../CassetteRecorder.ts"
import type { JsonObject } from "../../JsonRpc.ts"
import type { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import type * as TransportFactory from "../../TransportFactory.ts"
import * as ErrorRecord from "./ErrorRecord.ts"

export const factory = (
  real: TransportFactory.Service,
  recorder: CassetteRecorder.Service
): TransportFactory.Service => {
  const connections = new Map<string, number>()
  return {
    make: Effect.fnUntraced(function* (config) {
      const connection = (connections.get(config.name) ?? 0) + 1
      connections.set(config.name, connection)
      yield* recorder.hide(config.secrets)
      const write: Write = (direction, kind, message, id) =>
        recorder.write({
          with: "server",
          server: config.name,
          connection,
          direction,
          kind,
          ...(id !== undefined && { id }),
          message
        })
      yield* write("out", "open", {})
      const transport = yield* Effect.tapError(real.make(config), (error) =>
        write("in", "opened", { error: ErrorRecord.of(error) })
      )
      yield* write("in", "opened", { kind: transport.kind })
      const lost = Effect.catchAll(transport.closed, (error) => write("in", "closed", { error: ErrorRecord.of(error) }))
      yield* Effect.forkScoped(lost)
      return recording(transport, write)
    })
  }
}

type Write = (
  direction: Entry["direction"],
  kind: Entry["kind"],
  message: JsonObject,
  id?: Entry["id"]
) => Effect.Effect<void>

const recording = (transport: McpTransport.Service, write: Write): McpTransport.Service => {
  let lastId = 0
  const request: McpTransport.Service["request"] = (method, params, options) =>
    Effect.suspend(() => {
      // When a connection is looked after is a matter of time: its pings are no part of what was said.
      if (method === "ping") return transport.request(method, params, options)
      const id = ++lastId
      const onProgress = options?.onProgress
      const told = onProgress && {
        ...options,
        onProgress: (progress: Parameters<typeof onProgress>[0]) =>
          Effect.zipRight(write("in", "progress", { ...progress }, id), onProgress(progress))
      }
      return write("out", "request", { method, ...(params && { params }) }, id).pipe(
        Effect.zipRight(transport.request(method, params, told ?? options)),
        Effect.tap((result) => write("in", "reply", { result }, id)),
        Effect.tapError((error) => failed(error, id)),
        Effect.onInterrupt(() => write("out", "cancel", {}, id))
      )
    })
  const failed = (error: McpError, id: number) =>
    error.kind === "rpc" && error.code !== undefined
      ? write("in", "reply", { error: { code: error.code, message: error.message, data: error.data } }, id)
      : write("in", "failure", { error: ErrorRecord.of(error) }, id)

  return {
    ...transport,
    get kind() {
      return transport.kind
    },
    request,
    notify: (method, params, options) =>
      Effect.zipRight(
        write("out", "notification", { method, ...(params && { params }) }),
        transport.notify(method, params, options)
      ),
    respond: (id, reply) =>
      Effect.zipRight(
        write("out", "answer", reply._tag === "Result" ? { result: reply.result } : { error: reply.error }, id),
        transport.respond(id, reply)
      ),
    inbound: Stream.tap(transport.inbound, (message) => {
      const { method, params } = message
      const said = { method, ...(params && { params }) }
      return message._tag === "Request" ? write("in", "request", said, message.id) : write("in", "notification", said)
    }),
    negotiated: (version) =>
      Effect.zipRight(transport.negotiated(version), write("out", "negotiated", { version, kind: transport.kind }))
  }
}
