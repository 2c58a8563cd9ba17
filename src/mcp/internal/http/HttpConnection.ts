/**
 * The edge to HTTP: sends one message and tells what comes back in callbacks, bytes as they arrive. Above it is Effect.
 *
 * Keeps sockets alive, goes through the environment's proxy, trusts extra certificate authorities, follows the redirects
 * that are safe and undoes compression. It has no time limit of its own but on connecting: calls and idle streams may take as
 * long as they like, and the requests' deadlines end them.
 */
import { readFile } from "node:fs/promises"
import type { IncomingHttpHeaders } from "node:http"
import type { LookupFunction } from "node:net"
import * as tls from "node:tls"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Dispatcher } from "undici"
import { McpError, type Phase } from "../../McpError.ts"
import * as HttpCoding from "./HttpCoding.ts"
import * as HttpFailure from "./HttpFailure.ts"
import type * as HttpFields from "./HttpFields.ts"
import * as HttpProxy from "./HttpProxy.ts"
import * as HttpRedirect from "./HttpRedirect.ts"

const connectTimeoutMs = 30_000
/** How long a server may keep a reply open that is complete. */
const graceMs = 1_000

export interface Message {
  readonly method: "POST" | "GET" | "DELETE"
  readonly url: URL
  readonly headers: HttpFields.Fields
  readonly body?: string | undefined
  readonly phase: Phase
}

export interface Head {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** Reads the body of one reply. */
export interface Body {
  readonly onData: (chunk: Uint8Array) => void
  readonly onEnd: () => void
}

export interface Receiver {
  /** The reply begins; the reader of its body is given back. */
  readonly onHead: (head: Head) => Body
  /** There is no reply, or it broke off. Nothing comes after it. */
  readonly onFailure: (error: McpError) => void
  /** Asked after each piece of the body: for how many milliseconds the next should not be read. */
  readonly rest?: (() => number) | undefined
}

/** A message under way. */
export interface Exchange {
  /** Ends it at once; nothing more is told. */
  readonly abort: () => void
  /** All that matters has come: reads on to the end for the sake of the socket, but not for long. */
  readonly finish: () => void
}

export interface HttpConnection {
  readonly send: (message: Message, receiver: Receiver) => Exchange
}

export interface Options {
  readonly server: string
  readonly url: URL
  readonly ca?: string | undefined
  /** How names become addresses on a direct connection. Default: as the system does it. */
  readonly lookup?: LookupFunction | undefined
}

export const make: (options: Options) => Effect.Effect<HttpConnection, McpError, Scope.Scope> = Effect.fnUntraced(
  function* ({ ca, lookup, server, url }) {
    const authorities = ca === undefined ? undefined : yield* readAuthorities(server, ca)
    const proxy = HttpProxy.choose(url, process.env)
    if (proxy._tag === "Unusable") {
      return yield* new McpError({
        server,
        phase: "connect",
        kind: "config",
        message: `the environment variable ${proxy.variable} holds no usable proxy address`
      })
    }
    const dispatcher = yield* Effect.acquireRelease(
      // Loaded with the first HTTP server: a program without one does not pay for it. The default export is all that a bundle has of it.
      Effect.promise(() => import("undici")).pipe(
        Effect.map(({ default: undici }) => open(undici, url, proxy, authorities, lookup))
      ),
      (opened) => Effect.promise(() => opened.destroy())
    )
    const via = proxy._tag === "Proxy" ? proxy.url.host : undefined
    return { send: (message, receiver) => send(dispatcher, { server, proxy: via }, message, receiver, 0) }
  }
)

const open = (
  undici: typeof import("undici").default,
  url: URL,
  proxy: Exclude<HttpProxy.ProxyChoice, { _tag: "Unusable" }>,
  ca: Array<string> | undefined,
  lookup: LookupFunction | undefined
): Dispatcher => {
  const connect = { timeout: connectTimeoutMs, ...(ca === undefined ? undefined : { ca }) }
  if (proxy._tag === "Direct") {
    const resolve = lookup === undefined ? undefined : { lookup }
    return new undici.Agent({ connect: { ...connect, ...resolve }, autoSelectFamily: true })
  }
  const { password, username } = proxy.url
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")
  return new undici.ProxyAgent({
    uri: proxy.url.href,
    // Many proxies tunnel to 443 alone; plain http is asked of them as ever.
    proxyTunnel: url.protocol === "https:",
    requestTls: connect,
    proxyTls: connect,
    ...(username === "" ? undefined : { token: `Basic ${credentials}` })
  })
}

/** Naming authorities replaces the built-in ones and NODE_EXTRA_CA_CERTS, so all are named. */
const readAuthorities = Effect.fnUntraced(function* (server: string, path: string) {
  const own = yield* read(path).pipe(
    Effect.mapError(
      (cause) =>
        new McpError({ server, phase: "connect", kind: "config", message: `the CA file ${path} cannot be read`, cause })
    )
  )
  if (!own.includes("-----BEGIN CERTIFICATE-----")) {
    return yield* new McpError({
      server,
      phase: "connect",
      kind: "config",
      message: `the CA file ${path} holds no certificate in PEM form`
    })
  }
  const extraPath = process.env.NODE_EXTRA_CA_CERTS
  // Node itself warns of a file that it cannot read.
  const extra =
    extraPath === undefined || extraPath === "" ? "" : yield* Effect.orElseSucceed(read(extraPath), () => "")
  return extra === "" ? [...tls.rootCertificates, own] : [...tls.rootCertificates, extra, own]
})

const read = (path: string) => Effect.tryPromise(() => readFile(path, "utf8"))

const send = (
  dispatcher: Dispatcher,
  edge: Pick<HttpFailure.Where, "server" | "proxy">,
  message: Message,
  receiver: Receiver,
  hops: number
): Exchange => {
  const where = { ...edge, phase: message.phase, url: message.url }
  let over = false
  let abortSocket: (() => void) | undefined
  let body: HttpCoding.Decoder | undefined
  let redirected: Exchange | undefined
  let grace: NodeJS.Timeout | undefined
  let pause: NodeJS.Timeout | undefined

  const end = () => {
    over = true
    clearTimeout(grace)
    clearTimeout(pause)
  }
  const fail = (error: McpError) => {
    if (over) return
    end()
    receiver.onFailure(error)
  }
  const abort = () => {
    redirected?.abort()
    end()
    body?.destroy()
    abortSocket?.()
  }

  const readBody = (head: Head) => {
    if (HttpRedirect.isRedirect(head.status)) {
      const target = HttpRedirect.follow(where, head.status, head.headers, hops)
      if (target instanceof McpError) return fail(target)
      redirected = send(dispatcher, edge, { ...message, url: target }, receiver, hops + 1)
      return end()
    }
    const plain = receiver.onHead(head)
    const coding = head.headers["content-encoding"]
    body = HttpCoding.decode(coding, {
      onData: (chunk) => {
        if (!over) plain.onData(chunk)
      },
      onEnd: () => {
        if (over) return
        end()
        plain.onEnd()
      },
      onError: (error) => {
        fail(HttpFailure.ofSocket(where, error))
        abort()
      }
    })
    if (body === undefined) fail(HttpFailure.ofCoding(where, String(coding)))
  }

  dispatcher.dispatch(
    {
      origin: message.url.origin,
      path: message.url.pathname + message.url.search,
      method: message.method,
      headers: message.headers,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(message.body === undefined ? undefined : { body: message.body })
    },
    {
      onRequestStart: (controller) => {
        abortSocket = () => controller.abort(new Error("given up"))
        if (over) abortSocket()
      },
      onResponseStart: (_, status, headers) => {
        if (!over && status >= 200) readBody({ status, headers })
      },
      onResponseData: (controller, chunk) => {
        body?.onData(chunk)
        const rest = receiver.rest?.() ?? 0
        if (rest === 0 || over) return
        controller.pause()
        pause = setTimeout(() => controller.resume(), rest).unref()
      },
      onResponseEnd: () => {
        if (!over) body?.onEnd()
      },
      onResponseError: (_, error) => fail(HttpFailure.ofSocket(where, error))
    }
  )

  return {
    abort,
    finish: () => {
      if (redirected !== undefined) return redirected.finish()
      if (!over) grace ??= setTimeout(abort, graceMs).unref()
    }
  }
}
