import { readFileSync } from "node:fs"
import * as https from "node:https"
import * as net from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpTransport from "../../src/mcp/HttpTransport.ts"
import * as Http from "./httpServer.ts"

const connect = (url: string, options: Partial<HttpTransport.Options> = {}) =>
  HttpTransport.make({ server: "web", url, ...options })

const initialize = (url: string, options?: Partial<HttpTransport.Options>) =>
  Effect.flatMap(connect(url, options), (transport) =>
    transport.request("initialize", { protocolVersion: "2025-11-25" }, { phase: "handshake", silent: true })
  )

const answer = Http.mcp((got, response) => Http.json(response, 200, Http.result(got, {})))

/** Sets variables of the environment for as long as the Scope lasts. */
const environment = (variables: Readonly<Record<string, string | undefined>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
      assign(variables)
      return before
    }),
    (before) => Effect.sync(() => assign(before))
  )

const assign = (variables: Readonly<Record<string, string | undefined>>) => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

const tls = `${import.meta.dirname}/../fixtures/tls`

/** An https server whose certificate is of the test authority. */
const secure = Effect.gen(function* () {
  const server = https.createServer(
    { cert: readFileSync(`${tls}/server.pem`), key: readFileSync(`${tls}/server.key`) },
    (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk) => chunks.push(chunk))
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8")
        answer({ method: "POST", path: "/", headers: {}, body, message: JSON.parse(body) }, response)
      })
    }
  )
  return yield* listening(server)
})

const listening = (server: net.Server) =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as net.AddressInfo).port)))
    }),
    () => Effect.sync(() => server.close())
  )

describe("HttpTransport, addresses", () => {
  it.scopedLive("a URL that cannot be used is an error of the configuration", () =>
    Effect.gen(function* () {
      for (const url of ["not a url", "ftp://127.0.0.1/mcp"]) {
        expect(yield* Effect.flip(connect(url))).toMatchObject({ kind: "config", phase: "connect" })
      }
    })
  )

  it.scopedLive("user and password in the URL are basic authentication, and go no further", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(answer)
      yield* initialize(`http://me:p%40ss@127.0.0.1:${server.port}/mcp?key=1#part`)
      expect(server.got[0]).toMatchObject({
        path: "/mcp?key=1",
        headers: { authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}` }
      })
    })
  )

  it.scopedLive("a header that cannot be sent is told without its value", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(answer)
      const error = yield* Effect.flip(initialize(server.url, { headers: { "X-Key": "s3cr3t\nvalue" } }))
      expect(error).toMatchObject({ kind: "config", phase: "handshake" })
      expect(error.message).toContain("x-key")
      expect(JSON.stringify(error)).not.toContain("s3cr3t")
    })
  )

  it.scopedLive("a dead port says which", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(initialize("http://127.0.0.1:1/mcp"))).toMatchObject({
        kind: "network",
        phase: "handshake",
        message: "connect refused 127.0.0.1:1",
        hint: expect.stringContaining("running")
      })
    })
  )

  it.scopedLive("localhost is tried in both families", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve(answer)
      yield* initialize(`http://localhost:${server.port}/mcp`)
      expect(server.got).toHaveLength(1)
    })
  )

  it.scopedLive("a port that speaks something else says so", () =>
    Effect.gen(function* () {
      const port = yield* listening(net.createServer((socket) => socket.end("220 mail\r\n")))
      expect(yield* Effect.flip(initialize(`http://127.0.0.1:${port}/mcp`))).toMatchObject({
        kind: "network",
        message: expect.stringContaining("is not HTTP")
      })
      const plain = yield* Http.serve(answer)
      expect(yield* Effect.flip(initialize(`https://127.0.0.1:${plain.port}/mcp`))).toMatchObject({
        kind: "network",
        message: expect.stringContaining("no TLS")
      })
    })
  )
})

describe("HttpTransport, TLS", () => {
  it.scopedLive("a certificate of an unknown authority is refused, with what to do", () =>
    Effect.gen(function* () {
      const port = yield* secure
      expect(yield* Effect.flip(initialize(`https://localhost:${port}/mcp`))).toMatchObject({
        kind: "network",
        message: expect.stringMatching(/certificate of localhost:\d+ is not trusted/),
        hint: expect.stringContaining('"ca"')
      })
    })
  )

  it.scopedLive(
    "it is trusted with the entry's own authority, and with that of NODE_EXTRA_CA_CERTS beside another",
    () =>
      Effect.gen(function* () {
        const port = yield* secure
        const url = `https://localhost:${port}/mcp`
        yield* initialize(url, { ca: `${tls}/authority.pem` })
        yield* environment({ NODE_EXTRA_CA_CERTS: `${tls}/authority.pem` })
        yield* initialize(url, { ca: `${tls}/server.pem` })
      })
  )

  it.scopedLive("a CA file that is missing or holds no certificate is an error of the configuration", () =>
    Effect.gen(function* () {
      for (const ca of ["/no/such/file.pem", `${tls}/server.key`]) {
        const error = yield* Effect.flip(connect("https://localhost/mcp", { ca }))
        expect(error).toMatchObject({ kind: "config", message: expect.stringContaining(ca) })
      }
    })
  )
})

describe("HttpTransport, proxies", () => {
  const none = {
    http_proxy: undefined,
    HTTP_PROXY: undefined,
    https_proxy: undefined,
    HTTPS_PROXY: undefined,
    all_proxy: undefined,
    ALL_PROXY: undefined,
    no_proxy: undefined,
    NO_PROXY: undefined
  }

  it.scopedLive("a server on this machine is reached directly, whatever the environment says", () =>
    Effect.gen(function* () {
      yield* environment({ ...none, HTTP_PROXY: "http://127.0.0.1:1" })
      const server = yield* Http.serve(answer)
      yield* initialize(server.url)
      yield* initialize(`http://localhost:${server.port}/mcp`)
    })
  )

  it.scopedLive("a server elsewhere is reached through the proxy, with the proxy's credentials", () =>
    Effect.gen(function* () {
      const proxy = yield* Http.serve(answer)
      yield* environment({ ...none, http_proxy: `http://me:pass@127.0.0.1:${proxy.port}` })
      yield* initialize("http://mcp.example/mcp")
      expect(proxy.got[0]).toMatchObject({
        method: "POST",
        path: "http://mcp.example/mcp",
        headers: { host: "mcp.example", "proxy-authorization": `Basic ${Buffer.from("me:pass").toString("base64")}` }
      })
    })
  )

  it.scopedLive("a proxy that is down, or wants credentials, is named", () =>
    Effect.gen(function* () {
      yield* environment({ ...none, HTTP_PROXY: "127.0.0.1:1" })
      const down = yield* Effect.flip(initialize("http://mcp.example/mcp"))
      expect(down).toMatchObject({
        kind: "network",
        message: "connect refused 127.0.0.1:1 (through the proxy 127.0.0.1:1)"
      })

      const proxy = yield* Http.serve((_, response) => response.writeHead(407).end())
      yield* environment({ ...none, HTTP_PROXY: `http://127.0.0.1:${proxy.port}` })
      expect((yield* Effect.flip(initialize("http://mcp.example/mcp"))).message).toContain("407")
    })
  )

  it.scopedLive("https goes through a tunnel", () =>
    Effect.gen(function* () {
      const port = yield* secure
      const asked: Array<string> = []
      const proxyPort = yield* listening(
        net.createServer((client) => {
          client.once("data", (head) => {
            asked.push(head.toString("latin1").split("\r\n", 1).join())
            const target = net.connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"))
            client.on("error", () => target.destroy()).on("close", () => target.destroy())
            client
              .pipe(target)
              .on("error", () => client.destroy())
              .pipe(client)
          })
        })
      )
      yield* environment({ ...none, HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` })
      const error = yield* Effect.flip(initialize("https://mcp.example/mcp", { ca: `${tls}/authority.pem` }))
      expect(asked[0]).toBe("CONNECT mcp.example:443 HTTP/1.1")
      expect(error).toMatchObject({ message: expect.stringContaining("is for another host") })
    })
  )

  it.scopedLive("a variable that holds no proxy is an error of the configuration, without its value", () =>
    Effect.gen(function* () {
      yield* environment({ ...none, HTTPS_PROXY: "http://" })
      const error = yield* Effect.flip(connect("https://mcp.example/mcp"))
      expect(error).toMatchObject({ kind: "config", message: expect.stringContaining("HTTPS_PROXY") })
    })
  )
})

describe("HttpTransport, redirects", () => {
  it.scopedLive("a redirect within the origin that keeps the method is followed, with headers and body", () =>
    Effect.gen(function* () {
      const { origin } = yield* Http.fixture("redirect")
      const transport = yield* connect(`${origin}/mcp`, { headers: { Authorization: "Bearer t" } })
      yield* transport.request("initialize", { protocolVersion: "2025-11-25" })
      yield* transport.notify("notifications/initialized")
      expect(yield* transport.request("tools/call", { name: "ok" })).toEqual({
        content: [{ type: "text", text: "auth:Bearer t" }]
      })
    })
  )

  it.scopedLive("one to another origin is refused, and nothing at all is sent there", () =>
    Effect.gen(function* () {
      const { origin, said } = yield* Http.fixture("redirect")
      const other = `http://127.0.0.1:${/other (\d+)/.exec(said())?.[1]}`
      const error = yield* Effect.flip(initialize(`${origin}/away`, { headers: { "X-Api-Key": "s3cr3t" } }))
      expect(error).toMatchObject({ kind: "http", status: 307, hint: expect.stringContaining('"url"') })
      expect(error.message).toContain(`${other}/mcp`)
      const seen = yield* Effect.promise(() => fetch(`${other}/seen`).then((response) => response.json()))
      expect(seen).toEqual([])
    })
  )

  const refused: ReadonlyArray<readonly [string, object]> = [
    ["/moved", { status: 301, message: expect.stringContaining("does not keep a POST") }],
    ["/login", { status: 302, hint: expect.stringContaining("sign-in page") }],
    ["/loop", { status: 307, message: expect.stringContaining("in a circle") }]
  ]
  for (const [path, expected] of refused) {
    it.scopedLive(`${path} is refused with what to do`, () =>
      Effect.gen(function* () {
        const { origin } = yield* Http.fixture("redirect")
        expect(yield* Effect.flip(initialize(`${origin}${path}`))).toMatchObject({ kind: "http", ...expected })
      })
    )
  }

  it.scopedLive("a 301 to the same path with a slash says which URL to set", () =>
    Effect.gen(function* () {
      const server = yield* Http.serve((_, response) => response.writeHead(301, { location: "/mcp/" }).end())
      const error = yield* Effect.flip(initialize(server.url))
      expect(error).toMatchObject({ status: 301, hint: expect.stringContaining(`"url" to ${server.url}/`) })
      expect(server.got).toHaveLength(1)
    })
  )
})
