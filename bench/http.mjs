/**
 * Tool calls over Streamable HTTP with sockets that are kept: replies as JSON and as event streams.
 */
import { bareHttp, httpServer, sdk1Http, sdk2Http } from "./peers.mjs"
import * as product from "./product.mjs"
import { medians, publish, speed } from "./report.mjs"
import { amount, pool, rounds } from "./rounds.mjs"

const server = await httpServer()

const measure = async (path) => {
  const url = `${server.url}/${path}`
  const peers = {
    "the bare loop": await bareHttp(url),
    "SDK 1.32": await sdk1Http(url),
    "SDK 2.4": await sdk2Http(url)
  }
  const { client, close } = await product.http(url)
  const call = (args) => client.callTool("tool_0", args)
  const of = (count, concurrency, times = amount(5, 15)) =>
    rounds(
      {
        ...Object.fromEntries(
          Object.entries(peers).map(([name, peer]) => [name, () => pool(peer.call, count, concurrency)])
        ),
        harness9: () => product.calls(call, count, concurrency)
      },
      times
    )
  // What is measured is a program that has been running for a while.
  await of(1600, 64, 1)
  const rows = [
    ...rowsOf(`HTTP, ${path.toUpperCase()}, one call after another`, await of(200, 1), 200),
    ...rowsOf(`HTTP, ${path.toUpperCase()}, 64 calls at once`, await of(640, 64), 640)
  ]
  await Promise.all([close(), ...Object.values(peers).map((peer) => peer.close())])
  return rows
}

const rowsOf = (what, found, count) => [
  speed(what, found, "SDK 1.32", 1.2),
  speed(what, found, "the bare loop", 0.7),
  medians(what, Object.fromEntries(Object.entries(found).map(([name, value]) => [name, (value * 1000) / count])), "µs")
]

publish([...(await measure("json")), ...(await measure("sse"))])
server.close()
