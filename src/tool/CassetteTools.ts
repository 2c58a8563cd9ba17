/**
 * Recording and replaying the tools that run in the program itself. A replay runs none of them: a command or a change of a file is
 * not done again, its recorded result is given.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Entry, ReplayDifference } from "../mcp/Cassette.ts"
import type * as CassettePlayer from "../mcp/CassettePlayer.ts"
import type * as CassetteRecorder from "../mcp/CassetteRecorder.ts"
import type { JsonObject } from "../mcp/JsonRpc.ts"
import * as Tool from "./Tool.ts"

/**
 * What is made of a tool.
 *
 * @since 0.1.0
 * @category models
 */
export type Through = (tool: Tool.Tool) => Tool.Tool

/**
 * The tool with its calls and results recorded.
 *
 * @since 0.1.0
 * @category constructors
 */
export const record = (recorder: CassetteRecorder.Service): Through => {
  let lastId = 0
  return (tool) => ({
    ...tool,
    run: (args, options) =>
      Effect.suspend(() => {
        const id = ++lastId
        const write = (direction: Entry["direction"], kind: Entry["kind"], message: JsonObject) =>
          recorder.write({ with: "tool", direction, kind, id, message })
        return write("out", "request", { tool: tool.name, arguments: args }).pipe(
          Effect.zipRight(tool.run(args, options)),
          Effect.tap((result) => write("in", "reply", { result })),
          Effect.onInterrupt(() => write("out", "cancel", {}))
        )
      })
  })
}

/**
 * The tool with its recorded results.
 *
 * @since 0.1.0
 * @category constructors
 */
export const replay = Effect.fnUntraced(function* (
  player: CassettePlayer.Service
): Effect.fn.Return<Through, never, Scope.Scope> {
  const open = new Map<Entry["id"], Deferred.Deferred<Tool.ToolResult>>()
  let differs: ReplayDifference | undefined
  const settle = (id: Entry["id"], result: Tool.ToolResult) => {
    const waiting = open.get(id)
    open.delete(id)
    if (waiting !== undefined) Deferred.unsafeDone(waiting, Effect.succeed(result))
  }
  const played = yield* player.play(
    { with: "tool" },
    {
      receive: ({ id, message }) => settle(id, resultOf(message.result)),
      fail: (difference) => {
        differs = difference
        for (const id of [...open.keys()]) settle(id, Tool.failure(difference.message))
      }
    }
  )
  return (tool) => ({
    ...tool,
    run: (args) =>
      Effect.gen(function* () {
        const entry = played.sent("request", { tool: tool.name, arguments: args })
        if (entry === undefined) return Tool.failure(differs?.message ?? "The recording is over.")
        const result = yield* Deferred.make<Tool.ToolResult>()
        open.set(entry.id, result)
        return yield* Effect.onInterrupt(Deferred.await(result), () => Effect.sync(() => played.cancelled(entry.id)))
      })
  })
})

const resultOf = (recorded: unknown): Tool.ToolResult =>
  // It was recorded as it is, and its text is all that the model is told.
  recorded as Tool.ToolResult
