/**
 * The requests of a login: small, bounded in size and time, never with the headers of the server's entry, and only to addresses
 * that the server may lead to.
 */
import type { IncomingHttpHeaders } from "node:http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpCoding from "../internal/http/HttpCoding.ts"
import * as HttpConnection from "../internal/http/HttpConnection.ts"
import * as HttpFields from "../internal/http/HttpFields.ts"
import { version } from "../internal/version.ts"
import type { McpError } from "../McpError.ts"
import * as AuthError from "./AuthError.ts"
import * as SafeUrl from "./SafeUrl.ts"

const timeout = Duration.seconds(30)
const maxBytes = 1024 * 1024

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Request {
  /** What the request is for, as a noun: `the token request`. */
  readonly step: string
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers?: HttpFields.Fields | undefined
  readonly body?: string | undefined
  /** Only the head of the answer is wanted: the body may have no end. */
  readonly headOnly?: boolean | undefined
}

export interface AuthHttp {
  readonly server: string
  /** How near the MCP server is. */
  readonly zone: SafeUrl.Zone
  readonly send: (request: Request) => Effect.Effect<Answer, McpError>
  /** Fails when an address that a server named is none to go to. */
  readonly check: (what: string, url: string) => Effect.Effect<void, McpError>
}

export const make: (options: {
  readonly server: string
  readonly url: string
  readonly ca?: string | undefined
}) => Effect.Effect<AuthHttp> = Effect.fnUntraced(function* ({ ca, server, url: serverUrl }) {
  const url = URL.canParse(serverUrl) ? new URL(serverUrl) : undefined
  const zone = url === undefined ? "public" : yield* SafeUrl.resolvedZone(url)
  const lookup = SafeUrl.guardedLookup(zone, url?.hostname ?? "")

  const check: AuthHttp["check"] = (what, url) => {
    const fault = SafeUrl.fault(url, zone)
    return fault === undefined
      ? Effect.void
      : Effect.fail(AuthError.refuse(server, `${what} is at ${AuthError.place(url)}, and ${fault}`))
  }

  const send: AuthHttp["send"] = (request) =>
    exchange({ server, ca, lookup }, request).pipe(
      Effect.timeoutFail({
        duration: timeout,
        onTimeout: () =>
          AuthError.make(
            server,
            "timeout",
            `${request.step}: ${AuthError.place(request.url)} did not answer within ${Duration.format(timeout)}`
          )
      })
    )

  return {
    server,
    zone,
    check,
    send: (request) => Effect.zipRight(check(request.step, request.url), send(request))
  }
})

const exchange = (
  edge: Pick<HttpConnection.Options, "server" | "ca" | "lookup">,
  { body, headers, headOnly = false, method, step, url: address }: Request
): Effect.Effect<Answer, McpError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const url = new URL(address)
      const connection = yield* HttpConnection.make({ ...edge, url })
      return yield* Effect.async<Answer, McpError>((resume) => {
        const fail = (error: McpError) => resume(Effect.fail(error))
        const sent = connection.send(
          {
            method,
            url,
            phase: "auth",
            headers: HttpFields.join(
              {
                accept: "application/json",
                "accept-encoding": HttpCoding.accepted,
                "user-agent": `harness9/${version}`
              },
              headers
            ),
            body
          },
          {
            onHead: ({ headers, status }) => {
              if (headOnly) {
                sent.abort()
                resume(Effect.succeed({ status, headers, body: "" }))
              }
              const chunks: Array<Uint8Array> = []
              let size = 0
              return {
                onData: (chunk) => {
                  size += chunk.length
                  chunks.push(chunk)
                  if (size <= maxBytes) return
                  sent.abort()
                  fail(AuthError.make(edge.server, "too-large", "the answer is too long"))
                },
                onEnd: () => resume(Effect.succeed({ status, headers, body: Buffer.concat(chunks).toString("utf8") }))
              }
            },
            onFailure: fail
          }
        )
        return Effect.sync(sent.abort)
      })
    })
  ).pipe(
    Effect.mapError(({ hint, kind, message }) =>
      AuthError.make(edge.server, kind, `${step} at ${AuthError.place(address)}: ${message}`, hint)
    )
  )
