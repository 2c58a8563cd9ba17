/**
 * A whole command line in `command`: no program has that name, no shell is asked to read it, and a person is told what to write.
 */
import { delimiter, isAbsolute, join, resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Problem } from "../../McpConfig.ts"
import type { ServerConfig, Stdio } from "../../ServerConfig.ts"
import type { Environment } from "./Expansion.ts"

/** A problem for each server whose `command` has spaces and is no program that there is. */
export const problems = (
  servers: ReadonlyArray<ServerConfig>,
  env: Environment
): Effect.Effect<ReadonlyArray<Problem>, never, FileSystem.FileSystem> =>
  Effect.map(
    Effect.forEach(servers, ({ disabled, name, source, transport }) =>
      disabled || transport._tag !== "stdio" || !/\S\s+\S/.test(transport.command)
        ? Effect.succeed([])
        : Effect.map(isThere(transport, env), (found) =>
            found
              ? []
              : [{ server: name, ...(source === undefined ? {} : { path: source }), message: advice(transport) }]
          )
    ),
    (found) => found.flat()
  )

const isThere = ({ command, cwd, env: own }: Stdio, env: Environment) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => {
    const hasFolder = isAbsolute(command) || /[/\\]/.test(command)
    const path = own.PATH ?? env.PATH ?? ""
    const candidates = hasFolder
      ? [resolve(cwd, command)]
      : path.split(delimiter).map((folder) => join(resolve(cwd, folder), command))
    return Effect.exists(candidates, (file) => Effect.orElseSucceed(fs.exists(file), () => false))
  })

/** Only the program is told: the rest may hold a secret. */
const advice = ({ command }: Stdio): string => {
  const [program = ""] = command.trim().split(/\s+/)
  return `"command" looks like a whole command line: write "command": "${program}" and move the rest to "args", each argument a text of its own`
}
