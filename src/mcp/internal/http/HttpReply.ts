/**
 * Reads what comes back for one request: its reply as JSON, or an event stream with the reply in it, or something else,
 * which fails the request.
 */
import * as Limits from "../../Limits.ts"
import { McpError, type Phase } from "../../McpError.ts"
import * as HttpBody from "./HttpBody.ts"
import type { Receiver } from "./HttpConnection.ts"
import type { HttpEndpoint } from "./HttpEndpoint.ts"
import * as HttpFields from "./HttpFields.ts"
import type { Position } from "./ServerStream.ts"
import * as SseReader from "./SseReader.ts"

export interface Options {
  readonly id: number
  readonly method: string
  readonly phase: Phase
  /** The fields that this message alone carried. */
  readonly own: HttpFields.Fields | undefined
  /** Whether it carried a session id. */
  readonly session: boolean
  readonly onHeaders: (headers: Parameters<Receiver["onHead"]>[0]["headers"]) => void
  /** One message came. */
  readonly onMessage: (text: string) => void
  /** For how long nothing should be read. */
  readonly rest: () => number
  /** Whether the reply is still missing. */
  readonly isOpen: () => boolean
  /** The reply is there, or nobody waits for it; the stream may go on. */
  readonly onReplied: () => void
  /** The event stream is over, and the reply is still missing. */
  readonly onBroken: (at: Position, error: McpError) => void
  readonly onFailure: (error: McpError) => void
}

export const receiver = (endpoint: HttpEndpoint, options: Options): Receiver => {
  const { id, method, own, phase, session } = options
  let onFailure = options.onFailure

  const tooLarge = () =>
    options.onFailure(
      new McpError({
        server: endpoint.server,
        phase,
        kind: "too-large",
        message: `the reply to ${method} is over the limit of ${endpoint.maxBodyBytes} bytes`,
        hint: Limits.hint("maxBodyBytes")
      })
    )

  const events = () => {
    const reader = SseReader.make({
      maxEventBytes: endpoint.maxBodyBytes,
      onOversize: tooLarge,
      onEvent: ({ data, event }) => {
        if (event !== "message" || data === "") return
        options.onMessage(data)
        if (!options.isOpen()) options.onReplied()
      }
    })
    const broken = (error: McpError) =>
      options.onBroken({ lastEventId: reader.lastEventId(), retry: reader.retry() }, error)
    onFailure = broken
    return {
      onData: reader.push,
      onEnd: () => {
        if (options.isOpen()) broken(noReply(endpoint, phase, method))
        else options.onReplied()
      }
    }
  }

  return {
    onHead: (head) => {
      const refused = (body: string) => options.onFailure(endpoint.refused(phase, head, { body, id, session, own }))
      if (head.status < 200 || head.status >= 300) return HttpBody.refusal(refused)
      options.onHeaders(head.headers)
      const type = HttpFields.mediaType(head.headers)
      if (type === "text/event-stream") return events()
      if (type !== "" && type !== "application/json" && !type.endsWith("+json")) return HttpBody.refusal(refused)
      return HttpBody.text({
        limit: endpoint.maxBodyBytes,
        onTooLarge: tooLarge,
        onText: (text) => {
          if (text !== "") options.onMessage(text)
          if (options.isOpen()) refused(text)
          else options.onReplied()
        }
      })
    },
    onFailure: (error) => onFailure(error),
    rest: options.rest
  }
}

const noReply = (endpoint: HttpEndpoint, phase: Phase, method: string): McpError =>
  new McpError({
    server: endpoint.server,
    phase,
    kind: "network",
    message: `${endpoint.url.host} ended the event stream without the reply to ${method}`
  })
