/**
 * The ways to a token, and which is taken when.
 */
import { generateKeyPairSync } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TokenStore from "../../../src/mcp/auth/TokenStore.ts"
import * as McpAuth from "../../../src/mcp/McpAuth.ts"
import * as ServerConfig from "../../../src/mcp/ServerConfig.ts"
import { type Got, json } from "../httpServer.ts"
import { type Options as FakeOptions, fakeServer } from "./fakeServer.ts"
import { authLayer, connect, folder, person } from "./harness.ts"

const text = (value: string): ServerConfig.Credential => ({ _tag: "text", text: value })

const form = (got: Got | undefined) => Object.fromEntries(new URLSearchParams(got?.body))

const login = (url: string, oauth?: ServerConfig.OAuth, options?: McpAuth.LoginOptions) =>
  Effect.flatMap(McpAuth.McpAuth, (auth) => auth.login(ServerConfig.http("it", { url, oauth }), options))

const loggedIn = (url: string, oauth?: ServerConfig.OAuth, layer: Layer.Layer<McpAuth.McpAuth> = authLayer(person())) =>
  Effect.provide(login(url, oauth), layer)

const browserGrant = { grant: "authorization_code" } as const
const clientMetadataUrl = "https://harness9.example/client.json"

describe("a client", () => {
  it.scopedLive("that is configured comes before all others", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { client_id_metadata_document_supported: true } })
      yield* loggedIn(server.url, { ...browserGrant, clientId: "mine", clientMetadataUrl })
      expect(form(server.at("/token")[0])).toMatchObject({ client_id: "mine" })
      expect(server.at("/register")).toEqual([])
    })
  )

  it.scopedLive("of a metadata document comes next, where such are read", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { client_id_metadata_document_supported: true } })
      yield* loggedIn(server.url, { ...browserGrant, clientMetadataUrl })
      expect(form(server.at("/token")[0])).toMatchObject({ client_id: clientMetadataUrl })
      const other = yield* fakeServer()
      yield* loggedIn(other.url, { ...browserGrant, clientMetadataUrl })
      expect(form(other.at("/token")[0])).toMatchObject({ client_id: "the-client" })
    })
  )

  it.scopedLive("registers itself as a native program, and is that client the next time", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const server = yield* fakeServer()
      const layer = authLayer(person(), TokenStore.layerFile({ directory }))
      yield* loggedIn(server.url, undefined, layer)
      yield* loggedIn(server.url, undefined, layer)
      expect(server.at("/register").map(({ body }) => JSON.parse(body))).toEqual([
        {
          client_name: "harness9",
          application_type: "native",
          redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          token_endpoint_auth_method: "none"
        }
      ])
      const redirects = server.at("/token").map((got) => form(got).redirect_uri)
      expect(redirects[0]).toBe(redirects[1])
    })
  )

  it.scopedLive("that a login failed with registers anew", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      let denies = false
      const server = yield* fakeServer({
        token: (_, response) =>
          denies
            ? json(response, 401, { error: "invalid_client" })
            : json(response, 200, { access_token: "the-token-123", token_type: "bearer" })
      })
      const layer = authLayer(person(), TokenStore.layerFile({ directory }))
      yield* loggedIn(server.url, undefined, layer)
      denies = true
      yield* Effect.flip(loggedIn(server.url, undefined, layer))
      denies = false
      yield* loggedIn(server.url, undefined, layer)
      expect(server.at("/register").length).toBe(2)
    })
  )

  it.scopedLive("that a login was cancelled with registers anew: its page may have said that it is not known", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const server = yield* fakeServer()
      const store = TokenStore.layerFile({ directory })
      yield* loggedIn(server.url, undefined, authLayer(person(), store))
      const shown = yield* Deferred.make<void>()
      const nobody = person(async () => {
        Deferred.unsafeDone(shown, Effect.void)
        return 0
      })
      const fiber = yield* Effect.fork(loggedIn(server.url, undefined, authLayer(nobody, store)))
      yield* Deferred.await(shown)
      yield* Fiber.interrupt(fiber)
      yield* loggedIn(server.url, undefined, authLayer(person(), store))
      expect(server.at("/register").length).toBe(2)
    })
  )

  it.scopedLive("that is not known any more when a login is renewed registers anew", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({
        token: ({ body }, response) =>
          body.includes("grant_type=refresh_token")
            ? json(response, 401, { error: "invalid_client" })
            : json(response, 200, {
                access_token: "the-token",
                token_type: "bearer",
                refresh_token: "the-refresh-token"
              }),
        mcp: (_, response) => json(response, 401, {})
      })
      yield* Effect.gen(function* () {
        const config = ServerConfig.http("it", { url: server.url })
        const auth = yield* McpAuth.McpAuth
        yield* auth.login(config)
        const { unauthorized } = yield* auth.forServer(ServerConfig.http("other", { url: server.url }))
        const refused = { status: 401, wwwAuthenticate: "Bearer", url: new URL(server.url) } as const
        const error = yield* Effect.flip(unauthorized({ ...refused, sent: { authorization: "Bearer the-token" } }))
        expect(error).toMatchObject({ kind: "needs-auth" })
        expect(error.message).toContain("the login has ended: the renewal of the login was refused by")
        yield* auth.login(config)
        expect(server.at("/register").length).toBe(2)
      }).pipe(Effect.provide(authLayer(person())))
    })
  )

  it.scopedLive("that nobody knows and that cannot register is asked for", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { registration_endpoint: undefined } })
      const error = yield* Effect.flip(loggedIn(server.url))
      expect(error).toMatchObject({ kind: "config", phase: "auth" })
      expect(error.hint).toContain('"oauth": { "clientId"')
    })
  )

  it.scopedLive.each<readonly [ReadonlyArray<string> | undefined, object, object]>([
    [["client_secret_basic"], { authorization: `Basic ${btoa("my%20id:s3%3Acr3t")}` }, {}],
    [["client_secret_post"], {}, { client_id: "my id", client_secret: "s3:cr3t" }],
    [undefined, { authorization: `Basic ${btoa("my%20id:s3%3Acr3t")}` }, {}]
  ])("with a secret proves itself as %j wants it", ([methods, headers, parameters]) =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { token_endpoint_auth_methods_supported: methods } })
      yield* loggedIn(server.url, { ...browserGrant, clientId: "my id", clientSecret: text("s3:cr3t") })
      const [got] = server.at("/token")
      expect(got?.headers).toMatchObject(headers)
      expect(form(got)).toMatchObject(parameters)
    })
  )
})

describe("a login", () => {
  it.scopedLive("names the server in both requests, and sends the code with what proves it", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ resource: { scopes_supported: ["a", "b"] } })
      const someone = person()
      yield* loggedIn(server.url, undefined, authLayer(someone))
      const [page] = someone.opened
      expect(page?.searchParams.get("resource")).toBe(server.url)
      expect(page?.searchParams.get("scope")).toBe("a b")
      expect(page?.searchParams.get("code_challenge_method")).toBe("S256")
      expect(form(server.at("/token")[0])).toMatchObject({
        grant_type: "authorization_code",
        code: "the-code-123",
        resource: server.url
      })
    })
  )

  it.scopedLive.each<readonly [string, FakeOptions, ReadonlyArray<string> | undefined, string | null]>([
    ["those of the refusal", { challenge: 'Bearer scope="c"', resource: { scopes_supported: ["a"] } }, undefined, "c"],
    ["those of the metadata", { resource: { scopes_supported: ["a", "b"] } }, undefined, "a b"],
    ["none where none are named", {}, undefined, null],
    ["those of the entry and of the refusal", { challenge: 'Bearer scope="c"' }, ["x"], "x c"],
    [
      "a lasting login where there is one",
      { metadata: { scopes_supported: ["offline_access"] } },
      ["x"],
      "x offline_access"
    ]
  ])("asks for %s", ([, options, scopes, expected]) =>
    Effect.gen(function* () {
      const someone = person()
      const server = yield* fakeServer(options)
      yield* loggedIn(server.url, { ...browserGrant, scopes }, authLayer(someone))
      expect(someone.opened[0]?.searchParams.get("scope")).toBe(expected)
    })
  )

  it.scopedLive("at a server of 2025-03-26 uses the paths of that revision", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ resource: false, metadata: false })
      const result = yield* loggedIn(server.url)
      expect(result.issuer).toBe(server.origin)
      expect(form(server.at("/token")[0])).toMatchObject({ resource: server.url })
    })
  )

  it.scopedLive("that nobody answers ends in time, and its listener with it", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      const someone = person(() => Promise.resolve(0))
      const error = yield* login(server.url, undefined, { timeout: Duration.millis(100) }).pipe(
        Effect.flip,
        Effect.provide(authLayer(someone))
      )
      expect(error).toMatchObject({ phase: "auth", kind: "timeout" })
      const back = someone.opened[0]?.searchParams.get("redirect_uri") ?? ""
      expect(yield* Effect.exit(Effect.tryPromise(() => fetch(back)))).toMatchObject({ _tag: "Failure" })
    })
  )

  it.scopedLive.each([
    ["token_endpoint", "the token request"],
    ["registration_endpoint", "the client registration"]
  ] as const)("whose %s cannot be reached is told by its step and its address", ([name, step]) =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { [name]: "http://127.0.0.1:1/here" } })
      const error = yield* Effect.flip(loggedIn(server.url))
      expect(error).toMatchObject({ phase: "auth", kind: "network" })
      expect(error.message).toBe(`${step} at http://127.0.0.1:1/here: connect refused 127.0.0.1:1`)
    })
  )

  it.scopedLive("that is cancelled leaves nothing behind", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      let opened: (page: URL) => void = () => undefined
      const page = new Promise<URL>((resolve) => {
        opened = resolve
      })
      const someone = person(async (url) => {
        opened(url)
        return 0
      })
      const fiber = yield* Effect.fork(Effect.provide(login(server.url), authLayer(someone)))
      const back = (yield* Effect.promise(() => page)).searchParams.get("redirect_uri") ?? ""
      yield* Fiber.interrupt(fiber)
      expect(yield* Effect.exit(Effect.tryPromise(() => fetch(back)))).toMatchObject({ _tag: "Failure" })
    })
  )

  it.scopedLive("that the server does not accept is not made again", () =>
    Effect.gen(function* () {
      const someone = person()
      const server = yield* fakeServer({ mcp: (_, response) => json(response, 401, {}) })
      const error = yield* Effect.flip(connect(ServerConfig.http("it", { url: server.url }), true)).pipe(
        Effect.provide(authLayer(someone))
      )
      expect(error).toMatchObject({ kind: "needs-auth" })
      expect(error.message).toContain("does not accept the token that was just issued for it")
      expect(someone.opened.length).toBe(1)
    })
  )

  it.scopedLive("is widened no more than twice for the same scopes", () =>
    Effect.gen(function* () {
      const someone = person()
      const challenge = 'Bearer error="insufficient_scope", scope="all"'
      const server = yield* fakeServer({
        mcp: (_, response) => json(response, 403, {}, { "www-authenticate": challenge })
      })
      yield* Effect.gen(function* () {
        const config = ServerConfig.http("it", { url: server.url })
        yield* Effect.flip(connect(config, true))
        yield* Effect.flip(connect(config, true))
      }).pipe(Effect.provide(authLayer(someone)))
      expect(someone.opened.length).toBe(3)
    })
  )

  it.scopedLive("for a program, or for a server with credentials in its entry, is none", () =>
    Effect.gen(function* () {
      const auth = yield* McpAuth.McpAuth
      const program = ServerConfig.stdio("it", { command: "node" })
      const fixed = ServerConfig.http("it", { url: "https://example.com", headers: { authorization: "Bearer abc" } })
      expect(yield* Effect.flip(auth.login(program))).toMatchObject({ kind: "config" })
      expect(yield* auth.status(program)).toEqual({ _tag: "NotNeeded" })
      expect(yield* Effect.flip(auth.login(fixed))).toMatchObject({ kind: "config" })
      expect(yield* auth.status(fixed)).toEqual({ _tag: "Configured", by: "headers" })
    }).pipe(Effect.provide(authLayer(person())))
  )
})

describe("a screen", () => {
  it.scopedLive("is told who needs a login, who has one, and who has none any more", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      const auth = yield* McpAuth.McpAuth
      const seen = yield* Effect.fork(Stream.runCollect(Stream.take(auth.events, 3)))
      yield* Effect.yieldNow()
      const config = ServerConfig.http("it", { url: server.url })
      yield* Effect.flip(connect(config))
      yield* auth.login(config)
      yield* auth.logout(config)
      expect(Array.from(yield* Fiber.join(seen))).toMatchObject([
        { _tag: "LoginNeeded", server: "it", error: { kind: "needs-auth" } },
        { _tag: "LoggedIn", server: "it" },
        { _tag: "LoggedOut", server: "it" }
      ])
    }).pipe(Effect.provide(authLayer(person())))
  )
})

describe("a machine", () => {
  const accepts = (got: Got, response: Parameters<typeof json>[0]) =>
    json(response, 200, { jsonrpc: "2.0", id: got.message.id, result: {} })

  it.scopedLive("logs in by itself, with its secret, and again when its token ends", () =>
    Effect.gen(function* () {
      let good = 1
      let issued = 0
      const server = yield* fakeServer({
        metadata: { token_endpoint_auth_methods_supported: ["client_secret_basic"] },
        token: (_, response) =>
          json(response, 200, { access_token: `machine-token-${++issued}`, token_type: "Bearer" }),
        mcp: (got, response) =>
          got.headers.authorization === `Bearer machine-token-${good}`
            ? accepts(got, response)
            : json(response, 401, {})
      })
      const oauth = { grant: "client_credentials", clientId: "bot", clientSecret: text("s3cr3t") } as const
      yield* Effect.gen(function* () {
        const config = ServerConfig.http("it", { url: server.url, oauth: { ...oauth, scopes: ["x"] } })
        yield* connect(config)
        good = 2
        yield* connect(config)
      }).pipe(Effect.provide(authLayer(person())))
      expect(server.at("/token").map(form)).toEqual(
        [1, 2].map(() => ({ grant_type: "client_credentials", resource: server.url, scope: "x" }))
      )
    })
  )

  it.scopedLive.each([
    ["ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
    ["ES384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
    ["RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })]
  ] as const)("proves itself with what its %s key signs", ([algorithm, { privateKey }]) =>
    Effect.gen(function* () {
      const server = yield* fakeServer({ metadata: { token_endpoint_auth_methods_supported: ["private_key_jwt"] } })
      const path = join(yield* folder, "key.pem")
      yield* Effect.promise(() => writeFile(path, privateKey.export({ type: "pkcs8", format: "pem" })))
      yield* loggedIn(server.url, { grant: "client_credentials", clientId: "bot", privateKey: { _tag: "file", path } })
      const { client_assertion: assertion = "", client_assertion_type: type } = form(server.at("/token")[0])
      expect(type).toBe("urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
      const [header, payload] = assertion
        .split(".")
        .slice(0, 2)
        .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()))
      expect(header).toMatchObject({ alg: algorithm })
      expect(payload).toMatchObject({ iss: "bot", sub: "bot", aud: server.origin })
    })
  )

  it.scopedLive("with a key that is none is told so, without the key", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      const oauth = { grant: "client_credentials", clientId: "bot", privateKey: text("-----BEGIN s3cr3t") } as const
      const error = yield* Effect.flip(loggedIn(server.url, oauth))
      expect(error).toMatchObject({ kind: "config" })
      expect(error.message).toContain("the private key")
      expect(error.message).not.toContain("s3cr3t")
    })
  )

  it.scopedLive("whose platform's token is refused is told why, and tries nothing else", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer({
        token: ({ body }, response) => {
          const { assertion } = Object.fromEntries(new URLSearchParams(body))
          json(response, 400, { error: "invalid_grant", error_description: `${assertion} is expired` })
        }
      })
      const path = join(yield* folder, "token")
      yield* Effect.promise(() => writeFile(path, "workload-jwt-1\n"))
      const config = ServerConfig.http("it", {
        url: server.url,
        oauth: { grant: "jwt_bearer", clientId: "workload", assertion: { _tag: "file", path } }
      })
      const someone = person()
      const error = yield* Effect.flip(connect(config, true)).pipe(Effect.provide(authLayer(someone)))
      expect(error.message).toContain("invalid_grant: *** is expired")
      expect(server.at("/token").map((got) => form(got).assertion)).toEqual(["workload-jwt-1"])
      expect(someone.opened).toEqual([])
    })
  )

  it.scopedLive("for a person of a company exchanges the ID token for a grant of this server alone", () =>
    Effect.gen(function* () {
      const server = yield* fakeServer()
      const idp = yield* fakeServer({
        token: (_, response) =>
          json(response, 200, {
            access_token: "the-id-jag",
            issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
            token_type: "N_A"
          })
      })
      yield* loggedIn(server.url, {
        grant: "enterprise",
        clientId: "us",
        identityProvider: { tokenEndpoint: `${idp.origin}/token`, clientId: "us-at-idp", idToken: text("the-id-token") }
      })
      expect(form(idp.at("/token")[0])).toEqual({
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        client_id: "us-at-idp",
        subject_token: "the-id-token",
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
        audience: server.origin,
        resource: server.url
      })
      expect(form(server.at("/token")[0])).toEqual({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        client_id: "us",
        assertion: "the-id-jag",
        resource: server.url
      })
    })
  )
})
