/**
 * The SDK's server for one client, as a way to the gateway: it keeps the protocol with the client, and everything that it is asked
 * goes on. Requests come through its fallback, where nothing of a result is checked, filled in or left out but what the revision
 * demands.
 */
import {
  type CallToolResult,
  type jsonSchemaValidator,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type StandardSchemaV1
} from "@modelcontextprotocol/server"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import { version } from "../../mcp/internal/version.ts"
import { ErrorCode, type ErrorObject, isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import type { Era } from "../../mcp/ProtocolVersion.ts"
import type * as Answer from "../Answer.ts"
import type * as Clients from "../Clients.ts"
import * as Gateway from "../Gateway.ts"

export interface Options {
  readonly gateway: Gateway.Service
  readonly runtime: Runtime.Runtime<never>
  readonly instructions: string
  readonly era: Era
  /** Where the client comes from, after its own name. */
  readonly from: string
  /** Whether the client may find several of our messages in one piece, and then mistake their order. */
  readonly sharesChunks?: boolean | undefined
  /** The client, where it is not this connection alone. */
  readonly client?: ((server: Server) => Clients.Client) | undefined
}

export interface ClientServer {
  readonly server: Server
  readonly client: Clients.Client
}

export const make = (options: Options): ClientServer => {
  const { era, gateway, instructions, runtime } = options
  const server = new Server(
    { name: "harness9", version },
    { capabilities: Gateway.capabilities, jsonSchemaValidator: noValidator, ...(instructions && { instructions }) }
  )
  // The levels of log messages are the gateway's to keep.
  server.removeRequestHandler("logging/setLevel")
  const client = options.client?.(server) ?? connected(server, options)
  const run = Runtime.runPromiseExit(runtime)

  server.fallbackRequestHandler = ({ method, params = {} }, context) => {
    const { request, told } = read(server, client, era, method, params, context)
    const answer = Effect.tap(gateway.handle(request), () =>
      options.sharesChunks === true && told() ? Effect.sleep(breath) : Effect.void
    )
    return run(answer, { signal: context.mcpReq.signal }).then((exit) =>
      Exit.isSuccess(exit) ? shaped(server, exit.value) : Promise.reject(failure(exit.cause))
    )
  }
  return { server, client }
}

/**
 * The SDK's own clients drop what was told of a request when they read it together with the result: they take up results at once, and
 * notifications a moment later.
 */
const breath = "20 millis"

/** What a client calls itself, and where it comes from. */
export const nameOf = (info: unknown, from: string): string =>
  isObject(info) ? `${String(info.name)} ${String(info.version)} (${from})` : from

const connected = (server: Server, { era, from }: Options): Clients.Client => ({
  name: () => nameOf(server.getClientVersion(), from),
  era,
  logLevel: undefined,
  subscriptions: new Map(),
  notify: (method, params) => void server.notification({ method, params }).catch(ignored)
})

const read = (
  server: Server,
  client: Clients.Client,
  era: Era,
  method: string,
  params: JsonObject,
  { mcpReq }: ServerContext
): { readonly request: Gateway.Request; readonly told: () => boolean } => {
  let told = false
  const envelope: JsonObject = mcpReq.envelope ?? {}
  const capabilities = envelope["io.modelcontextprotocol/clientCapabilities"] ?? server.getClientCapabilities()
  const requestState = mcpReq.requestState()
  const { inputResponses } = mcpReq
  const request: Gateway.Request = {
    client,
    method,
    // What the SDK has taken out of a request that is made again.
    params: {
      ...params,
      ...(inputResponses === undefined ? undefined : { inputResponses }),
      ...(requestState === undefined ? undefined : { requestState })
    },
    capabilities: isObject(capabilities) ? capabilities : {},
    logLevel: envelope["io.modelcontextprotocol/logLevel"],
    notify: (method, params) => {
      told = true
      mcpReq.notify({ method, params }).catch(ignored)
    },
    ask: era === "modern" ? undefined : (method, params) => asked(mcpReq, method, params)
  }
  return { request, told: () => told }
}

/** A person answers in their own time: no question ends by a timer of its own. */
const noTimeout = 2 ** 31 - 1

const asked = (mcpReq: ServerContext["mcpReq"], method: string, params: JsonObject | undefined) =>
  Effect.tryPromise({
    try: (signal) =>
      mcpReq.send({ method, ...(params === undefined ? undefined : { params: { ...params } }) }, anything, {
        signal,
        timeout: noTimeout
      }),
    catch: (error): ErrorObject => {
      if (!(error instanceof ProtocolError)) return { code: ErrorCode.InternalError, message: String(error) }
      const { code, data, message } = error
      return { code, message, ...(data === undefined ? undefined : { data }) }
    }
  })

/** Takes every result as it is: what the client answers is the server's to judge. */
const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "harness9", validate: (value) => ({ value }) }
}

/** Nothing is validated here; the SDK would make a validator for each client. */
const noValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not validated" })
}

/** Structured content of a kind that older clients do not know is wrapped as the SDK's own servers do it. */
const shaped = (server: Server, { isModern, outputSchema, result }: Answer.Answer): Result =>
  isModern && isToolResult(result)
    ? server.projectCallToolResult(result, outputSchema && { ...outputSchema })
    : { ...result }

const isToolResult = (result: JsonObject): result is JsonObject & CallToolResult =>
  result.structuredContent !== undefined && Array.isArray(result.content)

const failure = (cause: Cause.Cause<ErrorObject>): Error => {
  const error = Cause.failureOption(cause)
  return error._tag === "Some"
    ? new ProtocolError(error.value.code, error.value.message, error.value.data)
    : new ProtocolError(
        ErrorCode.InternalError,
        Cause.isInterrupted(cause) ? "the request was given up" : "internal error"
      )
}

/** A connection that is gone is told by its end. */
const ignored = () => {}
