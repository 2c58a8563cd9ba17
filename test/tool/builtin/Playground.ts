/**
 * A temporary working directory with the built-in tools rooted in it.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../../src/mcp/JsonRpc.ts"
import * as BuiltinTools from "../../../src/tool/BuiltinTools.ts"
import * as Tool from "../../../src/tool/Tool.ts"

export const make = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Omit<BuiltinTools.Options, "root"> = {}
) {
  const base = yield* Effect.acquireRelease(
    Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "builtin-")))),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
  )
  const root = path.join(base, "root")
  const at = (file: string) => path.join(root, file)
  fs.mkdirSync(root)
  for (const [file, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(at(file)), { recursive: true })
    fs.writeFileSync(at(file), content)
  }
  const tools = yield* Effect.provide(BuiltinTools.make({ ...options, root }), NodeContext.layer)
  const run = (name: string, args: JsonObject, timeout = Duration.seconds(60)): Effect.Effect<Tool.ToolResult> =>
    tools.find((tool) => tool.name === name)?.run(args, { timeout }) ?? Effect.succeed(Tool.failure("no such tool"))
  return {
    /** The parent of the root: outside. */
    base,
    root,
    at,
    tools,
    run,
    read: (file: string) => fs.readFileSync(at(file), "utf8"),
    /** The text of a call that is expected to fail, or to succeed. */
    failure: (name: string, args: JsonObject) =>
      Effect.map(run(name, args), ({ isError, text }) => (isError ? text : `succeeded: ${text}`)),
    success: (name: string, args: JsonObject) =>
      Effect.map(run(name, args), ({ isError, text }) => (isError ? `failed: ${text}` : text))
  }
})
