/**
 * The handshake of the revisions that have one: `initialize`, agreement on a revision, `notifications/initialized`.
 */
import * as Effect from "effect/Effect"
import { ErrorCode, isObject, type JsonObject } from "../../JsonRpc.ts"
import type { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import * as Field from "../Field.ts"
import * as Agreement from "./Agreement.ts"

export interface Options extends Agreement.Offer {
  /** Offer this revision, and agree on no other. */
  readonly pinned: ProtocolVersion.LegacyVersion | undefined
  /** Why there is a handshake at all. */
  readonly reason: string
  readonly _meta?: JsonObject | undefined
}

export const run = (transport: McpTransport.Service, options: Options): Effect.Effect<Agreement.Agreement, McpError> =>
  Effect.flatMap(offer(transport, options), (agreement) => confirm(transport, agreement))

/** Offers a revision and agrees on the server's answer; the server does not know that yet. */
export const offer = Effect.fnUntraced(function* (
  transport: McpTransport.Service,
  options: Options
): Effect.fn.Return<Agreement.Agreement, McpError> {
  const { pinned } = options
  const version = pinned ?? ProtocolVersion.latestLegacy
  const result = yield* initialize(transport, options, version).pipe(
    Effect.catchIf(
      (error) => pinned === undefined && alternative(error, version) !== undefined,
      (error) => initialize(transport, options, alternative(error, version) ?? version)
    )
  )
  return yield* agree(transport.server, version, options, result)
})

/** Tells the server that the handshake is done. */
export const confirm = (
  transport: McpTransport.Service,
  agreement: Agreement.Agreement
): Effect.Effect<Agreement.Agreement, McpError> =>
  transport
    .negotiated(agreement.protocolVersion)
    .pipe(
      Effect.zipRight(transport.notify("notifications/initialized", undefined, { phase: "handshake" })),
      Effect.as(agreement)
    )

const initialize = (
  transport: McpTransport.Service,
  { _meta, capabilities, clientInfo }: Options,
  protocolVersion: ProtocolVersion.LegacyVersion
) => {
  const params = { protocolVersion, capabilities, clientInfo, ...(_meta === undefined ? undefined : { _meta }) }
  // A client must not cancel `initialize`.
  return transport.request("initialize", params, { phase: "handshake", silent: true })
}

/** The newest revision that a refusal lists and harness9 speaks, other than the one that was refused. */
const alternative = (error: McpError, refused: ProtocolVersion.LegacyVersion) => {
  if (error.code !== ErrorCode.InvalidParams && error.code !== ErrorCode.UnsupportedProtocolVersion) return undefined
  const supported = Agreement.listedVersions(error.data, "supported")
  return ProtocolVersion.legacy.find((version) => version !== refused && supported.includes(version))
}

const agree = (
  server: string,
  offered: ProtocolVersion.LegacyVersion,
  { pinned, reason }: Options,
  result: unknown
): Effect.Effect<Agreement.Agreement, McpError> => {
  if (!isObject(result)) {
    return Effect.fail(Agreement.failure(server, "the answer to initialize is no object"))
  }
  const { protocolVersion } = result
  if (!ProtocolVersion.isLegacy(protocolVersion) || (pinned !== undefined && protocolVersion !== pinned)) {
    const accepted = pinned === undefined ? ProtocolVersion.legacy.join(", ") : `${pinned} alone`
    const message = `the server answered ${Agreement.shown(protocolVersion)} to the offer of ${offered}; accepted: ${accepted}`
    return Effect.fail(Agreement.failure(server, message))
  }
  return Effect.succeed({
    protocolVersion,
    negotiation: { era: "legacy", version: protocolVersion, reason },
    serverInfo: Agreement.readImplementation(result.serverInfo),
    capabilities: Agreement.readCapabilities(result.capabilities),
    instructions: Field.string(result.instructions)
  })
}
