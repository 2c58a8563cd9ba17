/**
 * How a server's tool is called in the registry: `mcp__{server}__{tool}`.
 *
 * Letters of any script, digits and `_` stay; every other character becomes `_`, in server and tool alike. Two different
 * tools can meet in one name: the registry resolves that, and never splits a name to find its server.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"

const sanitize = (part: string): string => part.replace(/[^\p{L}\p{N}_]/gu, "_")

/**
 * The registry name of a server's tool.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (server: string, tool: string): string => `mcp__${sanitize(server)}__${sanitize(tool)}`

/**
 * The name that a model's API is given: at most 64 characters of `[A-Za-z0-9_-]`, beginning with a letter or `_`. A name
 * that had to be changed ends in a hash of the whole, so that it is the same in every run and meets no other.
 *
 * @since 0.1.0
 * @category constructors
 */
export const forModel = (name: string): string => {
  if (/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name)) return name
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8)
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^(?![A-Za-z_])/, "_")
  return `${plain.slice(0, 55)}_${hash}`
}
