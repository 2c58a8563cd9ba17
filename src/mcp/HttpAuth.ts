/**
 * How an HTTP transport gets its credentials: asked before each message, and told when a server refuses one.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { McpError } from "./McpError.ts"

/**
 * A server's refusal for want of a login.
 *
 * @since 0.1.0
 * @category models
 */
export interface Challenge {
  /** 401: no login, or one that no longer counts. 403: a login that does not reach far enough (`insufficient_scope`). */
  readonly status: 401 | 403
  /** The `WWW-Authenticate` header as it came. */
  readonly wwwAuthenticate: string | undefined
  /** The address of the MCP server. */
  readonly url: URL
  /** The fields that the refused message got from `headers`: there may be better ones by now. */
  readonly sent?: Readonly<Record<string, string>> | undefined
}

/**
 * Credentials for one server.
 *
 * @since 0.1.0
 * @category models
 */
export interface HttpAuth {
  /** The header fields to add to a message, `authorization` as a rule; they replace the entry's own of the same name. */
  readonly headers: (request: {
    readonly method: "POST" | "GET" | "DELETE"
    readonly url: URL
  }) => Effect.Effect<Readonly<Record<string, string>>, McpError>
  /**
   * Tries to get better credentials. True: the message is sent again with new `headers`; it may be refused and asked for
   * again, three times in all. False: the message fails with kind `needs-auth`.
   */
  readonly unauthorized: (challenge: Challenge) => Effect.Effect<boolean, McpError>
  /** Told of the head of every reply, before `unauthorized`: a DPoP nonce may come with any of them. */
  readonly replied?: ((reply: Reply) => void) | undefined
}

/**
 * The head of a server's reply.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reply {
  readonly url: URL
  readonly status: number
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}
