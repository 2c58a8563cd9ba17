/**
 * What others may try, and what comes of it: a clear error, and nothing handed over.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Client, Credentials } from "../../../src/mcp/auth/Credentials.ts"
import * as LoginPrompt from "../../../src/mcp/auth/LoginPrompt.ts"
import * as TokenStore from "../../../src/mcp/auth/TokenStore.ts"
import * as McpAuth from "../../../src/mcp/McpAuth.ts"
import type { McpError } from "../../../src/mcp/McpError.ts"
import * as ServerConfig from "../../../src/mcp/ServerConfig.ts"
import { json, serve } from "../httpServer.ts"
import { fakeServer } from "./fakeServer.ts"
import { authLayer, connect, folder, logged, person } from "./harness.ts"

const withStore = Layer.provideMerge(
  McpAuth.layer,
  Layer.mergeAll(TokenStore.layerMemory, person().layer, LoginPrompt.layerLog)
)

const login = (config: ServerConfig.ServerConfig) => Effect.flatMap(McpAuth.McpAuth, (auth) => auth.login(config))

/** The error of a login that must fail, and what was asked of the browser. */
const refusedLogin = (url: string, oauth?: ServerConfig.OAuth) => {
  const someone = person()
  return login(ServerConfig.http("it", { url, oauth })).pipe(
    Effect.flip,
    Effect.provide(authLayer(someone)),
    Effect.map((error: McpError) => ({ error, opened: someone.opened }))
  )
}

describe("a mix-up of authorization servers", () => {
  it.scopedLive.each<readonly [string, { readonly iss: string | undefined }, string]>([
    ["another issuer", { iss: "https://evil.example" }, "another authorization server"],
    ["an issuer that is the same but for a slash", { iss: "ORIGIN/" }, "another authorization server"],
    ["no issuer where one was promised", { iss: undefined }, "did not say that the answer is its own"]
  ])("by an answer with %s sends the code nowhere", ([, answer, message]) =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ answer })
      const { error } = yield* refusedLogin(server.url)
      expect(error).toMatchObject({ phase: "auth", kind: "protocol" })
      expect(error.message).toContain(message)
      expect(server.at("/token")).toEqual([])
    })
  )

  it.scopedLive("by an error of somebody else's is not shown", () =>
    Effect.gen(function* () {
      const answer = { iss: "https://evil.example", error: "access_denied", error_description: "call 555-1234" }
      const { error } = yield* refusedLogin((yield* fakeServer({ answer })).url)
      expect(error.message).toContain("another authorization server")
      expect(error.message).not.toContain("555")
    })
  )

  it.scopedLive("by metadata that names another issuer ends before the browser", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { issuer: "https://honest.example" } })
      const { error, opened } = yield* refusedLogin(server.url)
      expect(error.message).toContain("names another issuer, https://honest.example")
      expect(opened).toEqual([])
    })
  )
})

describe("an answer of the browser", () => {
  it.scopedLive.each([
    ["with another state", "somebody-elses"],
    ["without a state", undefined]
  ])("%s is not used", ([, state]) =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ answer: { state } })
      const { error } = yield* refusedLogin(server.url)
      expect(error.message).toContain("is not to this login (state)")
      expect(server.at("/token")).toEqual([])
    })
  )

  it.scopedLive("that is pasted must be to this login, too", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      const prompt = Layer.succeed(LoginPrompt.LoginPrompt, {
        waiting: () => Effect.void,
        pasted: ({ redirectUri }) => Effect.succeed(`${redirectUri}?code=other&state=other&iss=${server.origin}`)
      })
      const someone = person(() => Promise.resolve(0))
      const error = yield* Effect.flip(login(ServerConfig.http("it", { url: server.url }))).pipe(
        Effect.provide(authLayer(someone, TokenStore.layerMemory, prompt))
      )
      expect(error.message).toContain("is not to this login (state)")
      expect(server.at("/token")).toEqual([])
    })
  )

  it.scopedLive("that says no says why", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({
        answer: { code: undefined, error: "access_denied", error_description: "not you" }
      })
      const { error } = yield* refusedLogin(server.url)
      expect(error).toMatchObject({ kind: "needs-auth" })
      expect(error.message).toContain("did not let you in: access_denied: not you")
    })
  )
})

describe("a server", () => {
  it.scopedLive("that describes another resource gets no login", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ resource: { resource: "https://honest.example/mcp" } })
      const { error, opened } = yield* refusedLogin(server.url)
      expect(error.message).toContain("is about another resource, https://honest.example/mcp")
      expect(opened).toEqual([])
    })
  )

  it.scopedLive.each([
    ["http://as.example.com", "plain http is allowed on this machine alone"],
    ["file:///etc/passwd", "must begin with https://, not file:"],
    ["https://user:pass@as.example.com", "a password in it"]
  ])("that names the authorization server %s is not followed", ([address, message]) =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ resource: { authorization_servers: [address] } })
      const { error } = yield* refusedLogin(server.url)
      expect(error.message).toContain(message)
      expect(error.message).not.toContain("pass@")
    })
  )

  it.scopedLive.each(["token_endpoint", "registration_endpoint", "authorization_endpoint", "revocation_endpoint"])(
    "whose authorization server has its %s on plain http elsewhere gets no login",
    (name) =>
      Effect.gen(function* () {
        const server = yield* fakeServer({ metadata: { [name]: "http://collector.example/x" } })
        const { error, opened } = yield* refusedLogin(server.url)
        expect(error.message).toContain(
          `the ${name.replace("_", " ")} is at http://collector.example/x, and plain http`
        )
        expect(opened).toEqual([])
      })
  )

  it.scopedLive("whose login page is no web page opens nothing", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { authorization_endpoint: "javascript:alert(1)" } })
      const { error, opened } = yield* refusedLogin(server.url)
      expect(error.message).toContain("must begin with https://, not javascript:")
      expect(opened).toEqual([])
    })
  )

  it.scopedLive("whose metadata is named on plain http elsewhere is not asked for it", () =>
    Effect.gen(function* () {
      const challenge = 'Bearer resource_metadata="http://metadata.example.com/prm"'
      const { error } = yield* refusedLogin((yield* fakeServer({ challenge })).url)
      expect(error.message).toContain(
        "http://metadata.example.com/prm, and plain http is allowed on this machine alone"
      )
    })
  )

  it.scopedLive("on plain http elsewhere gets no login", () =>
    Effect.gen(function* () {
      const auth = yield* McpAuth.McpAuth
      const config = ServerConfig.http("it", { url: "http://10.0.0.1/mcp" })
      const error = yield* Effect.flip(
        auth.login(config, { challenge: 'Bearer resource_metadata="https://10.0.0.1/x"' })
      )
      expect(error.message).toContain(
        "the server is at http://10.0.0.1/mcp, and plain http is allowed on this machine alone"
      )
    }).pipe(Effect.provide(authLayer(person())))
  )

  it.scopedLive("whose metadata has moved to another origin is not followed there", () =>
    Effect.gen(function* () {
      const elsewhere = yield* serve((_, response) => json(response, 200, {}))
      const mover = yield* serve((_, response) => {
        response.writeHead(307, { location: `${elsewhere.origin}/prm` }).end()
      })
      const challenge = `Bearer resource_metadata="${mover.origin}/prm"`
      const { error } = yield* refusedLogin((yield* fakeServer({ challenge })).url)
      expect(error.message).toContain(`the protected resource metadata: ${mover.origin}/prm`)
      expect(error.message).toContain("redirects to another origin")
      expect(elsewhere.got).toEqual([])
    })
  )

  it.scopedLive("whose authorization server does not protect codes gets none", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { code_challenge_methods_supported: ["plain"] } })
      const { error, opened } = yield* refusedLogin(server.url)
      expect(error.message).toContain("PKCE with S256")
      expect(opened).toEqual([])
    })
  )

  it.scopedLive("that turns to another authorization server gets no configured client there", () =>
    Effect.gen(function* () {
      const old = yield* fakeServer()
      const authorizationServers = [old.origin]
      const server = yield* fakeServer({ resource: { authorization_servers: authorizationServers } })
      const other = yield* fakeServer()
      const config = ServerConfig.http("it", {
        url: server.url,
        oauth: { grant: "authorization_code", clientId: "mine", clientSecret: { _tag: "text", text: "s3cr3t-value" } }
      })
      yield* Effect.gen(function* () {
        yield* login(config)
        authorizationServers[0] = other.origin
        const error = yield* Effect.flip(login(config))
        expect(error.message).toContain("the configured client belongs to")
        expect(other.at("/token")).toEqual([])
        expect(other.at("/authorize")).toEqual([])
      }).pipe(Effect.provide(authLayer(person())))
    })
  )
})

describe("credentials", () => {
  it.scopedLive("do not follow a redirect of the token endpoint to another origin", () =>
    Effect.gen(function* () {
      const thief = yield* serve((_, response) => json(response, 200, {}))
      const server = yield* fakeServer({
        token: (_, response) => void response.writeHead(307, { location: `${thief.origin}/token` }).end()
      })
      const { error } = yield* refusedLogin(server.url)
      expect(error.message).toContain("redirects to another origin")
      expect(thief.got).toEqual([])
    })
  )

  it.scopedLive("do not follow a redirect of the server to another origin", () =>
    Effect.gen(function* () {
      const thief = yield* serve((_, response) => json(response, 200, {}))
      const server = yield* fakeServer({
        mcp: (_, response) => void response.writeHead(307, { location: `${thief.origin}/mcp` }).end()
      })
      const error = yield* Effect.flip(connect(ServerConfig.http("it", { url: server.url }), true)).pipe(
        Effect.provide(authLayer(person()))
      )
      expect(error.message).toContain("redirects to another origin")
      expect(thief.got).toEqual([])
    })
  )

  it.scopedLive("of one address never go to another, whatever file they lie in", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const [first, second] = [yield* fakeServer(), yield* fakeServer()]
      const store = TokenStore.layerFile({ directory })
      yield* Effect.gen(function* () {
        yield* login(ServerConfig.http("it", { url: first.url }))
        const error = yield* Effect.flip(connect(ServerConfig.http("it", { url: second.url })))
        expect(error).toMatchObject({ kind: "needs-auth" })
        expect(second.got.map(({ headers }) => headers.authorization)).toEqual([undefined])
        const auth = yield* McpAuth.McpAuth
        const { headers } = yield* auth.forServer(ServerConfig.http("it", { url: first.url }))
        expect(yield* headers({ method: "POST", url: new URL(second.url) })).toEqual({})
      }).pipe(Effect.provide(authLayer(person(), store)))
    })
  )

  it.scopedLive("that an authorization server repeats in its error are masked", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({
        token: ({ body }, response) =>
          json(response, 400, { error: "invalid_grant", error_description: `bad: ${body}` })
      })
      const { error } = yield* refusedLogin(server.url)
      const [sent] = server.at("/token")
      const parameters = new URLSearchParams(sent?.body)
      expect(error.message).toContain("the token request was refused by")
      expect(error.message).toContain("invalid_grant: bad: ")
      for (const name of ["code", "code_verifier"]) {
        expect(parameters.get(name)?.length).toBeGreaterThan(8)
        expect(error.message).not.toContain(parameters.get(name))
      }
    })
  )

  it.scopedLive("of an authorization server that the server no longer names are not renewed there", () =>
    Effect.gen(function* () {
      const old = yield* fakeServer()
      const server = yield* fakeServer()
      const issuedAt = 0
      yield* Effect.gen(function* () {
        const store = yield* TokenStore.TokenStore
        yield* store.save(
          new Credentials({
            server: server.url,
            issuer: old.origin,
            resource: server.url,
            client: new Client({ clientId: "c", method: "none", origin: "registered" }),
            accessToken: "old-token",
            tokenType: "Bearer",
            issuedAt,
            expiresAt: 1,
            refreshToken: "old-refresh-token",
            scopes: [],
            requested: [],
            missing: []
          })
        )
        const error = yield* Effect.flip(connect(ServerConfig.http("it", { url: server.url })))
        expect(error).toMatchObject({ kind: "needs-auth" })
        expect(error.message).toContain("has moved from the authorization server")
        expect(old.at("/token")).toEqual([])
        expect(server.at("/token")).toEqual([])
      }).pipe(Effect.provide(Layer.merge(withStore, logged([]))))
    })
  )
})
