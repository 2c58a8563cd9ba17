/**
 * The handshake of the revisions that have one: `initialize`, agreement on a revision, `notifications/initialized`.
 */
import * as Effect from "effect/Effect"
import { ErrorCode, isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type { Implementation, ServerCapabilities } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import * as Field from "../Field.ts"
import * as Icons from "./Icons.ts"

/** What both sides know after the handshake. */
export interface Agreement {
  readonly protocolVersion: ProtocolVersion.LegacyVersion
  readonly negotiation: ProtocolVersion.Negotiation
  readonly serverInfo: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
}

export interface Offer {
  readonly clientInfo: Implementation
  readonly capabilities: JsonObject
  /** Offer this revision, and agree on no other. */
  readonly pinned: ProtocolVersion.ProtocolVersion | undefined
}

export const run = Effect.fnUntraced(function* (
  transport: McpTransport.Service,
  offer: Offer
): Effect.fn.Return<Agreement, McpError> {
  const { pinned } = offer
  if (pinned !== undefined && !ProtocolVersion.isLegacy(pinned)) {
    return yield* failure(
      transport,
      "config",
      `revision ${pinned} cannot be pinned: harness9 speaks ${ProtocolVersion.legacy.join(", ")}`
    )
  }
  const version = pinned ?? ProtocolVersion.latestLegacy
  const result = yield* initialize(transport, offer, version).pipe(
    Effect.catchIf(
      (error) => pinned === undefined && alternative(error, version) !== undefined,
      (error) => initialize(transport, offer, alternative(error, version) ?? version)
    )
  )
  const agreement = yield* agree(transport, version, pinned, result)
  yield* transport.negotiated(agreement.protocolVersion)
  yield* transport.notify("notifications/initialized", undefined, { phase: "handshake" })
  return agreement
})

const initialize = (
  transport: McpTransport.Service,
  { capabilities, clientInfo }: Offer,
  protocolVersion: ProtocolVersion.LegacyVersion
) =>
  // A client must not cancel `initialize`.
  transport.request("initialize", { protocolVersion, capabilities, clientInfo }, { phase: "handshake", silent: true })

/** The newest revision that a refusal lists and harness9 speaks, other than the one that was refused. */
const alternative = (error: McpError, refused: ProtocolVersion.LegacyVersion) => {
  const refusal = error.code === ErrorCode.InvalidParams || error.code === ErrorCode.UnsupportedProtocolVersion
  const supported = refusal && isObject(error.data) ? error.data.supported : undefined
  if (!Array.isArray(supported)) return undefined
  return ProtocolVersion.legacy.find((version) => version !== refused && supported.includes(version))
}

const agree = (
  transport: McpTransport.Service,
  offered: ProtocolVersion.LegacyVersion,
  pinned: ProtocolVersion.LegacyVersion | undefined,
  result: unknown
): Effect.Effect<Agreement, McpError> => {
  if (!isObject(result)) return failure(transport, "protocol", "the answer to initialize is no object")
  const { protocolVersion } = result
  if (!ProtocolVersion.isLegacy(protocolVersion) || (pinned !== undefined && protocolVersion !== pinned)) {
    const answer =
      typeof protocolVersion === "string" ? `revision ${protocolVersion.slice(0, 40)}` : "no revision that can be read"
    const accepted = pinned === undefined ? ProtocolVersion.legacy.join(", ") : `${pinned} alone`
    return failure(
      transport,
      "protocol",
      `the server answered ${answer} to the offer of ${offered}; accepted: ${accepted}`
    )
  }
  return Effect.succeed({
    protocolVersion,
    negotiation: { era: "legacy", version: protocolVersion, reason: "the server answered initialize" },
    serverInfo: readImplementation(result.serverInfo),
    capabilities: readCapabilities(result.capabilities),
    instructions: Field.string(result.instructions)
  })
}

const failure = (transport: McpTransport.Service, kind: "config" | "protocol", message: string) =>
  Effect.fail(new McpError({ server: transport.server, phase: "handshake", kind, message }))

const readImplementation = (value: unknown): Implementation => {
  const info = Field.object(value) ?? {}
  return {
    name: Field.string(info.name) ?? "(unnamed)",
    version: Field.string(info.version) ?? "(no version)",
    title: Field.string(info.title),
    description: Field.string(info.description),
    websiteUrl: Field.string(info.websiteUrl),
    icons: Icons.read(info.icons)
  }
}

const readCapabilities = (value: unknown): ServerCapabilities => {
  const declared = Field.object(value) ?? {}
  const tools = declaration(declared.tools)
  const resources = declaration(declared.resources)
  const prompts = declaration(declared.prompts)
  return {
    tools: tools && { listChanged: Field.boolean(tools.listChanged) },
    resources: resources && {
      listChanged: Field.boolean(resources.listChanged),
      subscribe: Field.boolean(resources.subscribe)
    },
    prompts: prompts && { listChanged: Field.boolean(prompts.listChanged) },
    logging: declaration(declared.logging),
    completions: declaration(declared.completions),
    tasks: Field.object(declared.tasks),
    extensions: Field.object(declared.extensions),
    experimental: Field.object(declared.experimental)
  }
}

/** A capability is declared by being there; some servers write `true` for `{}`. */
const declaration = (value: unknown): JsonObject | undefined => (value === true ? {} : Field.object(value))
