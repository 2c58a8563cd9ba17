/**
 * The Manager's transports on test servers: the name of each configured server says which one it meets.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Kind, McpError, type Phase } from "../mcp/McpError.ts"
import * as MemoryTransport from "../mcp/MemoryTransport.ts"
import { TransportFactory } from "../mcp/TransportFactory.ts"
import type { TestServer } from "./TestServer.ts"

/**
 * A connection that cannot be opened, and why.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure {
  readonly fail: {
    readonly message: string
    /** Default: `spawn`. */
    readonly kind?: Kind | undefined
    /** Default: `spawn`. */
    readonly phase?: Phase | undefined
    readonly stderr?: string | undefined
  }
}

/**
 * Servers by name. A name that is not there cannot be connected.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (servers: Readonly<Record<string, TestServer | Failure>>): Layer.Layer<TransportFactory> =>
  Layer.succeed(TransportFactory, {
    make: ({ name }) => {
      const server = Object.hasOwn(servers, name) ? servers[name] : undefined
      if (server === undefined) return failed(name, { message: `there is no test server named "${name}"` })
      if ("fail" in server) return failed(name, server.fail)
      return MemoryTransport.make({ server: name, handler: server.handler })
    }
  })

const failed = (server: string, { kind = "spawn", phase = "spawn", ...rest }: Failure["fail"]) =>
  Effect.fail(new McpError({ server, phase, kind, ...rest }))
