import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import * as Sandbox from "../../src/mcp/Sandbox.ts"
import * as StdioTransport from "../../src/mcp/StdioTransport.ts"

/** Asked in another way than the code does. */
const works =
  process.platform === "linux" &&
  spawnSync("bwrap", ["--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"]).status === 0

const reach = fileURLToPath(new URL("../fixtures/stdio/reach.mjs", import.meta.url))

const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "sandbox-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What the tool of a server in this sandbox says. */
const ask = (sandbox: Sandbox.Sandbox, args: Parameters<McpClient.Service["callTool"]>[1], cwd?: string) =>
  Effect.gen(function* () {
    const client = yield* McpClient.make()
    return (yield* client.callTool("reach", args)).text
  }).pipe(Effect.provide(StdioTransport.layer({ server: "s", command: process.execPath, args: [reach], cwd, sandbox })))

const nothing: Sandbox.Sandbox = { network: false, writable: [] }

describe("the sandbox of an entry", () => {
  const sandboxOf = (sandbox: unknown) => {
    const text = JSON.stringify({ mcpServers: { s: { command: "x", sandbox } } })
    const file = McpConfig.parse(text, { path: "/p/.mcp.json", cwd: "/p", env: { HOME: "/h", DATA: "/data" } })
    return Either.map(file, ({ problems, servers: [server] }) => ({
      problems: problems.map(({ message }) => message),
      sandbox: server?.transport._tag === "stdio" ? server.transport.sandbox : "unusable"
    })).pipe(Either.getOrThrow)
  }

  it("true allows nothing; what may be written is absolute, from the file's folder", () => {
    expect(sandboxOf(true)).toEqual({ sandbox: { network: false, writable: [] }, problems: [] })
    expect(sandboxOf({ network: true, writable: ["data", "~/x", "${DATA}/y"] })).toEqual({
      sandbox: { network: true, writable: ["/p/data", "/h/x", "/data/y"] },
      problems: []
    })
    expect(sandboxOf(false)).toEqual({ sandbox: undefined, problems: [] })
  })

  it.each(["yes", { net: true }, { writable: "all" }, null])(
    "%j is an entry that cannot be used, not one without a sandbox",
    (value) => {
      const { problems, sandbox } = sandboxOf(value)
      expect(sandbox).toBe("unusable")
      expect(problems.join()).toContain("sandbox")
    }
  )

  it("is described in a few words", () => {
    expect(Sandbox.describe(nothing)).toBe("writes nothing, no network")
    expect(Sandbox.describe({ network: true, writable: ["/a", "/b"] })).toBe("writes only in /a, /b, network")
  })
})

describe("where there is no sandbox", () => {
  it.scopedLive("what was to be confined is not started, and a person is told what to do", () =>
    Effect.gen(function* () {
      const marker = join(yield* folder, "marker")
      const path = process.env.PATH
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          process.env.PATH = "/nowhere"
        }),
        () =>
          Effect.sync(() => {
            process.env.PATH = path
          })
      )
      const error = yield* StdioTransport.make({
        server: "s",
        command: process.execPath,
        args: [reach],
        env: { MARKER: marker },
        sandbox: nothing
      }).pipe(Effect.flip)
      expect(error).toMatchObject({ phase: "spawn", kind: "spawn", message: expect.stringContaining("not started") })
      expect(error.hint).toBeTruthy()
      expect(existsSync(marker)).toBe(false)
    })
  )
})

describe.runIf(works)("a confined server", () => {
  it.scopedLive("writes nothing but what it may", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      mkdirSync(join(cwd, "data"))
      const sandbox = { network: false, writable: [join(cwd, "data")] }
      const write = (path: string) => Effect.scoped(ask(sandbox, { writes: path }, cwd))
      expect(yield* write(join(cwd, "outside"))).toBe("EROFS")
      expect(yield* write(join(homedir(), "outside"))).toBe("EROFS")
      expect(yield* write(join(cwd, "data", "inside"))).toBe("written")
      expect([existsSync(join(cwd, "outside")), existsSync(join(cwd, "data", "inside"))]).toEqual([false, true])
    })
  )

  it.scopedLive("has a /tmp of its own", () =>
    Effect.gen(function* () {
      const other = yield* folder
      const cwd = yield* folder
      const path = `/tmp/sandbox-test-${process.pid}`
      expect(yield* ask(nothing, { writes: path }, cwd)).toBe("written")
      expect(existsSync(path)).toBe(false)
      expect((yield* ask(nothing, { lists: "/tmp" }, cwd)).split(",")).not.toContain(other.split("/").at(-1))
    })
  )

  it.scopedLive("reaches the network only where it may", () =>
    Effect.gen(function* () {
      const listening = yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((socket) => socket.on("error", () => {}))
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      // A listening TCP server has an address with a port.
      const { port } = listening.address() as AddressInfo
      expect(yield* ask(nothing, { port })).not.toBe("connected")
      expect(yield* ask({ ...nothing, network: true }, { port })).toBe("connected")
    })
  )

  it.scopedLive("does not see credentials of the home folder, nor the sockets of services", () =>
    Effect.gen(function* () {
      const home = yield* folder
      mkdirSync(join(home, ".ssh"))
      writeFileSync(join(home, ".ssh", "id_ed25519"), "secret")
      const before = process.env.HOME
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          process.env.HOME = home
        }),
        () =>
          Effect.sync(() => {
            process.env.HOME = before
          })
      )
      const sandbox = { network: true, writable: [] }
      expect(yield* ask(sandbox, { lists: join(home, ".ssh") }, home)).toBe("")
      expect((yield* ask(sandbox, { lists: "/run" }, home)).split(",")).not.toContain("docker.sock")
    })
  )

  it.scopedLive("sees no other processes", () =>
    Effect.gen(function* () {
      const listed = (yield* ask(nothing, { lists: "/proc" })).split(",").filter((name) => /^\d+$/.test(name))
      expect(listed.length).toBeLessThan(5)
      expect(listed).not.toContain(String(process.pid))
    })
  )
})
