/**
 * Clients on servers in memory.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import type { McpError } from "../../src/mcp/McpError.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import type * as TestServer from "../../src/testing/TestServer.ts"

/** Connects to a server, as a program that has these features. */
export const connect = (
  server: Pick<TestServer.TestServer, "handler">,
  features: ClientFeatures.Service = {},
  options: McpClient.Options = {}
): Effect.Effect<McpClient.Service, McpError, Scope.Scope> =>
  Effect.flatMap(MemoryTransport.make({ server: "test", handler: server.handler }), (transport) =>
    McpClient.make(options).pipe(
      Effect.provideService(McpTransport.McpTransport, transport),
      Effect.provideService(ClientFeatures.ClientFeatures, features)
    )
  )

/** The requests and notifications that a server received. */
export const received = (server: TestServer.TestServer) =>
  Effect.map(server.messages, (messages) =>
    messages.flatMap((message) => (message._tag === "Response" ? [] : [message]))
  )

/** Their methods. */
export const methods = (server: TestServer.TestServer) =>
  Effect.map(received(server), (messages) => messages.map(({ method }) => method))
