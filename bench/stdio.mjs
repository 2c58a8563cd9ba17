/**
 * Tool calls over stdio: one after another, and 64 at once. What spans cost where a tracer is installed is told beside it; where none
 * is, no part of a call knows of them.
 */
import { bareStdio, peerProgram, program, sdk1Stdio, sdk2Stdio } from "./peers.mjs"
import * as product from "./product.mjs"
import { medians, publish, speed } from "./report.mjs"
import { amount, pool, rounds } from "./rounds.mjs"

const peers = {
  "the bare loop": await bareStdio(peerProgram()),
  "SDK 1.32": await sdk1Stdio(peerProgram()),
  "SDK 2.4": await sdk2Stdio(peerProgram())
}
const { client, close } = await product.stdio(program())
const traced = await product.stdioTraced(program())
const call = (args) => client.callTool("tool_0", args)
const callTraced = (args) => traced.client.callTool("tool_0", args)

const measure = (count, concurrency, times = amount(5, 15)) =>
  rounds(
    {
      ...Object.fromEntries(
        Object.entries(peers).map(([name, peer]) => [name, () => pool(peer.call, count, concurrency)])
      ),
      harness9: () => product.calls(call, count, concurrency),
      "harness9, traced": () => product.calls(callTraced, count, concurrency)
    },
    times
  )
const perCall = (found, count) =>
  Object.fromEntries(Object.entries(found).map(([name, value]) => [name, (value * 1000) / count]))

// What is measured is a program that has been running for a while.
await measure(6400, 64, 1)
const one = await measure(500, 1)
const many = await measure(3200, 64)

publish([
  speed("stdio, one call after another", one, "SDK 1.32", 1.3),
  speed("stdio, one call after another", one, "the bare loop", 0.8),
  medians("stdio, one call after another", perCall(one, 500), "µs"),
  speed("stdio, 64 calls at once", many, "SDK 1.32", 1.6),
  speed("stdio, 64 calls at once", many, "the bare loop", 0.6),
  medians("stdio, 64 calls at once", perCall(many, 3200), "µs")
])
await Promise.all([close(), traced.close(), ...Object.values(peers).map((peer) => peer.close())])
