/**
 * The revisions of MCP that a host meets, and which of them begin with a handshake.
 *
 * @see https://modelcontextprotocol.io/specification
 * @since 0.1.0
 */

/**
 * The revisions with an `initialize` handshake, newest first.
 *
 * @since 0.1.0
 * @category constants
 */
export const legacy = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const

/**
 * The stateless revisions, newest first: no handshake, every request says what the client is and can do.
 *
 * @since 0.1.0
 * @category constants
 */
export const modern = ["2026-07-28"] as const

/**
 * A revision with an `initialize` handshake.
 *
 * @since 0.1.0
 * @category models
 */
export type LegacyVersion = (typeof legacy)[number]

/**
 * A stateless revision.
 *
 * @since 0.1.0
 * @category models
 */
export type ModernVersion = (typeof modern)[number]

/**
 * A revision that harness9 speaks.
 *
 * @since 0.1.0
 * @category models
 */
export type ProtocolVersion = LegacyVersion | ModernVersion

/**
 * The revision offered in `initialize`: the newest that has it.
 *
 * @since 0.1.0
 * @category constants
 */
export const latestLegacy: LegacyVersion = legacy[0]

/**
 * @since 0.1.0
 * @category guards
 */
export const isLegacy = (version: unknown): version is LegacyVersion =>
  (legacy as ReadonlyArray<unknown>).includes(version)

/**
 * @since 0.1.0
 * @category guards
 */
export const isModern = (version: unknown): version is ModernVersion =>
  (modern as ReadonlyArray<unknown>).includes(version)

/**
 * `legacy`: begins with a handshake. `modern`: stateless.
 *
 * @since 0.1.0
 * @category models
 */
export type Era = "legacy" | "modern"

/**
 * @since 0.1.0
 * @category guards
 */
export const era = (version: ProtocolVersion): Era => (isModern(version) ? "modern" : "legacy")

/**
 * Which revision is spoken with a server, and why that one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Negotiation {
  readonly era: Era
  readonly version: ProtocolVersion
  /** For a person, in half a sentence: `the server answered server/discover`. */
  readonly reason: string
}
