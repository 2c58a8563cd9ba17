/**
 * How the Manager gets the transport of a server: configuration in, connection out. Replacing this one layer runs the whole
 * program on other transports.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { McpError } from "./McpError.ts"
import type * as McpTransport from "./McpTransport.ts"
import type { ServerConfig } from "./ServerConfig.ts"

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
