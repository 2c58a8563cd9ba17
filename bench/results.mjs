/**
 * Big results, many results, and a server that floods stderr meanwhile: the time, and what memory is left afterwards.
 */
import { setTimeout } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"
import { bareStdio, peerProgram, program } from "./peers.mjs"
import * as product from "./product.mjs"
import { atMost, cost, medians, publish } from "./report.mjs"
import { amount, pool, rounds } from "./rounds.mjs"

const MiB = 1024 * 1024
const bare = await bareStdio(peerProgram())
const { client, close } = await product.stdio(program())
const call = (args) => client.callTool("tool_0", args)
const once = (args) => Effect.runPromise(call(args))

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")
const memory = async () => {
  await setTimeout(50)
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / MiB
}

const against = (bareWork, work, count) => rounds({ "the bare loop": bareWork, harness9: work }, count)
const big = { characters: 32 * MiB }
const small = { characters: 1024 }
const flood = { text: "flooded", stderr: 1024 }
const results = amount(2_000, 10_000)

await pool((args) => bare.call({ ...small, ...args }), 500, 64)
await product.calls((args) => call({ ...small, ...args }), 500, 64)
const before = await memory()
const one = await against(
  () => bare.call(big),
  () => once(big),
  amount(3, 7)
)
const many = await against(
  () => pool(() => bare.call(small), results, 64),
  () => product.calls(() => call(small), results, 64),
  amount(3, 5)
)
const flooded = await against(
  () => pool(() => bare.call(flood), amount(32, 256), 4),
  () => product.calls(() => call(flood), amount(32, 256), 4),
  1
)
const after = await memory()

publish([
  cost("a result of 32 MiB", one, "the bare loop", 1.3),
  medians("a result of 32 MiB", one, "ms"),
  cost(`${results} results of 1 KiB, 64 at once`, many, "the bare loop", 1.3),
  cost(`${amount(32, 256)} MiB of stderr beside the results`, flooded, "the bare loop", 1.3),
  atMost("memory afterwards, over that before", Math.max(0, after - before), 4, "MiB")
])
await Promise.all([close(), bare.close()])
