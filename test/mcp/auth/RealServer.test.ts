/**
 * Logins at a real authorization server, `oidc-provider`.
 */
import { spawn } from "node:child_process"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { build } from "esbuild"
import * as LoginPrompt from "../../../src/mcp/auth/LoginPrompt.ts"
import * as TokenStore from "../../../src/mcp/auth/TokenStore.ts"
import * as McpAuth from "../../../src/mcp/McpAuth.ts"
import * as ServerConfig from "../../../src/mcp/ServerConfig.ts"
import { authLayer, connect, folder, lastAddress, logged, oidcServer, person } from "./harness.ts"

// Each test starts a server of its own, and one of them two clients more.
vi.setConfig({ testTimeout: 60_000 })

describe("a person", () => {
  it.scopedLive("logs in, is known in the next run, and calls tools", () =>
    Effect.gen(function* () {
      const { grants, issuer, url } = yield* oidcServer(3600)
      const directory = yield* folder
      const someone = person()
      const config = ServerConfig.http("it", { url })
      const layer = authLayer(someone, TokenStore.layerFile({ directory }))

      const refused = yield* Effect.flip(connect(config)).pipe(Effect.scoped, Effect.provide(layer))
      expect(refused).toMatchObject({ kind: "needs-auth", hint: "Log in with: harness9 mcp login it" })
      expect(someone.opened).toEqual([])

      const result = yield* Effect.flatMap(McpAuth.McpAuth, (auth) => auth.login(config)).pipe(Effect.provide(layer))
      expect(result).toMatchObject({
        server: "it",
        issuer,
        renewable: true,
        scopes: expect.arrayContaining(["mcp:read"])
      })
      expect(yield* Effect.promise(() => Promise.all(someone.ended))).toEqual([200])

      const said = yield* Effect.flatMap(connect(config), (client) => client.call("read")).pipe(
        Effect.scoped,
        Effect.provide(layer)
      )
      expect(said).toBe("did read")
      expect(someone.opened.length).toBe(1)
      expect(yield* grants("authorization_code")).toBe(1)
    })
  )

  it.scopedLive("is asked again for what the login lacks, and keeps what it had", () =>
    Effect.gen(function* () {
      const { url } = yield* oidcServer(3600)
      const someone = person()
      const config = ServerConfig.http("it", { url })
      yield* Effect.gen(function* () {
        const client = yield* connect(config, true)
        expect(yield* client.call("read")).toBe("did read")
        expect(yield* client.call("write")).toBe("did write")
        expect(yield* client.call("read")).toBe("did read")
      }).pipe(Effect.scoped, Effect.provide(authLayer(someone)))
      const scopes = someone.opened.map((page) => page.searchParams.get("scope")?.split(" "))
      expect(scopes).toEqual([expect.arrayContaining(["mcp:read"]), expect.arrayContaining(["mcp:read", "mcp:write"])])
    })
  )

  it.scopedLive("who is not there finds the wider scopes asked for at the next login", () =>
    Effect.gen(function* () {
      const { url } = yield* oidcServer(3600)
      const directory = yield* folder
      const someone = person()
      const config = ServerConfig.http("it", { url })
      const layer = () => authLayer(someone, TokenStore.layerFile({ directory }))
      const login = Effect.flatMap(McpAuth.McpAuth, (auth) => auth.login(config))
      yield* Effect.provide(login, layer())
      const refused = yield* Effect.flatMap(connect(config), (client) => client.call("write")).pipe(
        Effect.flip,
        Effect.scoped,
        Effect.provide(layer())
      )
      expect(refused).toMatchObject({ kind: "needs-auth", status: 403 })
      expect(refused.message).toContain("mcp:write")
      yield* Effect.provide(login, layer())
      expect(someone.opened.at(-1)?.searchParams.get("scope")).toContain("mcp:write")
    })
  )

  it.scopedLive("pastes the address where no browser comes back", () =>
    Effect.gen(function* () {
      const { url } = yield* oidcServer(3600)
      const someone = person(() => Promise.resolve(0))
      const prompt = Layer.succeed(LoginPrompt.LoginPrompt, {
        waiting: () => Effect.void,
        pasted: ({ redirectUri, url: page }) => Effect.promise(() => lastAddress(page, redirectUri))
      })
      const result = yield* Effect.flatMap(McpAuth.McpAuth, (auth) =>
        auth.login(ServerConfig.http("it", { url }))
      ).pipe(Effect.provide(authLayer(someone, TokenStore.layerMemory, prompt)))
      expect(result.renewable).toBe(true)
    })
  )
})

describe("a token", () => {
  it.scopedLive("is renewed ahead of its end, once for all that wait", () =>
    Effect.gen(function* () {
      const { control, grants, url } = yield* oidcServer(1)
      const someone = person()
      const config = ServerConfig.http("it", { url })
      yield* Effect.gen(function* () {
        const client = yield* connect(config, true)
        yield* Effect.sleep("1100 millis")
        yield* control("lifetime/3600")
        const before = yield* grants("refresh_token")
        yield* Effect.all(
          Array.from({ length: 10 }, () => client.call("read")),
          { concurrency: "unbounded" }
        )
        expect((yield* grants("refresh_token")) - before).toBe(1)
        expect(someone.opened.length).toBe(1)
      }).pipe(Effect.scoped, Effect.provide(authLayer(someone)))
    })
  )

  it.scopedLive("that the server forgot is renewed, once for all that were refused", () =>
    Effect.gen(function* () {
      const { control, grants, url } = yield* oidcServer(3600)
      const someone = person()
      yield* Effect.gen(function* () {
        const client = yield* connect(ServerConfig.http("it", { url }), true)
        yield* control("expire")
        yield* Effect.all(
          Array.from({ length: 10 }, () => client.call("read")),
          { concurrency: "unbounded" }
        )
        expect(yield* grants("refresh_token")).toBe(1)
        expect(someone.opened.length).toBe(1)
      }).pipe(Effect.scoped, Effect.provide(authLayer(someone)))
    })
  )

  it.scopedLive("that cannot be renewed asks for a login, and never for the same again and again", () =>
    Effect.gen(function* () {
      const { control, grants, url } = yield* oidcServer(3600)
      const someone = person()
      const config = ServerConfig.http("it", { url })
      yield* Effect.gen(function* () {
        const auth = yield* McpAuth.McpAuth
        yield* auth.login(config)
        const client = yield* connect(config)
        yield* control("revoke")
        yield* control("expire")
        for (let call = 0; call < 3; call++) {
          const error = yield* Effect.flip(client.call("read"))
          expect(error).toMatchObject({ kind: "needs-auth", hint: "Log in with: harness9 mcp login it" })
        }
        expect(yield* grants("refresh_token")).toBe(1)

        yield* auth.login(config)
        expect(yield* client.call("read")).toBe("did read")
      }).pipe(Effect.scoped, Effect.provide(authLayer(someone)))
    })
  )

  it.scopedLive("is renewed once by two processes that find it at its end", () =>
    Effect.gen(function* () {
      const { control, grants, url } = yield* oidcServer(1)
      const directory = yield* folder
      const config = ServerConfig.http("it", { url })
      const store = TokenStore.layerFile({ directory })
      yield* Effect.flatMap(McpAuth.McpAuth, (auth) => auth.login(config)).pipe(
        Effect.provide(authLayer(person(), store))
      )
      const program = yield* caller
      yield* control("lifetime/3600")
      yield* Effect.sleep("1100 millis")
      const call = callInProcess(program, url, directory)
      const outputs = yield* Effect.all([call, call], { concurrency: "unbounded" })
      expect(outputs).toEqual(["did read", "did read"])
      expect(yield* grants("refresh_token")).toBe(1)
    })
  )

  it.scopedLive("is bound to a key where that is asked for", () =>
    Effect.gen(function* () {
      const { url } = yield* oidcServer(3600)
      const config = ServerConfig.http("it", { url, oauth: { grant: "authorization_code", dpop: true } })
      yield* Effect.gen(function* () {
        const client = yield* connect(config, true)
        expect(yield* client.call("read")).toBe("did read")
      }).pipe(Effect.scoped, Effect.provide(authLayer(person())))
    })
  )
})

describe("logging out", () => {
  it.scopedLive("gives the tokens back and forgets them", () =>
    Effect.gen(function* () {
      const { control, url } = yield* oidcServer(3600)
      const directory = yield* folder
      const config = ServerConfig.http("it", { url })
      yield* Effect.gen(function* () {
        const auth = yield* McpAuth.McpAuth
        yield* auth.login(config)
        expect(yield* auth.status(config)).toMatchObject({ _tag: "LoggedIn" })
        const client = yield* connect(config)
        expect(yield* auth.logout(config)).toEqual({ forgotten: 1, revoked: 1 })
        expect(yield* auth.status(config)).toEqual({ _tag: "LoggedOut" })
        expect(yield* Effect.flip(client.call("read"))).toMatchObject({ kind: "needs-auth" })
        expect(yield* Effect.promise(() => readdir(directory))).toEqual([])
        expect(yield* control("grants")).not.toContain("refresh_token")
      }).pipe(Effect.scoped, Effect.provide(authLayer(person(), TokenStore.layerFile({ directory }))))
    })
  )
})

describe("secrets", () => {
  it.scopedLive("are in the file of mode 0600 alone: in no error, status, result or log", () =>
    Effect.gen(function* () {
      const { control, url } = yield* oidcServer(3600)
      const directory = yield* folder
      const config = ServerConfig.http("it", { url })
      const said: Array<string> = []
      const say = (value: unknown) => said.push(JSON.stringify(value), String(value))
      yield* Effect.gen(function* () {
        const auth = yield* McpAuth.McpAuth
        say(yield* auth.status(config))
        say(yield* Effect.flip(connect(config)))
        say(yield* auth.login(config))
        say(yield* auth.status(config))
        const client = yield* connect(config)
        yield* control("expire")
        yield* client.call("read")
        say(yield* Effect.flip(client.call("write")))
        yield* control("revoke")
        yield* control("expire")
        say(yield* Effect.flip(client.call("read")))
        say(yield* client.diagnostics)
        const [file = ""] = (yield* Effect.promise(() => readdir(directory))).filter((name) => name.endsWith(".json"))
        expect((yield* Effect.promise(() => stat(join(directory, file)))).mode & 0o777).toBe(0o600)
        expect((yield* Effect.promise(() => stat(directory))).mode & 0o077).toBe(0)
        const kept = yield* Effect.promise(() => readFile(join(directory, file), "utf8"))
        const secrets: ReadonlyArray<string> = JSON.parse(yield* control("secrets"))
        expect(secrets.length).toBeGreaterThan(6)
        expect(secrets.some((secret) => kept.includes(secret))).toBe(true)
        say(yield* auth.logout(config))
      }).pipe(
        Effect.scoped,
        Effect.provide(
          Layer.merge(authLayer(person(), TokenStore.layerFile({ directory }), LoginPrompt.layerLog), logged(said))
        )
      )
      const secrets: ReadonlyArray<string> = JSON.parse(yield* control("secrets"))
      const output = said.join("\n")
      expect(output).toContain("needs-auth")
      expect(secrets.filter((secret) => output.includes(secret))).toEqual([])
    })
  )
})

/** `callOnce.ts` as one program. */
const caller = Effect.gen(function* () {
  const program = join(yield* folder, "callOnce.mjs")
  yield* Effect.promise(() =>
    build({
      entryPoints: [`${import.meta.dirname}/callOnce.ts`],
      outfile: program,
      bundle: true,
      format: "esm",
      platform: "node",
      mainFields: ["module", "main"],
      banner: { js: 'import { createRequire } from "node:module";const require=createRequire(import.meta.url);' }
    })
  )
  return program
})

/** Makes one call in a process of its own and gives what it printed. */
const callInProcess = (program: string, url: string, directory: string) =>
  Effect.async<string>((resume) => {
    const child = spawn(process.execPath, [program, url, directory], { stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    child.on("close", () => resume(Effect.succeed(output.trim())))
    return Effect.sync(() => child.kill("SIGKILL"))
  })
