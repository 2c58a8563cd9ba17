/**
 * Finding the revision to speak with a server, without being told.
 *
 * A server is asked `server/discover` first: a stateless one answers it, and any other answer means a handshake. That
 * costs one short exchange, and none with a server that is known from before. What says nothing of the server's age
 * (a login, a redirect, a dead connection, silence over HTTP) is never taken for age.
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { McpError } from "../../McpError.ts"
import type { Implementation } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import type * as Deadline from "../Deadline.ts"
import * as Agreement from "./Agreement.ts"
import type { ClientRequests } from "./ClientRequests.ts"
import * as Discovery from "./Discovery.ts"
import * as Handshake from "./Handshake.ts"
import * as RequestMeta from "./RequestMeta.ts"

/**
 * How long a program may be silent to the question before it is offered a handshake as well: some never answer what they do
 * not know. One that has answered before may take its time.
 */
const patience = Duration.millis(250)
const patienceWhenKnown = Duration.seconds(5)

export interface Options {
  readonly transport: McpTransport.Service
  readonly clientInfo: Implementation
  readonly capabilities: ClientRequests["capabilities"]
  readonly pinned: ProtocolVersion.ProtocolVersion | undefined
  /** The era that the server had before. */
  readonly remembered: ProtocolVersion.Era | undefined
  readonly waitFor: Deadline.WaitFor
}

/** The server's program ended when it was asked `server/discover`: there may be one that only bears a handshake. */
export class EndedOnProbe extends Data.TaggedError("EndedOnProbe")<{ readonly error: McpError }> {}

/** The same failure with another error in it. */
export const mapFailure = (failure: McpError | EndedOnProbe, map: (error: McpError) => McpError) =>
  failure._tag === "EndedOnProbe" ? new EndedOnProbe({ error: map(failure.error) }) : map(failure)

export const run = (options: Options): Effect.Effect<Agreement.Agreement, McpError | EndedOnProbe> => {
  const { pinned, remembered, transport } = options
  if (ProtocolVersion.isModern(pinned)) return pinnedModern(options, pinned)
  if (pinned !== undefined) return handshake(options, "pinned by the configuration", pinned)
  if (transport.kind === "sse") return handshake(options, "the old HTTP+SSE begins with a handshake")
  if (remembered === "legacy") return asBefore(options)
  return transport.kind === "http" ? probe(options) : patientProbe(options)
}

const handshake = (options: Options, reason: string, pinned?: ProtocolVersion.LegacyVersion) =>
  Effect.suspend(() => {
    options.waitFor("handshake", "answer to initialize")
    return Handshake.run(options.transport, handshakeOf(options, reason, pinned))
  })

const handshakeOf = (
  { capabilities, clientInfo }: Options,
  reason: string,
  pinned?: ProtocolVersion.LegacyVersion
): Handshake.Options => ({ clientInfo, capabilities: capabilities("legacy"), pinned, reason })

const discover = ({ capabilities, clientInfo, transport, waitFor }: Options) =>
  Effect.suspend(() => {
    waitFor("handshake", "answer to server/discover")
    return Discovery.run(transport, { clientInfo, capabilities: capabilities("modern") })
  })

/** Takes up what the server's answer says. */
const proceed = (options: Options, discovery: Discovery.Discovery) =>
  discovery._tag === "Legacy"
    ? handshake(options, discovery.reason)
    : Effect.as(options.transport.negotiated(discovery.agreement.protocolVersion), discovery.agreement)

const probe = (options: Options) => Effect.flatMap(discover(options), (discovery) => proceed(options, discovery))

const pinnedModern = (options: Options, pinned: ProtocolVersion.ModernVersion) =>
  Effect.flatMap(discover(options), (discovery) =>
    discovery._tag === "Modern"
      ? Effect.map(proceed(options, discovery), (agreement) => because(agreement, "pinned by the configuration"))
      : Effect.fail(
          Agreement.failure(
            options.transport.server,
            `the server does not speak revision ${pinned}, which is pinned (${discovery.reason})`
          )
        )
  )

/** A server that now refuses the handshake has been replaced by another one. */
const asBefore = (options: Options) =>
  Effect.catchIf(
    handshake(options, "remembered from an earlier start"),
    ({ kind, status }) => kind === "rpc" || (kind === "http" && (status === 400 || status === 404 || status === 405)),
    (error) =>
      Effect.flatMap(discover(options), (discovery) =>
        discovery._tag === "Modern" ? proceed(options, discovery) : Effect.fail(error)
      )
  )

/**
 * Asks a program, and offers it a handshake beside the open question when it is silent: it may still be starting, or never
 * answer what it does not know.
 */
const patientProbe = (options: Options) =>
  Effect.gen(function* () {
    const limit = options.remembered === "modern" ? patienceWhenKnown : patience
    const question = yield* Effect.forkScoped(Effect.either(discover(options)))
    const answer = Effect.timeoutOption(Fiber.join(question), limit)
    const inTime = yield* answer
    if (Option.isSome(inTime)) return yield* proceed(options, yield* Either.mapLeft(inTime.value, endedOnProbe))
    const offer = yield* Effect.either(offerBeside(options, limit))
    if (Either.isLeft(offer) && offer.left.kind !== "rpc") return yield* Effect.fail(endedOnProbe(offer.left))
    const late = yield* Either.isLeft(offer) ? answer : answered(question)
    return yield* settle(options, offer, Option.exists(late, isModern))
  }).pipe(Effect.scoped)

/** The offer claims to be of a stateless revision as well, so that a server that speaks both takes it for no decision. */
const offerBeside = (options: Options, limit: Duration.Duration) => {
  const { capabilities, clientInfo, transport, waitFor } = options
  waitFor("handshake", "answer to initialize")
  const [version] = ProtocolVersion.modern
  return Handshake.offer(transport, {
    ...handshakeOf(options, `server/discover was not answered within ${Duration.format(limit)}`),
    _meta: RequestMeta.make({ clientInfo, capabilities: capabilities("modern"), version })
  })
}

/** Both questions may have been answered: a server that still answers as a stateless one is taken for one. */
const settle = (
  options: Options,
  offer: Either.Either<Agreement.Agreement, McpError>,
  isModern: boolean
): Effect.Effect<Agreement.Agreement, McpError> => {
  const confirmed = Effect.flatMap(offer, (agreement) => Handshake.confirm(options.transport, agreement))
  if (!isModern) return confirmed
  return Effect.flatMap(Effect.either(discover(options)), (again) =>
    Either.isRight(again) && again.right._tag === "Modern" ? proceed(options, again.right) : confirmed
  )
}

/** What a fiber has come to by now. */
const answered = <A>(fiber: Fiber.Fiber<A>) =>
  Effect.map(
    Fiber.poll(fiber),
    Option.flatMap((exit) => (Exit.isSuccess(exit) ? Option.some(exit.value) : Option.none()))
  )

const isModern = (answer: Either.Either<Discovery.Discovery, McpError>): boolean =>
  Either.isRight(answer) && answer.right._tag === "Modern"

const endedOnProbe = (error: McpError): McpError | EndedOnProbe =>
  error.kind === "exit" || error.kind === "closed" ? new EndedOnProbe({ error }) : error

const because = (agreement: Agreement.Agreement, reason: string): Agreement.Agreement => ({
  ...agreement,
  negotiation: { ...agreement.negotiation, reason }
})
