/**
 * How the Manager gets the transport of a server: configuration in, connection out. Replacing this one layer runs the whole
 * program on other transports.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { McpError } from "./McpError.ts"
import type * as McpTransport from "./McpTransport.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import * as StdioTransport from "./StdioTransport.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Opens a connection that lives as long as the Scope. Does not wait for a handshake. */
  readonly make: (config: ServerConfig) => Effect.Effect<McpTransport.Service, McpError, Scope.Scope>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class TransportFactory extends Context.Tag("harness9/TransportFactory")<TransportFactory, Service>() {}

/**
 * Real connections: programs over stdio, addresses over HTTP. The HTTP client is loaded when the first entry needs it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<TransportFactory> = Layer.succeed(TransportFactory, {
  make: ({ name: server, transport }) => {
    switch (transport._tag) {
      case "stdio":
        return StdioTransport.make({ ...transport, server })
      case "http":
        return Effect.flatMap(
          Effect.promise(() => import("./RemoteTransport.ts")),
          (RemoteTransport) => RemoteTransport.make({ ...transport, server })
        )
      case "sse":
        return Effect.flatMap(
          Effect.promise(() => import("./SseTransport.ts")),
          (SseTransport) => SseTransport.make({ ...transport, server })
        )
    }
  }
})
