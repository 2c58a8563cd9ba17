/**
 * What an HTTP transport remembers of the conversation: the session that `initialize` opened and the revision that was agreed
 * on; and the header fields that make a message part of it.
 */
import type { JsonObject } from "../../JsonRpc.ts"
import type { McpError } from "../../McpError.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import * as HttpFields from "./HttpFields.ts"

/** The fields of one message. */
export interface Belonging {
  readonly own: HttpFields.Fields
  /** The message stands for itself, as those of a stateless revision do. */
  readonly stateless: boolean
  /** The session that it names. */
  readonly session: string | undefined
}

export interface HttpSession {
  /** An `initialize` is about to be sent: nothing of an earlier session counts any more. */
  readonly begin: () => void
  /** The id that came with the reply to `initialize`; it counts once `adopt` says that the reply was a success. */
  readonly offer: (id: string | undefined) => void
  readonly adopt: () => void
  readonly agree: (version: ProtocolVersion.ProtocolVersion) => void
  /** Forgets the session if that is what the error says, and if it is still the one that the message named. */
  readonly dropIfLost: (error: McpError, named: string | undefined) => void
  readonly isOpen: () => boolean
  readonly isStateless: () => boolean
  /** The fields of session and revision. */
  readonly fields: () => HttpFields.Fields
  /**
   * The fields of a message. Its own say best which revision it is of, then its `_meta`, then what was agreed on. A response
   * has no method.
   */
  readonly of: (
    message: { readonly method?: string; readonly params?: JsonObject | undefined },
    extra: HttpFields.Fields | undefined
  ) => Belonging
}

export const make = (): HttpSession => {
  let version: ProtocolVersion.ProtocolVersion | undefined
  let session: string | undefined
  let offered: string | undefined

  const fields = (): HttpFields.Fields => ({
    ...(version === undefined ? undefined : { "mcp-protocol-version": version }),
    ...(session === undefined ? undefined : { "mcp-session-id": session })
  })

  return {
    begin: () => {
      version = undefined
      session = undefined
      offered = undefined
    },
    offer: (id) => {
      offered = id
    },
    adopt: () => {
      session = offered
    },
    agree: (agreed) => {
      version = agreed
    },
    dropIfLost: (error, named) => {
      if (error.kind === "session-lost" && named === session) session = undefined
    },
    isOpen: () => session !== undefined,
    isStateless: () => ProtocolVersion.isModern(version),
    fields,
    of: ({ method, params }, extra) => {
      const given = HttpFields.join(extra)
      const revision = given["mcp-protocol-version"] ?? HttpFields.bodyVersion(params) ?? version
      if (method !== undefined && ProtocolVersion.isModern(revision)) {
        const own = { ...HttpFields.standard(revision, method, params), ...given }
        return { own, stateless: true, session: undefined }
      }
      return method === "initialize"
        ? { own: given, stateless: false, session: undefined }
        : { own: { ...fields(), ...given }, stateless: false, session }
    }
  }
}
