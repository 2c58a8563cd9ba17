/**
 * What `--sandbox` means: how the commands of the `bash` tool are confined.
 *
 * @since 0.1.0
 */
import type { Sandbox } from "../mcp/Sandbox.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Mode = "workspace" | "offline" | undefined

/**
 * The sandbox of a mode: the working directory may be changed, and `offline` has no network.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (mode: Mode): Sandbox | undefined =>
  mode === undefined ? undefined : { network: mode === "workspace", writable: [process.cwd()] }

/**
 * What the sandbox bar says of it, beside the working directory.
 *
 * @since 0.1.0
 * @category formatting
 */
export const label = (mode: Mode): string | undefined =>
  mode === undefined ? undefined : `bash changes only this directory${mode === "offline" ? ", no network" : ""}`
