/**
 * A transport of one's own: MCP over a TCP socket, a message a line. `MemoryTransport` takes care of requests, replies, timeouts and
 * cancellation; all that is left is to carry messages there and back.
 */
import { connect, createServer, type Socket } from "node:net"
import { createInterface } from "node:readline"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Runtime } from "effect"
import { JsonRpc, McpError, McpManager, MemoryTransport, ServerConfig, TransportFactory } from "harness9"

const overSocket =
  (port: number, server: string): MemoryTransport.MemoryServer =>
  (client) =>
    Effect.gen(function* () {
      const run = Runtime.runFork(yield* Effect.runtime<never>())
      // Acquired in the scope of the connection: closing that ends the socket.
      const socket = yield* Effect.acquireRelease(opened(port, server), (socket) => Effect.sync(() => socket.destroy()))
      createInterface({ input: socket }).on("line", (line) => run(client.send(JsonRpc.parseObject(line))))
      socket.on("close", () => run(client.close({ kind: "closed", message: "the socket was closed" })))
      return (message) => Effect.sync(() => socket.write(`${encode(message)}\n`))
    })

const opened = (port: number, server: string) =>
  Effect.async<Socket, McpError.McpError>((resume) => {
    const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    socket.once("error", ({ message }) =>
      resume(new McpError.McpError({ server, phase: "connect", kind: "network", message }))
    )
  })

const encode = (message: MemoryTransport.ClientMessage): string => {
  switch (message._tag) {
    case "Request":
      return JsonRpc.encodeRequest(message.id, message.method, message.params)
    case "Notification":
      return JsonRpc.encodeNotification(message.method, message.params)
    case "Response":
      return JsonRpc.encodeReply(message.id, message.reply)
  }
}

/** A server on a socket, with one tool. A real one would run somewhere else. */
const listening = Effect.async<number>((resume) => {
  const answers = (method: unknown, params: JsonRpc.JsonObject) =>
    method === "initialize"
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "tcp", version: "1" }
        }
      : method === "tools/list"
        ? { tools: [{ name: "hello", inputSchema: { type: "object" } }] }
        : { content: [{ type: "text", text: "hello over TCP" }] }
  const server = createServer((socket) => {
    createInterface({ input: socket }).on("line", (line) => {
      const { id, method, params } = JsonRpc.parseObject(line) ?? {}
      const result = answers(method, JsonRpc.isObject(params) ? params : {})
      if (id !== undefined) socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`)
    })
  })
  server.unref().listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (typeof address === "object" && address !== null) resume(Effect.succeed(address.port))
  })
})

/** Servers whose command is `tcp` come over the socket, all others as they always do. */
const Transports = (port: number) =>
  Layer.effect(
    TransportFactory.TransportFactory,
    Effect.map(TransportFactory.TransportFactory, (others) => ({
      make: (config) =>
        config.transport._tag === "stdio" && config.transport.command === "tcp"
          ? MemoryTransport.make({ server: config.name, handler: overSocket(port, config.name) })
          : others.make(config)
    }))
  ).pipe(Layer.provide(TransportFactory.layer))

Effect.gen(function* () {
  const servers = McpManager.layerConfig([ServerConfig.stdio("remote", { command: "tcp" })])
  const call = Effect.gen(function* () {
    const manager = yield* McpManager.McpManager
    yield* manager.start
    const client = yield* manager.client("remote")
    return yield* client.callTool("hello", {})
  })
  const { text } = yield* Effect.provide(call, Layer.provide(servers, Transports(yield* listening)))
  yield* Console.log(text)
}).pipe(NodeRuntime.runMain)
