import { randomUUID } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, hasProc, packaged, processesWith, signs, start } from "./cli.ts"

type Env = Readonly<Record<string, string>>

/**
 * Starts a command, waits until so many processes of its servers have given a sign, sends the signal, and tells how the command ended
 * and which processes are left.
 */
const interrupted = (options: {
  readonly words: ReadonlyArray<string>
  readonly servers: (env: Env) => Readonly<Record<string, unknown>>
  readonly processes: number
  readonly signal: NodeJS.Signals
}) =>
  Effect.gen(function* () {
    const marker = randomUUID()
    const { arrived, port } = yield* signs
    const config = yield* configured(options.servers({ HARNESS9_TEST_MARKER: marker, HARNESS9_TEST_PORT: port }))
    const cli = yield* start([...options.words, "--config", config])
    yield* arrived(options.processes)
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(options.processes)
    yield* cli.kill(options.signal)
    const { code, stderr } = yield* cli.exit
    return { code, left: processesWith(marker), hasStack: /^\s+at /m.test(stderr) }
  })

const clean = { code: 130, left: [], hasStack: false }

describe.skipIf(!hasProc)("a signal", () => {
  it.scopedLive.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s during a call ends the server", (signal) =>
    Effect.gen(function* () {
      const ended = yield* interrupted({
        words: ["mcp", "call", "it", "wait"],
        servers: (env) => ({ it: fixture("cli/server.mjs", { env }) }),
        processes: 1,
        signal
      })
      expect(ended).toEqual(clean)
    })
  )

  it.scopedLive.each(["SIGINT", "SIGTERM"] as const)(
    "%s in the middle of a handshake ends every server and what it started, also those that ignore it",
    (signal) =>
      Effect.gen(function* () {
        const ended = yield* interrupted({
          words: ["mcp", "list"],
          servers: (env) => ({
            mute: fixture("cli/silent.mjs", { env }),
            stubborn: fixture("cli/silent.mjs", { args: ["stubborn"], env }),
            parent: fixture("cli/silent.mjs", { args: ["parent"], env }),
            healthy: { ...packaged("everything", "stdio"), env }
          }),
          processes: 4,
          signal
        })
        expect(ended).toEqual(clean)
      })
  )

  it.scopedLive("during a run ends the run and its servers", () =>
    Effect.gen(function* () {
      const ended = yield* interrupted({
        words: ["run", "wait", "--yes", "--model", "offline"],
        servers: (env) => ({ it: fixture("cli/server.mjs", { env }) }),
        processes: 1,
        signal: "SIGINT"
      })
      expect(ended).toEqual(clean)
    })
  )
})

describe.skipIf(!hasProc)("the end of a command", () => {
  it.scopedLive("leaves no process of its servers, also of one that never answered", () =>
    Effect.gen(function* () {
      const marker = randomUUID()
      const env = { HARNESS9_TEST_MARKER: marker }
      const config = yield* configured({
        healthy: { ...packaged("everything", "stdio"), env },
        parent: fixture("cli/silent.mjs", { args: ["parent"], env })
      })
      const cli = yield* start(["mcp", "list", "--connect-timeout", "1s", "--config", config])
      expect((yield* cli.exit).code).toBe(0)
      expect(processesWith(marker)).toEqual([])
    })
  )
})
