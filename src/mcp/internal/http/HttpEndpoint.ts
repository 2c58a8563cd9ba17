/**
 * One address that MCP messages are sent to, with what every message to it carries: the entry's headers and the login.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { HttpAuth } from "../../HttpAuth.ts"
import { McpError, type Phase } from "../../McpError.ts"
import * as Redact from "../Redact.ts"
import { version } from "../version.ts"
import * as HttpBody from "./HttpBody.ts"
import * as HttpCoding from "./HttpCoding.ts"
import * as HttpConnection from "./HttpConnection.ts"
import * as HttpFailure from "./HttpFailure.ts"
import * as HttpFields from "./HttpFields.ts"

/** How long a server may take to accept a message that wants no reply. */
const acceptTimeout = Duration.seconds(30)
/** How long the end of a session may take. */
const goodbyeTimeout = Duration.seconds(1)
/** How often one message is sent again with a new login. */
const maxLogins = 3

export interface Options {
  /** The server's name, for errors. */
  readonly server: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A PEM file with extra certificate authorities. */
  readonly ca?: string | undefined
  readonly auth?: HttpAuth | undefined
  /** The most bytes of one message from the server. Default: 64 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** Messages that nobody asked for are read no faster; requests count tenfold. Default: 2,000. */
  readonly messagesPerSecond?: number | undefined
}

export interface Post {
  readonly url: URL
  readonly body: string
  /** The fields of this message beside those of the entry. */
  readonly fields: HttpFields.Fields
  readonly phase: Phase
  readonly session: boolean
}

export interface HttpEndpoint {
  readonly server: string
  readonly url: URL
  readonly maxBodyBytes: number
  readonly send: HttpConnection.HttpConnection["send"]
  /** All fields of a message: the entry's, the message's own (names in small letters), and those that make it MCP. */
  readonly fields: (method: "POST" | "GET" | "DELETE", own: HttpFields.Fields | undefined) => HttpFields.Fields
  /** The error of a refusal, once its body is there. */
  readonly refused: (
    phase: Phase,
    head: HttpConnection.Head,
    refusal: Pick<HttpFailure.Refusal, "body" | "id" | "session"> & { readonly own: HttpFields.Fields | undefined }
  ) => McpError
  /** Runs `attempt` with the login's fields, and again when they were refused and there are better ones. */
  readonly withLogin: <A>(
    method: "POST" | "GET" | "DELETE",
    attempt: (login: HttpFields.Fields | undefined) => Effect.Effect<A, McpError>
  ) => Effect.Effect<A, McpError>
  /** Sends a message whose reply does not come back here: any success is one, whatever comes with it. */
  readonly post: (message: Post) => Effect.Effect<void, McpError>
  /** The same, for a message that no deadline of a request bounds. */
  readonly deliver: (message: Post) => Effect.Effect<void, McpError>
  /** Tells the server that the session is over. Not every server cares, and none is waited for for long. */
  readonly endSession: (session: HttpFields.Fields) => Effect.Effect<void>
}

export const make: (options: Options) => Effect.Effect<HttpEndpoint, McpError, Scope.Scope> = Effect.fnUntraced(
  function* ({ auth, ca, headers, maxBodyBytes = 64 * 1024 * 1024, server, url: address }) {
    const url = yield* parse(server, address)
    const entry = HttpFields.join({ "user-agent": `harness9/${version}` }, userinfo(url), headers)
    url.username = ""
    url.password = ""
    url.hash = ""
    const send = observed(yield* HttpConnection.make({ server, url, ca }), auth)

    const fields: HttpEndpoint["fields"] = (method, own) => ({ ...entry, ...own, ...ofMethod[method] })

    const refused: HttpEndpoint["refused"] = (phase, { headers, status }, { body, id, own, session }) =>
      HttpFailure.ofReply({ server, phase, url }, { status, headers, body, id, session, sent: { ...entry, ...own } })

    const withLogin: HttpEndpoint["withLogin"] = (method, attempt) => {
      if (auth === undefined) return attempt(undefined)
      const tried = (logins: number): ReturnType<typeof attempt> =>
        Effect.flatMap(auth.headers({ method, url }), (sent) =>
          Effect.catchIf(
            Effect.mapError(attempt(sent), withoutValues(sent)),
            (error) => error.kind === "needs-auth" && logins < maxLogins,
            (error) =>
              auth
                .unauthorized({ status: error.status === 403 ? 403 : 401, wwwAuthenticate: error.challenge, url, sent })
                .pipe(Effect.flatMap((again) => (again ? tried(logins + 1) : Effect.fail(error))))
          )
        )
      return tried(0)
    }

    const post: HttpEndpoint["post"] = ({ body, fields: own, phase, session, url: to }) =>
      withLogin("POST", (login) =>
        Effect.async<void, McpError>((resume) => {
          const sent = HttpFields.join(own, login)
          const exchange = send(
            { method: "POST", url: to, headers: fields("POST", sent), body, phase },
            {
              onHead: (head) => {
                if (head.status < 200 || head.status >= 300) {
                  return HttpBody.refusal((text) => {
                    exchange.finish()
                    resume(Effect.fail(refused(phase, head, { body: text, id: undefined, session, own: sent })))
                  })
                }
                exchange.finish()
                resume(Effect.void)
                return HttpBody.ignore
              },
              onFailure: (error) => resume(Effect.fail(error))
            }
          )
          return Effect.sync(exchange.abort)
        })
      )

    const deliver: HttpEndpoint["deliver"] = (message) =>
      Effect.timeoutFail(post(message), {
        duration: acceptTimeout,
        onTimeout: () =>
          new McpError({
            server,
            phase: message.phase,
            kind: "timeout",
            message: `${message.url.host} did not accept a message within ${Duration.format(acceptTimeout)}`
          })
      })

    const endSession: HttpEndpoint["endSession"] = (session) =>
      (auth === undefined ? withoutLogin : auth.headers({ method: "DELETE", url })).pipe(
        Effect.flatMap((login) =>
          Effect.async<void, McpError>((resume) => {
            const done = () => resume(Effect.void)
            const exchange = send(
              { method: "DELETE", url, headers: fields("DELETE", HttpFields.join(session, login)), phase: "connect" },
              { onHead: () => ({ ...HttpBody.ignore, onEnd: done }), onFailure: done }
            )
            return Effect.sync(exchange.abort)
          })
        ),
        Effect.timeout(goodbyeTimeout),
        Effect.ignore,
        Effect.interruptible
      )

    return { server, url, maxBodyBytes, send, fields, refused, withLogin, post, deliver, endSession }
  }
)

/** A server that repeats its login in an error does not make it public. */
const withoutValues = (login: HttpFields.Fields): ((error: McpError) => McpError) => {
  const values = Object.values(login)
  return Redact.redaction([...values, ...values.flatMap((value) => value.split(" ").slice(1))]).error
}

/** The login sees the head of every reply. */
const observed = ({ send }: HttpConnection.HttpConnection, auth: HttpAuth | undefined): HttpEndpoint["send"] => {
  const replied = auth?.replied
  if (replied === undefined) return send
  return (message, receiver) =>
    send(message, {
      ...receiver,
      onHead: (head) => {
        replied({ url: message.url, ...head })
        return receiver.onHead(head)
      }
    })
}

const ofMethod: Readonly<Record<"POST" | "GET" | "DELETE", HttpFields.Fields>> = {
  POST: {
    accept: "application/json, text/event-stream",
    "accept-encoding": HttpCoding.accepted,
    "content-type": "application/json"
  },
  // Packed by a careless proxy, an event may wait for the next one.
  GET: { accept: "text/event-stream", "accept-encoding": "identity", "cache-control": "no-cache" },
  DELETE: {}
}

const withoutLogin: Effect.Effect<HttpFields.Fields, McpError> = Effect.succeed({})

const parse = (server: string, address: string): Effect.Effect<URL, McpError> => {
  const unusable = (message: string) => Effect.fail(new McpError({ server, phase: "connect", kind: "config", message }))
  if (!URL.canParse(address)) return unusable("the URL cannot be read")
  const url = new URL(address)
  return url.protocol === "http:" || url.protocol === "https:"
    ? Effect.succeed(url)
    : unusable(`the URL begins with ${url.protocol} where http: or https: belongs`)
}

/** `https://user:password@host` means basic authentication. */
const userinfo = ({ password, username }: URL): HttpFields.Fields | undefined => {
  if (username === "") return undefined
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }
}
