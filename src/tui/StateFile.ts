/**
 * Where the UI keeps what outlives a session: `$XDG_STATE_HOME/harness9`.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/**
 * The path of a file there. A relative `XDG_STATE_HOME` does not count, as the specification of those directories says.
 *
 * @since 0.1.0
 * @category constructors
 */
export const path = (name: string, env: Readonly<Record<string, string | undefined>> = process.env): string => {
  const configured = env.XDG_STATE_HOME ?? ""
  return join(isAbsolute(configured) ? configured : join(homedir(), ".local", "state"), "harness9", name)
}
