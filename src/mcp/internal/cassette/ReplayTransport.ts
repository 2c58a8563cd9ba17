/**
 * A transport that plays a server's part from a cassette. It is a connection like any other; at its other end is the recording.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Entry, ReplayDifference } from "../../Cassette.ts"
import type * as CassettePlayer from "../../CassettePlayer.ts"
import type { Fault } from "../../CassetteTransport.ts"
import * as JsonRpc from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import type * as TransportFactory from "../../TransportFactory.ts"
import * as Connection from "../Connection.ts"
import * as Field from "../Field.ts"
import * as ErrorRecord from "./ErrorRecord.ts"

export const factory = (player: CassettePlayer.Service, faults: ReadonlyArray<Fault>): TransportFactory.Service => {
  const connections = new Map<string, number>()
  const received = new Map<string, number>()
  /** What goes wrong with the next message of the server. */
  const faultOf = (server: string) => {
    const at = (received.get(server) ?? 0) + 1
    received.set(server, at)
    return faults.find((fault) => fault.server === server && fault.at === at)
  }
  return {
    make: Effect.fnUntraced(function* ({ name: server }) {
      const connection = (connections.get(server) ?? 0) + 1
      connections.set(server, connection)
      const own = player.cassette.entries.filter((entry) => entry.server === server && entry.connection === connection)
      const opened = own.find(({ kind }) => kind === "opened")
      if (opened === undefined) return yield* unrecorded(server, connection, player.cassette.name)
      if (opened.message.error !== undefined) return yield* ErrorRecord.read(server, opened.message.error)
      return yield* replay(player, server, connection, own, () => faultOf(server))
    })
  }
}

const replay = Effect.fnUntraced(function* (
  player: CassettePlayer.Service,
  server: string,
  number: number,
  own: ReadonlyArray<Entry>,
  nextFault: () => Fault | undefined
) {
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const scope = yield* Effect.scope
  /** The present ids of the recorded requests. */
  const present = new Map<Entry["id"], JsonRpc.Id>()
  let kind = kindOf(own.find((entry) => entry.kind === "opened"))
  let differs: McpError | undefined
  let late: Effect.Effect<void> = Effect.void

  const connection: Connection.Connection = yield* Connection.make({
    server,
    write: (text) => {
      const message = JsonRpc.classify(JSON.parse(text))
      if (message._tag !== "Invalid") said(message)
    }
  })

  const receive = (entry: Entry) => {
    const fault = nextFault()
    if (fault?._tag === "drop") return
    if (fault?._tag === "kill") return connection.close(killed(server, fault.at))
    if (fault?._tag === "delay") late = Effect.zipRight(late, Effect.sleep(Duration.decode(fault.by)))
    if (late === Effect.void) return heard(entry)
    // In order, however late.
    late = Effect.cached(
      Effect.zipRight(
        late,
        Effect.sync(() => heard(entry))
      )
    ).pipe(Effect.runSync)
    runFork(late, { scope })
  }

  const heard = ({ id, kind, message }: Entry) => {
    const now = present.get(id)
    switch (kind) {
      case "reply":
        return connection.receive(JSON.stringify({ jsonrpc: "2.0", id: now, ...message }))
      case "failure":
        return now === undefined ? undefined : fail(now, ErrorRecord.read(server, message.error))
      case "progress": {
        const params = { progressToken: now, ...message }
        return connection.receive(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params }))
      }
      case "request":
        return connection.receive(JSON.stringify({ jsonrpc: "2.0", id, ...message }))
      case "notification":
        return connection.receive(JSON.stringify({ jsonrpc: "2.0", ...message }))
      case "closed":
        return connection.close(ErrorRecord.read(server, message.error))
    }
  }

  const played = yield* player.play(
    { with: "server", server, connection: number },
    {
      receive,
      fail: (difference) => {
        differs = notRecorded(server, difference)
        for (const id of present.values()) fail(id, differs)
      }
    }
  )
  const fail = (id: JsonRpc.Id, error: McpError) => (typeof id === "number" ? connection.fail(id, error) : undefined)

  const said = (message: Exclude<JsonRpc.Received, { readonly _tag: "Invalid" }>) => {
    if (message._tag === "Response") {
      const { reply } = message
      return played.sent("answer", reply._tag === "Result" ? { result: reply.result } : { error: reply.error })
    }
    const { method, params } = message
    const content = { method, ...(params && { params }) }
    if (message._tag === "Request") return asked(message.id, content)
    if (method !== "notifications/cancelled") return played.sent("notification", content)
    for (const [id, now] of present) if (now === params?.requestId) played.cancelled(id)
  }

  const asked = (id: JsonRpc.Id, content: JsonRpc.JsonObject) => {
    if (content.method === "ping") return connection.receive(JSON.stringify({ jsonrpc: "2.0", id, result: {} }))
    const entry = played.sent("request", content)
    if (entry !== undefined) return present.set(entry.id, id)
    if (differs !== undefined) fail(id, differs)
  }

  yield* Effect.addFinalizer(() => Effect.sync(() => connection.close(closed(server))))

  const service: McpTransport.Service = {
    get kind() {
      return kind
    },
    server,
    request: connection.request,
    notify: connection.notify,
    respond: connection.respond,
    inbound: connection.inbound,
    closed: connection.closed,
    // The old HTTP transport shows itself in the handshake.
    negotiated: () =>
      Effect.sync(() => {
        kind = kindOf(own.find((entry) => entry.kind === "negotiated")) ?? kind
      }),
    diagnostics: connection.diagnostics
  }
  return service
})

const kindOf = (entry: Entry | undefined): McpTransport.Service["kind"] => {
  const kind = Field.string(entry?.message.kind)
  return kind === "http" || kind === "sse" || kind === "memory" ? kind : "stdio"
}

const unrecorded = (server: string, connection: number, name: string) =>
  new McpError({
    server,
    phase: "connect",
    kind: "closed",
    message:
      connection === 1
        ? `${name} has no recording of this server`
        : `${name} has no connection ${connection} of this server`
  })

const notRecorded = (server: string, { message }: ReplayDifference) =>
  new McpError({ server, phase: "call", kind: "protocol", message })

const killed = (server: string, at: number) =>
  new McpError({ server, phase: "connect", kind: "exit", message: `the replay broke the connection at message ${at}` })

const closed = (server: string) =>
  new McpError({ server, phase: "connect", kind: "closed", message: "the connection was closed" })
