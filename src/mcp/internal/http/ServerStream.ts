/**
 * Event streams that are opened by GET: read to their end, kept open, or opened again to hear the rest of a reply whose own
 * stream broke off.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { McpError, Phase } from "../../McpError.ts"
import * as HttpBody from "./HttpBody.ts"
import type { HttpEndpoint } from "./HttpEndpoint.ts"
import * as HttpFields from "./HttpFields.ts"
import * as SseReader from "./SseReader.ts"

/** How long to wait before opening a stream again when the server does not say. */
const defaultRetryMs = 1_000
const maxDelayMs = 60_000
/** However little the server asks for: one that ends each stream at once must not keep the host busy. */
const minDelayMs = 100
/** How often in a row a reply's stream may be opened again in vain. */
const maxResumes = 4

/** How far a stream got. */
export interface Position {
  readonly lastEventId: string | undefined
  /** In milliseconds, as the server asked. */
  readonly retry: number | undefined
}

export interface End extends Position {
  /** How many events with content came. */
  readonly delivered: number
}

export interface Source {
  readonly phase: Phase
  /** The fields of the session. */
  readonly fields: () => HttpFields.Fields
  readonly session: () => boolean
  readonly onEvent: (event: SseReader.SseEvent) => void
  readonly onOversize: () => void
  /** For how long nothing should be read. */
  readonly rest: () => number
  /** Asked after each event: nothing more is wanted. */
  readonly isDone?: () => boolean
}

/**
 * Opens a stream and reads it to its end, whether the server ended it or it broke. Fails when there is none: unreachable,
 * refused, or something else than a stream.
 */
export const read = (
  endpoint: HttpEndpoint,
  { fields, isDone, onEvent, onOversize, phase, rest, session }: Source,
  from?: string
): Effect.Effect<End, McpError> =>
  endpoint.withLogin("GET", (login) =>
    Effect.async<End, McpError>((resume) => {
      let delivered = 0
      let opened = false
      const reader = SseReader.make({
        maxEventBytes: endpoint.maxBodyBytes,
        onOversize,
        onEvent: (event) => {
          if (event.data !== "") delivered += 1
          onEvent(event)
          if (isDone?.() !== true) return
          exchange.finish()
          ended()
        }
      })
      const ended = () =>
        resume(Effect.succeed({ delivered, lastEventId: reader.lastEventId(), retry: reader.retry() }))
      const own = HttpFields.join(fields(), from === undefined ? undefined : { "last-event-id": from }, login)
      const exchange = endpoint.send(
        { method: "GET", url: endpoint.url, headers: endpoint.fields("GET", own), phase },
        {
          onHead: (head) => {
            if (head.status === 200 && HttpFields.mediaType(head.headers) === "text/event-stream") {
              opened = true
              return { onData: reader.push, onEnd: ended }
            }
            return HttpBody.refusal((body) => {
              exchange.finish()
              const refusal = { body, id: undefined, session: session(), own }
              resume(Effect.fail(endpoint.refused(phase, head, refusal)))
            })
          },
          onFailure: (error) => (opened ? ended() : resume(Effect.fail(error))),
          rest
        }
      )
      return Effect.sync(exchange.abort)
    })
  )

/**
 * Keeps a stream of the server's own messages open, for as long as it is not interrupted. A server that has none is left in
 * peace; a stream that ends is opened again after what the server asks for, and later and later while nothing comes
 * on it.
 */
export const keepOpen = Effect.fnUntraced(function* (
  open: (lastEventId: string | undefined) => Effect.Effect<End, McpError>
) {
  let position: Position = { lastEventId: undefined, retry: undefined }
  let everOpened = false
  let failures = 0
  while (true) {
    const end = yield* Effect.either(open(position.lastEventId))
    if (Either.isLeft(end)) {
      if (end.left.kind !== "network" && !(everOpened && isPassing(end.left))) return
      failures += 1
    } else {
      everOpened = true
      position = advance(position, end.right)
      failures = end.right.delivered > 0 ? 0 : failures + 1
    }
    yield* Effect.sleep(delay(position.retry, failures))
  }
})

/**
 * Hears the rest of a reply whose stream broke off, as often as it takes while the server has more to say, and not much
 * longer. Done when the reply is there, or nobody waits for it any more.
 */
export const resume = Effect.fnUntraced(function* (options: {
  readonly from: Position
  readonly open: (lastEventId: string | undefined) => Effect.Effect<End, McpError>
  readonly isDone: () => boolean
  readonly giveUp: () => McpError
}): Effect.fn.Return<void, McpError> {
  let position = options.from
  let failures = 0
  while (!options.isDone()) {
    yield* Effect.sleep(delay(position.retry, failures))
    if (options.isDone()) return
    const end = yield* Effect.either(options.open(position.lastEventId))
    if (Either.isLeft(end)) {
      failures += 1
      if (failures > maxResumes || (end.left.kind !== "network" && !isPassing(end.left))) return yield* end.left
      continue
    }
    const before = position
    position = advance(before, end.right)
    const moved = end.right.delivered > 0 || position.lastEventId !== before.lastEventId
    failures = moved ? 0 : failures + 1
    if (failures > maxResumes && !options.isDone()) return yield* options.giveUp()
  }
})

const advance = (from: Position, to: Position): Position => ({
  lastEventId: to.lastEventId ?? from.lastEventId,
  retry: to.retry ?? from.retry
})

/** A refusal that says nothing of the stream: the server, or one before it, is down or busy. */
const isPassing = ({ status = 0 }: McpError): boolean => status >= 500 || status === 429

/** What the server asks for, exactly; more only after failures. */
const delay = (retry = defaultRetryMs, failures: number): Duration.Duration =>
  Duration.millis(
    Math.max(minDelayMs, retry, failures === 0 ? 0 : Math.min(defaultRetryMs * 2 ** (failures - 1), maxDelayMs))
  )
