/**
 * The errors of a login: which step failed, at which address, and why. Never with a token, a code, a verifier or a secret.
 */
import { type Kind, McpError } from "../McpError.ts"
import * as VisibleText from "../VisibleText.ts"

/** An address without what may be secret in it. */
export const place = (url: string | URL): string => {
  const text = String(url)
  if (!URL.canParse(text)) return "an address that cannot be read"
  const { host, pathname, protocol } = new URL(text)
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`
}

/** Foreign words, in one line that is not too long. */
export const said = (text: string): string => {
  const line = VisibleText.oneLine(text)
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}

export const make = (server: string, kind: Kind, message: string, hint?: string): McpError =>
  new McpError({ server, phase: "auth", kind, message, hint })

/** Something that a server or an authorization server said breaks the rules: the login ends there. */
export const refuse = (server: string, message: string, hint?: string): McpError =>
  make(server, "protocol", `login refused: ${message}`, hint)

/** Nothing helps but a person who logs in. */
export const needsLogin = (server: string, message: string, status?: 401 | 403): McpError =>
  new McpError({
    server,
    phase: "auth",
    kind: "needs-auth",
    message,
    hint: `Log in with: harness9 mcp login ${/^[\w.-]+$/.test(server) ? server : JSON.stringify(server)}`,
    status
  })
