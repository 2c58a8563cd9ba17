/**
 * A server's process and all that it started, in a Scope.
 *
 * The process leads a group (and session) of its own: the terminal's Ctrl+C does not reach it, and signals reach the servers
 * behind launchers such as npx, uv or sh. Closing the Scope ends the group: stdin is closed, then SIGTERM, then SIGKILL,
 * each after a grace period, and no longer than it takes. When the leader ends by itself, what is left of its group is
 * ended in the same way.
 *
 * Windows has no such groups: there the tree is found by `taskkill /T`, which stands for SIGTERM and SIGKILL.
 */
import * as ChildProcess from "node:child_process"
import type { Readable, Writable } from "node:stream"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { McpError } from "../../McpError.ts"
import * as HostExit from "./HostExit.ts"
import * as ProcessGroup from "./ProcessGroup.ts"
import * as SpawnFailure from "./SpawnFailure.ts"
import * as Watchdog from "./Watchdog.ts"

/** How often it is looked whether a group is gone: nobody tells. */
const pollInterval = Duration.millis(10)

/** How long what was written last may still come. */
const drainGrace = Duration.millis(500)

/** What the kernel is given to carry out a SIGKILL. */
const killGrace = Duration.seconds(1)

export interface Options {
  readonly server: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
  /** How long the tree may take over each step of its end. */
  readonly grace: Duration.Duration
}

/** How the leader ended. */
export type Ending =
  | { readonly _tag: "Exited"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly _tag: "NeverRan"; readonly error: McpError }

export interface ProcessTree {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** The leader has ended. Others of its group may go on, and hold its pipes open. */
  readonly ended: Deferred.Deferred<Ending>
  /** The leader has ended, and all that was written into its pipes has been read. */
  readonly drained: Deferred.Deferred<void>
}

export const spawn: (options: Options) => Effect.Effect<ProcessTree, McpError, Scope.Scope> = Effect.fnUntraced(
  function* (options) {
    const tree = yield* Effect.acquireRelease(start(options), (tree) => end(tree, options.grace))
    yield* Effect.forkScoped(Effect.zipRight(Deferred.await(tree.ended), end(tree, options.grace)))
    return tree
  }
)

interface Running extends ProcessTree {
  readonly isGone: () => boolean
  /** What ends the tree should the host come to an end first. */
  readonly guards: ReadonlyArray<{ readonly release: () => void }>
}

const start = Effect.fnUntraced(function* (options: Options) {
  const launch = yield* launcher
  const ended = yield* Deferred.make<Ending>()
  const drained = yield* Deferred.make<void>()
  return yield* Effect.async<Running, McpError>((resume) => {
    const fail = (cause: unknown) => resume(Effect.fail(SpawnFailure.make(options, cause)))
    try {
      const leader = launch(options.command, options.args, {
        cwd: options.cwd,
        env: options.env,
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32",
        windowsHide: true
      })
      const { pid, stderr, stdin, stdout } = leader
      for (const stream of [stdin, stdout, stderr]) stream.on("error", () => undefined)
      leader.on("error", (cause) => {
        fail(cause)
        Deferred.unsafeDone(ended, Effect.succeed({ _tag: "NeverRan", error: SpawnFailure.make(options, cause) }))
      })
      leader.on("exit", (code, signal) => Deferred.unsafeDone(ended, Effect.succeed({ _tag: "Exited", code, signal })))
      leader.on("close", () => Deferred.unsafeDone(drained, Effect.void))
      leader.on("spawn", () => {
        if (pid === undefined) return
        const guards = [HostExit.guard(() => signalTree(pid, "SIGKILL")), Watchdog.guard(pid)]
        resume(Effect.succeed({ pid, stdin, stdout, stderr, ended, drained, isGone: goneSign(leader, pid), guards }))
      })
    } catch (cause) {
      fail(cause)
    }
  })
})

type Launch = (
  command: string,
  args: ReadonlyArray<string>,
  options: ChildProcess.SpawnOptionsWithStdioTuple<"pipe", "pipe", "pipe">
) => ChildProcess.ChildProcessWithoutNullStreams

/** On Windows a command is found by PATHEXT, and scripts (`npx.cmd`) go through cmd.exe, each argument quoted for it. */
const launcher: Effect.Effect<Launch> =
  process.platform === "win32"
    ? Effect.map(
        Effect.promise(() => import("cross-spawn")),
        // With three pipes it gives what node:child_process gives; its types know no such overload.
        (crossSpawn) => crossSpawn.default.spawn as Launch
      )
    : Effect.succeed(ChildProcess.spawn)

/** Uninterruptible where it matters, in a Scope's end, and bounded. Time is the machine's, whatever clock a test has set. */
const end = (tree: Running, grace: Duration.Duration): Effect.Effect<void> =>
  Effect.gen(function* () {
    tree.stdin.end()
    if (yield* goneWithin(tree, grace)) return
    signalTree(tree.pid, "SIGTERM")
    if (yield* goneWithin(tree, grace)) return
    signalTree(tree.pid, "SIGKILL")
    yield* goneWithin(tree, killGrace)
  }).pipe(Effect.zipRight(letGo(tree)), Effect.withClock(Clock.make()))

/** A program that has left the group may hold the pipes open for ever. */
const letGo = ({ drained, guards, stderr, stdin, stdout }: Running): Effect.Effect<void> =>
  Effect.map(Effect.timeoutOption(Effect.interruptible(Deferred.await(drained)), drainGrace), () => {
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
    for (const { release } of guards) release()
  })

const goneWithin = (tree: Running, limit: Duration.Duration): Effect.Effect<boolean> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => goneBy(tree, now + Duration.toMillis(limit)))

const goneBy = (tree: Running, deadline: number): Effect.Effect<boolean> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (tree.isGone()) return Effect.succeed(true)
    if (now >= deadline) return Effect.succeed(false)
    return Effect.zipRight(Effect.sleep(pollInterval), goneBy(tree, deadline))
  })

/** Once gone is gone for good: the system may give the number to somebody else, who must not be signalled. */
const goneSign = (leader: ChildProcess.ChildProcess, pid: number): (() => boolean) => {
  let gone = false
  return () => {
    gone ||= (leader.exitCode !== null || leader.signalCode !== null) && !hasGroup(pid)
    return gone
  }
}

const hasGroup = (pid: number): boolean => process.platform !== "win32" && ProcessGroup.isAlive(pid)

const signalTree = (pid: number, signal: "SIGTERM" | "SIGKILL"): void => {
  if (process.platform !== "win32") ProcessGroup.signal(pid, signal)
  else ChildProcess.spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true })
}
