/**
 * What tests of logins share: the servers, a browser that follows every page, and everything that was said.
 */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Browser from "../../../src/mcp/auth/Browser.ts"
import * as LoginPrompt from "../../../src/mcp/auth/LoginPrompt.ts"
import * as TokenStore from "../../../src/mcp/auth/TokenStore.ts"
import * as HttpTransport from "../../../src/mcp/HttpTransport.ts"
import * as McpAuth from "../../../src/mcp/McpAuth.ts"
import type { McpError } from "../../../src/mcp/McpError.ts"
import type { ServerConfig } from "../../../src/mcp/ServerConfig.ts"
import * as Leaks from "../../leaks.ts"

export interface OidcServer {
  readonly url: string
  readonly issuer: string
  readonly control: (path: string) => Effect.Effect<string>
  /** How many token requests of a grant type there were. */
  readonly grants: (type: string) => Effect.Effect<number>
}

/** The real authorization server and its MCP server, as a process of their own. */
export const oidcServer = (accessTokenSeconds: number): Effect.Effect<OidcServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = spawn(
      process.execPath,
      [`${import.meta.dirname}/../../fixtures/auth/oidc.mjs`, `${accessTokenSeconds}`],
      {
        stdio: ["ignore", "ignore", "pipe"]
      }
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    const [mcp, as] = yield* Effect.async<[string, string]>((resume) => {
      let said = ""
      child.stderr.on("data", (chunk) => {
        said += chunk
        const [, mcpPort, asPort] = /listening (\d+) (\d+)/.exec(said) ?? []
        if (mcpPort !== undefined && asPort !== undefined) resume(Effect.succeed([mcpPort, asPort]))
      })
    })
    const issuer = `http://127.0.0.1:${as}`
    const control = (path: string) =>
      Effect.promise(() => fetch(`${issuer}/control/${path}`).then((reply) => reply.text()))
    yield* Effect.addFinalizer(() =>
      Effect.map(control("secrets"), (text) => {
        for (const secret of JSON.parse(text)) Leaks.note("a secret of the authorization server", secret)
      })
    )
    return {
      url: `http://127.0.0.1:${mcp}/mcp`,
      issuer,
      control,
      grants: (type) => Effect.map(control("grants"), (text) => JSON.parse(text)[type] ?? 0)
    }
  })

/** A person's browser: goes where it is sent, with its cookies. */
const visit = async (
  start: URL,
  isEnd: (url: URL) => boolean
): Promise<{ readonly url: URL; readonly status: number }> => {
  const cookies = new Map<string, string>()
  let url = start
  for (let hops = 0; hops < 20 && !isEnd(url); hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const reply = await fetch(url, { redirect: "manual", headers: { cookie } })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = reply.headers.get("location")
    if (location === null) return { url, status: reply.status }
    url = new URL(location, url)
  }
  return { url, status: 0 }
}

/** Ends at the listener of the login: the status of its page. */
export const browse = async (start: URL): Promise<number> => (await visit(start, () => false)).status

/** The address at which a browser on another machine would end up. */
export const lastAddress = async (start: URL, redirectUri: string): Promise<string> =>
  (await visit(start, ({ href }) => href.startsWith(redirectUri))).url.href

/** Pages that were opened, and how they ended. */
export interface Person {
  readonly opened: Array<URL>
  readonly ended: Array<Promise<number>>
  readonly layer: Layer.Layer<Browser.Browser>
}

export const person = (go: (url: URL) => Promise<number> = browse): Person => {
  const opened: Array<URL> = []
  const ended: Array<Promise<number>> = []
  const layer = Layer.succeed(Browser.Browser, {
    open: (url) =>
      Effect.sync(() => {
        opened.push(url)
        ended.push(go(url).catch(() => 0))
        return true
      })
  })
  return { opened, ended, layer }
}

const silent = Layer.succeed(LoginPrompt.LoginPrompt, { waiting: () => Effect.void, pasted: () => Effect.never })

export const authLayer = (
  someone: Person,
  store: Layer.Layer<TokenStore.TokenStore> = TokenStore.layerMemory,
  prompt: Layer.Layer<LoginPrompt.LoginPrompt> = silent
): Layer.Layer<McpAuth.McpAuth> =>
  Layer.merge(
    Layer.effect(McpAuth.McpAuth, Effect.map(McpAuth.McpAuth, heard)).pipe(
      Layer.provide(McpAuth.layer),
      Layer.provide(Layer.mergeAll(store, someone.layer, prompt))
    ),
    Logger.add(Logger.make(({ message }) => Leaks.said(message)))
  )

/** Whatever comes out of an effect is for everybody to see. */
const overheard = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapBoth(effect, {
    onFailure: (error) => Effect.sync(() => Leaks.said(error)),
    onSuccess: (value) => Effect.sync(() => Leaks.said(value))
  })

/** The logins of a program that shows all that it is told. */
const heard = (auth: McpAuth.Service): McpAuth.Service => ({
  forServer: (config, options) =>
    Effect.map(auth.forServer(config, options), (own) => ({
      ...own,
      unauthorized: (challenge) => overheard(own.unauthorized(challenge))
    })),
  login: (config, options) => overheard(auth.login(config, options)),
  logout: (config) => overheard(auth.logout(config)),
  status: (config) => overheard(auth.status(config)),
  events: Stream.tap(auth.events, (event) => Effect.sync(() => Leaks.said(event)))
})

export interface Connected {
  /** The text that a tool answers with. */
  readonly call: (tool: string) => Effect.Effect<string, McpError>
  readonly diagnostics: Effect.Effect<unknown>
}

/** A connection to the server, with the login of the context; its tools have been listed. */
export const connect = Effect.fnUntraced(function* (config: ServerConfig, interactive = false) {
  const auth = yield* McpAuth.McpAuth
  if (config.transport._tag === "stdio") return yield* Effect.dieMessage("no HTTP server")
  const transport = yield* HttpTransport.make({
    ...config.transport,
    server: config.name,
    auth: yield* auth.forServer(config, { interactive })
  })
  yield* overheard(transport.request("tools/list", {}))
  const connected: Connected = {
    call: (name) =>
      Effect.map(overheard(transport.request("tools/call", { name, arguments: {} })), (result) => {
        const { content } = result as { readonly content: ReadonlyArray<{ readonly text: string }> }
        return content.map(({ text }) => text).join()
      }),
    diagnostics: overheard(transport.diagnostics)
  }
  return connected
})

/** A folder that is gone after the test. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "harness9-auth-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Variables of this process, as they are until the test ends. */
export const environment = (variables: Readonly<Record<string, string | undefined>>) => {
  const set = (values: Readonly<Record<string, string | undefined>>) => {
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
  return Effect.acquireRelease(
    Effect.sync(() => {
      const old = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]))
      set(variables)
      return old
    }),
    (old) => Effect.sync(() => set(old))
  )
}

/** All that is logged. */
export const logged = (lines: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void lines.push(JSON.stringify(message)))
  )
