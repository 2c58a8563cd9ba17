/**
 * The built CLI as a child process, for tests that see it as a user does: with nobody's configuration and no key.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Leaks from "../leaks.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

const main = join(root, "dist/cli/main.js")

export interface Options {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Where the program's main file is; default: the build's. */
  readonly main?: string
}

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Waits until stdout or stderr holds the text. */
  readonly until: (text: string) => Effect.Effect<void>
  readonly exit: Effect.Effect<Result>
}

/** A folder that is gone when the Scope closes. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "harness9-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Starts the CLI; it is killed when the Scope closes. */
export const start = (args: ReadonlyArray<string>, options: Options = {}) =>
  Effect.gen(function* () {
    const home = yield* folder
    const closed = yield* Deferred.make<Result>()
    const heard = { stdout: "", stderr: "" }
    const waiting = new Set<() => void>()
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [options.main ?? main, ...args], {
          cwd: options.cwd ?? home,
          env: { PATH: process.env.PATH, HOME: home, ...options.env },
          stdio: ["pipe", "pipe", "pipe"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        heard[name] += text
        for (const look of waiting) look()
      })
    }
    child.on("close", (code) => {
      Leaks.said(heard.stdout)
      Leaks.said(heard.stderr)
      Deferred.unsafeDone(closed, Effect.succeed({ code, ...heard }))
    })
    child.stdin.on("error", () => {})
    child.stdin.end(options.input ?? "")

    const until = (text: string) =>
      Effect.async<void>((resume) => {
        const look = () => {
          if (!heard.stdout.includes(text) && !heard.stderr.includes(text)) return
          waiting.delete(look)
          resume(Effect.void)
        }
        waiting.add(look)
        look()
      })
    const running: Running = {
      kill: (signal) => Effect.sync(() => child.kill(signal)),
      until,
      exit: Deferred.await(closed)
    }
    return running
  })

/** Runs the CLI to its end. */
export const run = (args: ReadonlyArray<string>, options?: Options) =>
  Effect.scoped(Effect.flatMap(start(args, options), ({ exit }) => exit))

/** Runs the CLI and reads the one JSON document that it prints. */
export const runJson = (args: ReadonlyArray<string>, options?: Options) =>
  Effect.map(run(args, options), ({ code, stderr, stdout }) => ({ code, stderr, json: JSON.parse(stdout) }))

/** A server's entry of the package that is installed for development. */
export const packaged = (name: string, ...args: ReadonlyArray<string>) => ({
  command: process.execPath,
  args: [join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args]
})

/** The entry of a fixture. */
export const fixture = (path: string, options: FixtureOptions = {}) => ({
  command: process.execPath,
  args: [join(root, "test/fixtures", path), ...(options.args ?? [])],
  env: options.env ?? {}
})

export interface FixtureOptions {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/** A configuration file with these servers. */
export const configured = (mcpServers: Readonly<Record<string, unknown>>) =>
  Effect.map(folder, (path) => {
    const file = join(path, "mcp.json")
    writeFileSync(file, JSON.stringify({ mcpServers }))
    return file
  })

/** A port of the test, and how to wait until so many processes have connected to it. */
export const signs = Effect.gen(function* () {
  const arrivals = yield* Queue.unbounded<void>()
  const server = yield* Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = createServer((socket) => {
        socket.on("error", () => {})
        Queue.unsafeOffer(arrivals, undefined)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return { port: String(port), arrived: (count: number) => Queue.takeN(arrivals, count) }
})

/** Whether the processes of the machine can be looked at. */
export const hasProc = process.platform === "linux"

/** The processes that have the text among their arguments or in their environment. */
export const processesWith = (marker: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && mentions(pid, marker))

const mentions = (pid: string, marker: string): boolean => {
  try {
    const about = ["cmdline", "environ"].map((name) => readFileSync(`/proc/${pid}/${name}`, "utf8"))
    return about.some((text) => text.includes(marker))
  } catch {
    return false
  }
}
