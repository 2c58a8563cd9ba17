/**
 * JSON-RPC over any two-way pipe: what all transports have in common.
 *
 * The pipe's owner hands in the text of each message with `receive`, and puts each text that `write` is given on the wire. All
 * of it is synchronous: bytes come and go in callbacks, Effect begins above.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Id, JsonObject, Received } from "../JsonRpc.ts"
import * as JsonRpc from "../JsonRpc.ts"
import * as Limits from "../Limits.ts"
import { inPhase, McpError } from "../McpError.ts"
import type { RequestOptions, Service } from "../McpTransport.ts"
import * as Inbox from "./Inbox.ts"
import * as Intake from "./Intake.ts"
import * as Nesting from "./Nesting.ts"
import * as PendingRequests from "./PendingRequests.ts"
import * as Skipped from "./Skipped.ts"

/** Of a longer batch the rest is passed over: hosts ask one by one. */
const maxBatch = 1000

/** How many ids of the server's own requests are remembered. */
const maxRememberedIds = 1000

/** A request as it is written. */
export interface Outgoing {
  readonly id: number
  readonly method: string
  readonly params: JsonObject | undefined
  readonly options: RequestOptions | undefined
}

export interface Connection
  extends Pick<Service, "request" | "notify" | "respond" | "inbound" | "closed" | "diagnostics"> {
  /** A text came: a message, a batch of them, or something else, which is skipped. Never throws. */
  readonly receive: (text: string) => void
  /** For how many milliseconds the pipe should not be read: the server says too much. */
  readonly rest: () => number
  /** The text of a message to send; fails when the connection is gone, or when JSON cannot hold the message. */
  readonly encoded: (phase: McpError["phase"], encode: () => string) => Effect.Effect<string, McpError>
  /** A request of the server has been answered by another way than `respond`. */
  readonly answered: (id: Id) => void
  /** One request failed on its way, and nothing else did. */
  readonly fail: (id: number, error: McpError) => void
  /** Whether a request still waits for its reply. */
  readonly isOpen: (id: number) => boolean
  /** The pipe is gone, or given up. Only the first reason counts. */
  readonly close: (reason: McpError) => void
}

export const make: (options: {
  readonly server: string
  /** Puts one message on the wire; `request` is there when it is one. Runs synchronously and must not throw. */
  readonly write: (message: string, request?: Outgoing) => void
  /** Nobody waits for the request any more. Default: writes `notifications/cancelled`. */
  readonly cancel?: (id: number, reason: string) => void
  /** How much the server may say unasked. */
  readonly messagesPerSecond?: number | undefined
}) => Effect.Effect<Connection, never, Scope.Scope> = Effect.fnUntraced(function* ({
  cancel,
  messagesPerSecond = Limits.defaults.messagesPerSecond,
  server,
  write
}) {
  const intake = Intake.make(messagesPerSecond)
  const inbox = Inbox.make()
  const skipped = Skipped.make()
  const lost = yield* Deferred.make<never, McpError>()
  const serversOwnIds = new Set<Id>()
  let closedBy: McpError | undefined

  const pending = yield* PendingRequests.make({
    server,
    hint: skipped.hint,
    cancel: (requestId, reason) => {
      if (closedBy !== undefined) return
      if (cancel !== undefined) cancel(requestId, reason)
      else write(JsonRpc.encodeNotification("notifications/cancelled", { requestId, reason }))
    }
  })

  const rememberId = (id: Id) => {
    serversOwnIds.add(id)
    if (serversOwnIds.size <= maxRememberedIds) return
    for (const oldest of serversOwnIds) return serversOwnIds.delete(oldest)
  }

  /** Whether a notification is about one of our requests, and so is spent. An id that the server used is the server's. */
  const concernsRequest = ({
    method,
    params
  }: {
    readonly method: string
    readonly params: JsonObject | undefined
  }) => {
    if (method === "notifications/progress") return pending.progress(params)
    if (method !== "notifications/cancelled") return false
    // A value of another type finds nothing.
    const id = params?.requestId as Id
    if (!serversOwnIds.has(id)) return pending.cancelled(params)
    pending.answered(id)
    return false
  }

  /** `text` is the whole of a message, or of the batch that it came in. */
  const receiveOne = (json: unknown, text: string, characters = text.length) => {
    const message = JsonRpc.classify(json)
    switch (message._tag) {
      case "Response":
        if (pending.settle(message.id, message.reply)) return
        intake.heard("other", characters)
        return skipped.add(described(message), "reply to no open request")
      case "Notification":
        intake.heard("other", characters)
        if (!concernsRequest(message)) inbox.offer(message)
        return
      case "Request":
        intake.heard("request", characters)
        rememberId(message.id)
        // A sign of life is no question: it must not keep a request alive that the server has forgotten.
        if (message.method !== "ping") pending.asked(message.id)
        return inbox.offer(message)
      case "Invalid":
        intake.heard("other", characters)
        return skipped.add(text, withOpenRequest(message.reason, pending.methods()))
    }
  }

  /** Nobody looks into it: whoever waits for it is told so. */
  const tooDeep = (json: unknown, text: string) => {
    const reason = `a message nested more than ${Nesting.maxLevels} levels deep`
    const id = isReply(json) ? (json.id as Id) : undefined // a value of another type finds nothing
    if (id === undefined || !pending.has(id)) return skipped.add(text, reason)
    pending.fail(
      id,
      new McpError({ server, phase: "call", kind: "protocol", message: `the server answered ${reason}` })
    )
  }

  const encoded: Connection["encoded"] = (phase, encode) =>
    Effect.suspend(() => {
      if (closedBy !== undefined) return Effect.fail(inPhase(phase)(closedBy))
      const text = encodeOr(encode, (cause) => unwritable(server, phase, cause))
      return typeof text === "string" ? Effect.succeed(text) : Effect.fail(text)
    })

  const send = (phase: McpError["phase"], encode: () => string) =>
    Effect.map(encoded(phase, encode), (text) => write(text))

  return {
    request: (method, params, options) =>
      pending.request(method, options, (id) => {
        const text = encodeOr(
          () => JsonRpc.encodeRequest(id, method, PendingRequests.withProgressToken(params, id, options)),
          (cause) => unwritable(server, options?.phase ?? "call", cause)
        )
        if (typeof text === "string") write(text, { id, method, params, options })
        else pending.fail(id, text)
      }),
    notify: (method, params, options) =>
      send(options?.phase ?? "call", () => JsonRpc.encodeNotification(method, params)),
    respond: (id, reply) =>
      Effect.ensuring(
        send("call", () => JsonRpc.encodeReply(id, reply)),
        Effect.sync(() => pending.answered(id))
      ),
    answered: pending.answered,
    inbound: inbox.stream,
    closed: Deferred.await(lost),
    receive: (text) => {
      if (closedBy !== undefined) return
      const json = parsed(text)
      if (json === undefined) {
        intake.heard("other", text.length)
        return text.trim() === "" ? undefined : skipped.add(text)
      }
      if (Nesting.isTooDeep(text)) return tooDeep(json, text)
      if (!Array.isArray(json)) return receiveOne(json, text)
      if (json.length === 0) skipped.add(text, "empty batch")
      if (json.length > maxBatch) skipped.add(text, `a batch of more than ${maxBatch}`)
      for (const element of json.slice(0, maxBatch)) receiveOne(element, text, 0)
      intake.heard("other", text.length)
    },
    rest: () => {
      const ms = intake.rest()
      if (ms > 0) skipped.add(slowly(messagesPerSecond))
      return ms
    },
    diagnostics: Effect.sync(() => ({ stderr: "", skipped: skipped.samples(), openRequests: pending.size() })),
    encoded,
    fail: pending.fail,
    isOpen: pending.has,
    close: (reason) => {
      if (closedBy !== undefined) return
      closedBy = reason
      pending.close(reason)
      inbox.end()
      Deferred.unsafeDone(lost, Effect.fail(reason))
    }
  }
})

/** The value of a JSON text; undefined when it is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const slowly = (messagesPerSecond: number): string =>
  `read more slowly: the server sends more than ${messagesPerSecond} messages a second (limits.messagesPerSecond)`

const isReply = (json: unknown): json is JsonObject => JsonRpc.isObject(json) && typeof json.method !== "string"

/** JSON cannot hold everything (a bigint, a cycle): what a caller hands in may not be writable. */
const encodeOr = (encode: () => string, onFailure: (cause: unknown) => McpError): string | McpError => {
  try {
    return encode()
  } catch (cause) {
    return onFailure(cause)
  }
}

const unwritable = (server: string, phase: McpError["phase"], cause: unknown): McpError =>
  new McpError({ server, phase, kind: "protocol", message: "the message cannot be written as JSON", cause })

const described = ({ id, reply }: Extract<Received, { _tag: "Response" }>): string =>
  `id ${JSON.stringify(id)}${reply._tag === "Error" ? `, error ${reply.error.code} ${reply.error.message}` : ""}`

const withOpenRequest = (reason: string, methods: ReadonlyArray<string>): string =>
  methods.length === 1 ? `${reason} (open request: ${methods[0]})` : reason
