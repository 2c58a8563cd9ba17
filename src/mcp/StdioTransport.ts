/**
 * A server that is a program of its own: messages go over its stdin and stdout, one JSON text a line.
 *
 * The program belongs to the Scope: when that closes, its stdin is closed, and what is left of it and of all that it started
 * gets SIGTERM and then SIGKILL, each after a grace period. It runs apart from the terminal, so Ctrl+C is the host's alone.
 *
 * While any such program runs, the process-wide hooks of `exit`, SIGINT, SIGTERM and SIGHUP see to it that none outlives the
 * host. They leave signals alone that the host itself listens for, but for one thing: a SIGHUP that nobody handles becomes a
 * SIGTERM when somebody handles that.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Connection from "./internal/Connection.ts"
import * as ChildEnvironment from "./internal/stdio/ChildEnvironment.ts"
import * as LineFraming from "./internal/stdio/LineFraming.ts"
import * as LineWriter from "./internal/stdio/LineWriter.ts"
import * as ProcessTree from "./internal/stdio/ProcessTree.ts"
import * as StderrTail from "./internal/stdio/StderrTail.ts"
import * as Limits from "./Limits.ts"
import { type Kind, McpError, withStderr } from "./McpError.ts"
import * as McpTransport from "./McpTransport.ts"
import * as Sandbox from "./Sandbox.ts"

/** How long lines may still come from a program that has ended: one of its children may hold the pipe open. */
const drainGrace = Duration.millis(250)

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The server's name, for errors. */
  readonly server: string
  /** The program, found in PATH or by its path. No shell is between. */
  readonly command: string
  readonly args?: ReadonlyArray<string> | undefined
  /** Variables on top of the inherited ones. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Default: the host's. */
  readonly cwd?: string | undefined
  /** Give the program the host's whole environment and not the minimal one. */
  readonly inheritEnv?: boolean | undefined
  /** Confines the program. Where that cannot be done, it is not started. */
  readonly sandbox?: Sandbox.Sandbox | undefined
  /** A longer line breaks the connection. Default: 64 MiB. */
  readonly maxLineBytes?: number | undefined
  /** Messages that nobody asked for are read no faster; requests count tenfold. Default: 2,000. */
  readonly messagesPerSecond?: number | undefined
  /** How much is kept of the last that the program wrote to stderr. Default: 64 KiB. */
  readonly maxStderrBytes?: number | undefined
  /** How long the program may take to end after its stdin is closed, and again after SIGTERM. Default: 1.5 seconds. */
  readonly grace?: Duration.DurationInput | undefined
}

/**
 * Starts the program, and speaks to it for as long as the Scope is open. Does not wait for a word from it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options: Options) => Effect.Effect<McpTransport.Service, McpError, Scope.Scope> = Effect.fnUntraced(
  function* (options) {
    const {
      messagesPerSecond,
      maxLineBytes = Limits.defaults.maxLineBytes,
      maxStderrBytes = Limits.defaults.maxStderrBytes,
      server
    } = options
    const lost = (kind: Kind, message: string, hint?: string) =>
      new McpError({ server, phase: "connect", kind, message, hint })

    const program = yield* confined(options)
    const tree = yield* ProcessTree.spawn({
      server,
      ...program,
      env: ChildEnvironment.make({
        platform: process.platform,
        host: process.env,
        entry: options.env ?? {},
        inheritEnv: options.inheritEnv ?? false
      }),
      cwd: options.cwd,
      grace: Duration.decode(options.grace ?? "1500 millis")
    })
    const stderr = StderrTail.make(maxStderrBytes)
    tree.stderr.on("data", stderr.push)

    const writer = LineWriter.make(tree.stdin, {
      maxWaiting: maxLineBytes,
      onTooMuch: () =>
        connection.close(
          lost("closed", `the server does not read its input: more than ${maxLineBytes} bytes wait for it`)
        )
    })
    const connection = yield* Connection.make({ server, write: writer.write, messagesPerSecond })
    const framing = LineFraming.make({
      maxBytes: maxLineBytes,
      onLine: connection.receive,
      onTooLong: () => {
        connection.close(
          lost("too-large", `the server wrote a line of more than ${maxLineBytes} bytes`, Limits.hint("maxLineBytes"))
        )
        tree.stdout.destroy()
      }
    })

    const broken = yield* Deferred.make<McpError>()
    const breaks = (message: string) => () => Deferred.unsafeDone(broken, Effect.succeed(lost("closed", message)))
    tree.stdin.on("close", breaks("the server closed its input"))
    tree.stdout.on("close", breaks("the server closed its output"))
    tree.stdout.on("data", (chunk: Buffer) => {
      framing.push(chunk)
      const rest = connection.rest()
      if (rest === 0) return
      tree.stdout.pause()
      setTimeout(() => tree.stdout.resume(), rest).unref()
    })

    // The first sign is not the whole story: the reason is complete, and the last lines are read, once the pipes are drained.
    const watch = Effect.gen(function* () {
      yield* Effect.raceFirst(Deferred.await(broken), Deferred.await(tree.ended))
      yield* Effect.timeoutOption(Deferred.await(tree.drained), drainGrace)
      framing.end()
      const ended = yield* Deferred.poll(tree.ended)
      const reason = ended._tag === "Some" ? lostBy(server, yield* ended.value) : yield* Deferred.await(broken)
      connection.close(withStderr(stderr.lastLines())(reason))
    })
    yield* Effect.forkScoped(Effect.withClock(watch, Clock.make()))

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        connection.close(lost("closed", "the connection was closed"))
        writer.end()
      })
    )

    return {
      kind: "stdio",
      server,
      request: connection.request,
      notify: connection.notify,
      respond: connection.respond,
      inbound: connection.inbound,
      closed: connection.closed,
      negotiated: () => Effect.void,
      diagnostics: Effect.map(connection.diagnostics, (known) => ({ ...known, stderr: stderr.text(), pid: tree.pid }))
    }
  }
)

/** The program as it is started: by itself, or in the sandbox that was asked for. */
const confined = ({ args = [], command, cwd, sandbox, server }: Options) =>
  sandbox === undefined
    ? Effect.succeed({ command, args })
    : Sandbox.confine(sandbox, { command, args, cwd: cwd ?? process.cwd() }).pipe(
        Effect.mapError(
          ({ hint, message }) =>
            new McpError({
              server,
              phase: "spawn",
              kind: "spawn",
              message: `the server was not started, since it is to be confined and cannot be: ${message}`,
              hint
            })
        )
      )

/**
 * A program as the transport.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<McpTransport.McpTransport, McpError> =>
  Layer.scoped(McpTransport.McpTransport, make(options))

const lostBy = (server: string, ending: ProcessTree.Ending): McpError => {
  if (ending._tag === "NeverRan") return ending.error
  const { code, signal } = ending
  const message = signal === null ? `the server exited with code ${code}` : `the server was killed by ${signal}`
  return new McpError({ server, phase: "connect", kind: "exit", message })
}
