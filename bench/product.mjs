/**
 * harness9 as the benchmarks use it: its public API, with the defaults on.
 */
import { Effect, Layer, ManagedRuntime } from "effect"
import { HttpTransport, McpClient, StdioTransport } from "harness9"

const connected = async (transport) => {
  const runtime = ManagedRuntime.make(Layer.provide(McpClient.layer(), transport))
  const client = await runtime.runPromise(McpClient.McpClient)
  return { client, close: () => runtime.dispose() }
}

export const stdio = (server) => connected(StdioTransport.layer({ server: "raw", ...server }))
export const http = (url) => connected(HttpTransport.layer({ server: "raw", url }))

/** Makes the calls inside one Effect program, so many at once. */
export const calls = (call, count, concurrency) =>
  Effect.runPromise(
    Effect.forEach(
      Array.from({ length: count }, (_, index) => `hello ${index}`),
      (text) => call({ text }),
      {
        concurrency,
        discard: true
      }
    )
  )
