import { expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as McpManager from "../../src/mcp/McpManager.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as ServerStatus from "../../src/mcp/ServerStatus.ts"
import * as TransportFactory from "../../src/mcp/TransportFactory.ts"
import { allGone, fixture } from "./stdioServer.ts"

const program = (name: string, file: string, ...args: ReadonlyArray<string>) =>
  ServerConfig.stdio(name, { command: process.execPath, args: [fixture(file), ...args] })

const manage = (servers: ReadonlyArray<ServerConfig.ServerConfig>, options?: McpManager.Options) =>
  McpManager.make(servers, options).pipe(Effect.provide(TransportFactory.layer))

const becomes = (manager: McpManager.Service, name: string, tag: ServerStatus.ServerStatus["_tag"]) =>
  manager.changes.pipe(
    Stream.flattenIterables,
    Stream.filter((status) => status.name === name && status._tag === tag),
    Stream.runHead,
    Effect.flatten
  )

it.scopedLive("real servers, good and bad, side by side", () =>
  Effect.gen(function* () {
    const manager = yield* manage(
      [
        program("healthy", "null-optionals"),
        program("odd", "bad-schemas"),
        ServerConfig.stdio("missing", { command: "no-such-program-xyz" }),
        ServerConfig.http("unreachable", { url: "http://127.0.0.1:1/mcp" }),
        program("unknown-revision", "version", "1999-01-01"),
        ServerConfig.stdio("silent", { command: process.execPath, args: ["-e", "process.stdin.resume()"] })
      ],
      { connectTimeout: Duration.seconds(5) }
    )
    const start = yield* Effect.fork(manager.start)
    yield* becomes(manager, "healthy", "Connected")
    expect(ServerStatus.word((yield* manager.statuses).find(({ name }) => name === "silent") as never)).toBe("pending")
    const client = yield* manager.client("healthy")
    expect(yield* client.callTool("a", {})).toMatchObject({ isError: false, text: "ok" })

    yield* Fiber.join(start)
    const failures = Object.fromEntries(
      (yield* manager.statuses).flatMap((status) =>
        "error" in status ? [[status.name, `${status.error.phase} ${status.error.kind}`]] : []
      )
    )
    expect(failures).toEqual({
      missing: "spawn spawn",
      silent: "handshake timeout",
      unreachable: expect.stringContaining("network"),
      "unknown-revision": "handshake protocol"
    })

    const odd = yield* manager.client("odd")
    const names = (yield* odd.tools).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["good1", "good2", "good3", "fix1", "fix2", "fix8"]))
    expect(yield* odd.warnings).toHaveLength(4)
  })
)

it.scopedLive("a program that dies in a call is lost at once, with its last words, and comes back by itself", () =>
  Effect.gen(function* () {
    const manager = yield* manage([program("crash", "crash", "call")])
    yield* manager.start
    const client = yield* manager.client("crash")
    const [tool] = yield* client.tools
    expect(yield* Effect.flip(client.callTool(tool?.name ?? "", {}))).toMatchObject({ phase: "call", kind: "exit" })
    yield* becomes(manager, "crash", "Reconnecting")
    const before = yield* manager.diagnostics("crash")
    expect(before.stderr).toContain("boom")
    yield* becomes(manager, "crash", "Connected")
    const after = yield* manager.diagnostics("crash")
    expect(after.pid).not.toBe(before.pid)
    expect(after.stderr).toContain("boom")
    expect(yield* manager.reconnect("crash")).toMatchObject({ _tag: "Connected" })
  })
)

it.live("closing the Manager leaves no process, in the middle of a handshake too", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const manager = yield* manage([
      program("healthy", "null-optionals"),
      ServerConfig.stdio("silent", { command: process.execPath, args: ["-e", "process.stdin.resume()"] })
    ]).pipe(Scope.extend(scope))
    yield* Effect.fork(manager.start)
    yield* becomes(manager, "healthy", "Connected")
    const pids = yield* Effect.forEach(["healthy", "silent"], manager.diagnostics).pipe(
      Effect.map((all) => all.flatMap(({ pid }) => pid ?? []))
    )
    expect(pids).toHaveLength(2)
    yield* Scope.close(scope, Exit.void)
    yield* allGone(pids)
  })
)
