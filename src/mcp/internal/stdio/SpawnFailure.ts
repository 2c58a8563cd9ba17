/**
 * Why a program could not be started, in words that say what to do.
 *
 * The system says ENOENT for a missing program, a missing working directory and a missing interpreter alike: they are told
 * apart here. Its error object is not kept as the cause: it holds arguments and environment values.
 */
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { McpError } from "../../McpError.ts"

export interface Attempt {
  readonly server: string
  readonly command: string
  readonly cwd: string | undefined
}

export const make = (attempt: Attempt, cause: unknown): McpError => {
  const { hint, message } = explain(attempt, codeOf(cause))
  return new McpError({ server: attempt.server, phase: "spawn", kind: "spawn", message, hint })
}

interface Explanation {
  readonly message: string
  readonly hint?: string
}

const explain = ({ command, cwd }: Attempt, code: string): Explanation => {
  if (command.trim() === "") return { message: "the command is empty", hint: "Name a program." }
  if (cwd !== undefined && kindOf(cwd) !== "directory") {
    const message = kindOf(cwd) === "nothing" ? "does not exist" : "is not a directory"
    return { message: `the working directory ${cwd} ${message}`, hint: "Correct the entry's cwd." }
  }
  const target = kindOf(resolve(cwd ?? "", command))
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return notFound(command, target)
    case "EACCES":
    case "EPERM":
      return target === "directory"
        ? { message: `${command} is a directory`, hint: "The command must name a program." }
        : { message: `${command} may not be executed`, hint: `Make it executable: chmod +x ${command}` }
    case "ERR_INVALID_ARG_VALUE":
      return { message: `${command} cannot be started: the command, an argument or a variable holds a NUL character` }
    case "E2BIG":
      return { message: `${command} cannot be started: its arguments and environment are too large` }
    case "EMFILE":
    case "ENFILE":
      return { message: `${command} cannot be started: too many open files`, hint: "Raise the limit (ulimit -n)." }
    default:
      return { message: `${command} cannot be started (${code})` }
  }
}

const notFound = (command: string, target: Kind): Explanation => {
  if (!/[\\/]/.test(command)) {
    return {
      message: `command not found: ${shown(command)} (looked for it in PATH)`,
      hint: hasSpace(command) ? splitHint : "Install it, or write the full path of the program."
    }
  }
  if (target !== "nothing") {
    return {
      message: `${command} exists, but the program that should run it does not`,
      hint: "Look at its first line (#!)."
    }
  }
  return {
    message: `command not found: ${shown(command)}`,
    hint: hasSpace(command) ? splitHint : "Correct the path of the command."
  }
}

const splitHint = "The command is the program alone: put the rest into args."

/** Of a whole command line the program alone: the rest may hold a secret. */
const shown = (command: string): string => (hasSpace(command) ? `${command.trim().split(/\s/)[0]} …` : command)

const hasSpace = (command: string): boolean => /\s/.test(command.trim())

type Kind = "nothing" | "directory" | "file"

const kindOf = (path: string): Kind => {
  try {
    return statSync(path).isDirectory() ? "directory" : "file"
  } catch {
    return "nothing"
  }
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown reason"
