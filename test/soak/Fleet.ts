/**
 * The servers of a long run: half of them programs, half of them addresses; half of each are left in peace, and the others are
 * killed, stalled and made to flood. A configuration file lists them all.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Resources from "./Resources.ts"

export interface Server {
  readonly name: string
  readonly kind: "stdio" | "http"
  /** Nothing is done to it. */
  readonly isCalm: boolean
  /** Among the servers of its kind. */
  readonly index: number
}

export interface Fleet {
  readonly servers: ReadonlyArray<Server>
  readonly configFile: string
  /** In the environment of every program. */
  readonly marker: string
  readonly writeConfig: (options: Edition) => Effect.Effect<void>
  readonly breakConfig: Effect.Effect<void>
  readonly kill: (server: Server, ms: number) => Effect.Effect<void>
  readonly stall: (server: Server, ms: number) => Effect.Effect<void>
}

/** How the configuration differs from the plain one. */
export interface Edition {
  readonly without: ReadonlySet<string>
  /** Entries by how often they were changed. */
  readonly versions: ReadonlyMap<string, number>
}

export const plain: Edition = { without: new Set(), versions: new Map() }

/** The processes of the programs, as the system knows them. */
type Pid = (server: string) => Effect.Effect<number | undefined>

export const make = Effect.fnUntraced(function* (options: {
  readonly root: string
  readonly count: number
  readonly pid: Pid
}) {
  const { count, root } = options
  const fixture = (name: string) => join(root, "test/fixtures/soak", name)
  const marker = `HARNESS9_SOAK_${process.pid}`
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "harness9-soak-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const { child, ports } = yield* Effect.acquireRelease(openHttp(fixture("http.mjs"), count), ({ child }) =>
    ended(child)
  )
  const servers = (["stdio", "http"] as const).flatMap((kind) =>
    Array.from(
      { length: count },
      (_, index): Server => ({ name: `${kind}-${index}`, kind, index, isCalm: index % 2 === 0 })
    )
  )
  const configFile = join(folder, "mcp.json")

  const entry = ({ index, kind }: Server, version: number) =>
    kind === "stdio"
      ? { command: process.execPath, args: [fixture("stdio.mjs"), `v${version}`], env: { [marker]: "1" } }
      : { type: "http", url: `http://127.0.0.1:${ports[index]}/mcp`, headers: { "x-version": `${version}` } }

  const write = (text: string) =>
    Effect.sync(() => {
      writeFileSync(`${configFile}.new`, text)
      renameSync(`${configFile}.new`, configFile)
    })

  const order = (server: Server, op: "kill" | "stall", ms: number) =>
    Effect.sync(() => child.stdin?.write(`${JSON.stringify({ op, server: server.index, ms })}\n`))

  const signal = (server: Server, name: NodeJS.Signals) =>
    Effect.map(options.pid(server.name), (pid) => {
      // It may be gone by now, and its number be somebody else's.
      if (pid !== undefined && Resources.mentions(String(pid), marker)) process.kill(pid, name)
    })

  const fleet: Fleet = {
    servers,
    configFile,
    marker,
    writeConfig: ({ versions, without }) => {
      const listed = servers.filter(({ name }) => !without.has(name))
      const entries = listed.map((server) => [server.name, entry(server, versions.get(server.name) ?? 1)])
      return write(JSON.stringify({ mcpServers: Object.fromEntries(entries) }, undefined, 2))
    },
    breakConfig: Effect.flatMap(Random.nextIntBetween(1, 1000), (length) =>
      write(`{ "mcpServers": {${"x".repeat(length)}`)
    ),
    kill: (server, ms) => (server.kind === "http" ? order(server, "kill", ms) : signal(server, "SIGKILL")),
    stall: (server, ms) =>
      server.kind === "http"
        ? order(server, "stall", ms)
        : Effect.zipRight(signal(server, "SIGSTOP"), Effect.ensuring(Effect.sleep(ms), signal(server, "SIGCONT")))
  }
  yield* fleet.writeConfig(plain)
  return fleet
})

const openHttp = (program: string, count: number) =>
  Effect.async<{ readonly child: ChildProcess; readonly ports: ReadonlyArray<number> }>((resume) => {
    const child = spawn(process.execPath, [program, String(count)], { stdio: ["pipe", "pipe", "inherit"] })
    let heard = ""
    child.stdin.on("error", () => {})
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      heard += chunk
      if (heard.includes("\n")) resume(Effect.succeed({ child, ports: JSON.parse(heard) }))
    })
  })

const ended = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.stdin?.end()
  })
