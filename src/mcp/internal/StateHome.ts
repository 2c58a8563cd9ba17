/**
 * Where harness9 keeps what outlives a run and is nobody's to edit: `$XDG_STATE_HOME/harness9`.
 */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** A file or folder in it. A relative `XDG_STATE_HOME` does not count, as the specification of those directories says. */
export const path = (name: string, env: Readonly<Record<string, string | undefined>> = process.env): string => {
  const { LOCALAPPDATA, XDG_STATE_HOME = "" } = env
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, "harness9", name)
  const home = process.platform === "win32" && LOCALAPPDATA ? LOCALAPPDATA : join(homedir(), ".local", "state")
  return join(home, "harness9", name)
}
