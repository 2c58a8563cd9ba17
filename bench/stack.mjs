/**
 * A tool call through everything: registry, adapter, client and transport, against the client alone.
 */
import { Effect } from "effect"
import { McpToolAdapter, ToolRegistry } from "harness9"
import { program } from "./peers.mjs"
import * as product from "./product.mjs"
import { publish, speed } from "./report.mjs"
import { amount, rounds } from "./rounds.mjs"

const { client, close } = await product.stdio(program())
const registry = await Effect.runPromise(ToolRegistry.make)
const tools = await Effect.runPromise(client.tools)
await Effect.runPromise(
  registry.register(
    { id: "mcp:raw", rank: 0 },
    tools.map((tool) => McpToolAdapter.fromTool("raw", tool, Effect.succeed(client)))
  )
)

const measure = (count, concurrency, times = amount(5, 15)) =>
  rounds(
    {
      "McpClient.callTool": () => product.calls((args) => client.callTool("tool_0", args), count, concurrency),
      harness9: () => product.calls((args) => registry.execute("mcp__raw__tool_0", args), count, concurrency)
    },
    times
  )

// What is measured is a program that has been running for a while.
await measure(6400, 64, 1)
publish([
  speed("the whole stack, one call after another", await measure(500, 1), "McpClient.callTool", 0.8),
  speed("the whole stack, 64 calls at once", await measure(3200, 64), "McpClient.callTool", 0.8)
])
await close()
