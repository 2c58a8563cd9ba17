/**
 * Asking a server whether it is a stateless one: `server/discover` (2026-07-28), and what its answer says of its era.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { ErrorCode, isObject, type JsonObject } from "../../JsonRpc.ts"
import type { McpError } from "../../McpError.ts"
import type * as McpTransport from "../../McpTransport.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import * as Field from "../Field.ts"
import * as Agreement from "./Agreement.ts"
import * as RequestMeta from "./RequestMeta.ts"

/**
 * - `Modern`: the server speaks a stateless revision
 * - `Legacy`: it does not; `reason` says what showed it
 */
export type Discovery = Data.TaggedEnum<{
  Modern: { readonly agreement: Agreement.Agreement }
  Legacy: { readonly reason: string }
}>

export const Discovery = Data.taggedEnum<Discovery>()

/** How often a refused revision is replaced by another one, or sent again. */
const maxRetries = 2

/**
 * Asks. Fails when the answer says nothing of the era: no answer at all, a login, a redirect, or an error of a stateless server.
 */
export const run = Effect.fnUntraced(function* (
  transport: McpTransport.Service,
  offer: Agreement.Offer
): Effect.fn.Return<Discovery, McpError> {
  let version: ProtocolVersion.ModernVersion = ProtocolVersion.modern[0]
  for (let attempt = 0; ; attempt++) {
    const meta = RequestMeta.make({ ...offer, version })
    const outcome = yield* Effect.either(
      transport.request("server/discover", { _meta: meta }, { phase: "handshake", silent: true })
    )
    if (outcome._tag === "Right") return read(outcome.right)
    const error = outcome.left
    if (!tellsEra(error)) return yield* error
    if (!isModernError(error)) return Discovery.Legacy({ reason: `server/discover was answered with ${shown(error)}` })
    const supported = Agreement.listedVersions(error.data, "supported")
    const mutual = ProtocolVersion.modern.find((known) => supported.includes(known))
    if (mutual === undefined && supported.some(ProtocolVersion.isLegacy)) {
      return Discovery.Legacy({ reason: `the server supports ${supported.map(String).join(", ")} alone` })
    }
    if (mutual === undefined || attempt === maxRetries) return yield* error
    version = mutual
  }
})

const read = (result: unknown): Discovery => {
  const supported = Agreement.listedVersions(result, "supportedVersions")
  const version = ProtocolVersion.modern.find((known) => supported.includes(known))
  if (!isObject(result) || version === undefined) {
    return Discovery.Legacy({
      reason:
        supported.length === 0
          ? "the answer to server/discover lists no revision"
          : "the server lists no stateless revision"
    })
  }
  return Discovery.Modern({
    agreement: {
      protocolVersion: version,
      negotiation: { era: "modern", version, reason: "the server answered server/discover" },
      serverInfo: Agreement.readImplementation(serverInfo(result)),
      capabilities: Agreement.readCapabilities(result.capabilities),
      instructions: Field.string(result.instructions)
    }
  })
}

/** In `_meta`; some servers put it beside, as `initialize` has it. */
const serverInfo = (result: JsonObject): unknown =>
  Field.object(result._meta)?.["io.modelcontextprotocol/serverInfo"] ?? result.serverInfo

/** Whether a failure is the server's own answer to the question. */
const tellsEra = ({ kind, status }: McpError): boolean => {
  if (kind === "rpc" || kind === "protocol") return status === undefined || !keepsOut(status)
  return kind === "http" && (status === undefined || !keepsOut(status))
}

/** Refusals of the way to the server, not of the question: logins, redirects, proxies. */
const keepsOut = (status: number): boolean =>
  status === 401 || status === 403 || status === 407 || (status >= 300 && status < 400)

/** Errors that a stateless server alone gives. */
const isModernError = ({ code }: McpError): boolean =>
  code === ErrorCode.UnsupportedProtocolVersion ||
  code === ErrorCode.HeaderMismatch ||
  code === ErrorCode.MissingClientCapability

const shown = ({ code, status }: McpError): string =>
  code !== undefined ? `error ${code}` : status !== undefined ? `status ${status}` : "something else"
