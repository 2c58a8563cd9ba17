/**
 * harness9 as the benchmarks use it: its public API, with the defaults on.
 */
import { Effect, Layer, ManagedRuntime, Tracer } from "effect"
import { HttpTransport, McpClient, StdioTransport } from "harness9"

const connected = async (transport, around = Layer.empty) => {
  const runtime = ManagedRuntime.make(McpClient.layer().pipe(Layer.provide(transport), Layer.provide(around)))
  const client = await runtime.runPromise(McpClient.McpClient)
  return { client, close: () => runtime.dispose() }
}

export const stdio = (server) => connected(StdioTransport.layer({ server: "raw", ...server }))

/** The same under a tracer that makes spans and does nothing with them. */
export const stdioTraced = async (server) => {
  const inner = await Effect.runPromise(Effect.tracer)
  const tracer = Tracer.make({ span: (...args) => inner.span(...args), context: (f) => f() })
  return connected(StdioTransport.layer({ server: "raw", ...server }), Layer.setTracer(tracer))
}
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
