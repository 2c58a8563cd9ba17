import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { buildSync } from "esbuild"
import { afterAll, beforeAll, describe } from "vitest"
import { allGone, fixture, isAlive } from "./stdioServer.ts"

const folder = mkdtempSync(join(tmpdir(), "harness9-"))
const program = join(folder, "host.mjs")

beforeAll(() => {
  buildSync({
    entryPoints: [fixture("host")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)' },
    logLevel: "error"
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A host, in a process group of its own as in a terminal, whose server has started a child. Both ignore SIGTERM. */
const startHost = (mode: string) =>
  Effect.gen(function* () {
    const child = spawn(process.execPath, [program, fixture("stubborn"), mode], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"]
    })
    const lines = yield* Queue.unbounded<string>()
    const ended = yield* Deferred.make<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>()
    child.stdout.on("data", (text: Buffer) => lines.unsafeOffer(text.toString().trim()))
    child.on("exit", (code, signal) => Deferred.unsafeDone(ended, Effect.succeed({ code, signal })))
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    const servers: ReadonlyArray<number> = JSON.parse(yield* Queue.take(lines))
    const children = childrenOf(child.pid)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const pid of servers.filter(isAlive)) process.kill(pid, "SIGKILL")
      })
    )
    return {
      lines,
      ended: Deferred.await(ended),
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      child,
      servers,
      children
    }
  })

/** The processes that a process has started itself, where that can be seen. */
const childrenOf = (parent: number | undefined): ReadonlyArray<number> =>
  process.platform === "linux"
    ? readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ").map(Number)
    : []

describe("no server outlives its host", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it.scopedLive(`that ${signal} kills, since it has no handlers`, () =>
      Effect.gen(function* () {
        const host = yield* startHost("plain")
        expect(host.servers.filter(isAlive)).toHaveLength(2)
        host.kill(signal)
        expect(yield* host.ended).toEqual({ code: null, signal })
        yield* allGone(host.servers)
      })
    )

    it.scopedLive(`that ${signal} ends in order`, () =>
      Effect.gen(function* () {
        const host = yield* startHost("main")
        host.kill(signal)
        expect((yield* host.ended).signal).toBeNull()
        expect(host.servers.filter(isAlive)).toEqual([])
      })
    )
  }

  it.scopedLive("that a second signal kills while it ends in order", () =>
    Effect.gen(function* () {
      const host = yield* startHost("main")
      host.kill("SIGINT")
      expect(yield* Queue.take(host.lines)).toBe("interrupted")
      host.kill("SIGINT")
      yield* host.ended
      yield* allGone(host.servers)
    })
  )

  it.scopedLive("that is only watched by a package which leaves its signals to others", () =>
    Effect.gen(function* () {
      const host = yield* startHost("watched")
      host.kill("SIGHUP")
      expect(yield* host.ended).toEqual({ code: null, signal: "SIGHUP" })
      expect(yield* Queue.take(host.lines)).toBe("watched")
      yield* allGone(host.servers)
    })
  )

  it.scopedLive("that an uncaught error ends", () =>
    Effect.gen(function* () {
      const host = yield* startHost("throw")
      expect((yield* host.ended).code).toBe(1)
      yield* allGone(host.servers)
    })
  )

  it.scopedLive("that calls process.exit", () =>
    Effect.gen(function* () {
      const host = yield* startHost("exit")
      expect((yield* host.ended).code).toBe(0)
      yield* allGone(host.servers)
    })
  )
})

describe("a host that nothing could warn", () => {
  it.scopedLive("leaves no server, nor what one has started, longer than five seconds", () =>
    Effect.gen(function* () {
      const host = yield* startHost("main")
      expect(host.children).toHaveLength(process.platform === "linux" ? 2 : 0)
      host.kill("SIGKILL")
      yield* host.ended
      yield* Effect.timeout(allGone([...host.servers, ...host.children]), "5 seconds")
    })
  )

  it.scopedLive("leaves no watchdog either, when it ends by itself", () =>
    Effect.gen(function* () {
      const host = yield* startHost("done")
      expect(yield* host.ended).toEqual({ code: 0, signal: null })
      yield* allGone([...host.servers, ...host.children])
    })
  )
})

describe("a host with its own signal handlers", () => {
  it.scopedLive("keeps its servers, also when the terminal signals the whole group", () =>
    Effect.gen(function* () {
      const host = yield* startHost("own")
      for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) {
        process.kill(-(host.child.pid ?? 0), signal)
        expect(yield* Queue.take(host.lines)).toBe("alive")
      }
    })
  )
})
