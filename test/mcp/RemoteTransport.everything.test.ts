/** The published `server-everything`, over both of its HTTP transports. */
import { spawn } from "node:child_process"
import * as net from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Progress } from "../../src/mcp/McpSchema.ts"
import * as RemoteTransport from "../../src/mcp/RemoteTransport.ts"

const program = `${import.meta.dirname}/../../node_modules/@modelcontextprotocol/server-everything/dist/index.js`

const freePort = Effect.async<number>((resume) => {
  const server = net.createServer()
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as net.AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

const everything = (mode: "streamableHttp" | "sse") =>
  Effect.gen(function* () {
    const port = yield* freePort
    const child = spawn(process.execPath, [program, mode], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, PORT: String(port) }
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    yield* Effect.async<void>((resume) => {
      child.stderr.on("data", (chunk) => {
        if (String(chunk).includes(String(port))) resume(Effect.void)
      })
    })
    return `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`
  })

for (const [mode, kind] of [
  ["streamableHttp", "http"],
  ["sse", "sse"]
] as const) {
  describe(`server-everything, ${mode}`, () => {
    it.scopedLive("shakes hands, lists, calls with progress, and asks back", () =>
      Effect.gen(function* () {
        const url = yield* everything(mode)
        const transport = yield* RemoteTransport.make({ server: "everything", url })
        const agreed = yield* transport.request("initialize", {
          protocolVersion: "2025-11-25",
          capabilities: { roots: {} },
          clientInfo: { name: "test", version: "1.0.0" }
        })
        expect(agreed).toMatchObject({ protocolVersion: "2025-11-25" })
        expect(transport.kind).toBe(kind)
        yield* transport.negotiated("2025-11-25")
        yield* transport.notify("notifications/initialized")
        const asked = yield* transport.inbound.pipe(
          Stream.filter((message) => message._tag === "Request"),
          Stream.runHead,
          Effect.fork
        )
        expect(yield* transport.request("tools/call", { name: "echo", arguments: { message: "hello" } })).toMatchObject(
          {
            content: [{ type: "text", text: "Echo: hello" }]
          }
        )
        const seen: Array<Progress> = []
        yield* transport.request(
          "tools/call",
          { name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 2 } },
          { onProgress: (progress) => Effect.sync(() => seen.push(progress)) }
        )
        expect(seen.length).toBeGreaterThan(0)
        expect(yield* Effect.fromFiber(asked)).toMatchObject({ value: { method: "roots/list" } })
      })
    )
  })
}
