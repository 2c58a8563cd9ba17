/**
 * An OTLP/HTTP collector on loopback, and what has been sent to it.
 */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes?: ReadonlyArray<KeyValue>
  readonly status?: { readonly code: number }
  /** The `service.name` of who sent it. */
  readonly service: string
}

interface KeyValue {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

export interface ReceivedMetric {
  readonly name: string
  readonly [data: string]: unknown
}

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export const start = Effect.gen(function* () {
  const received: Array<Received> = []
  const server = yield* Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = createServer((request, response) => {
        void text(request).then((body) => {
          received.push({ path: request.url ?? "", headers: request.headers, body })
          response.setHeader("content-type", "application/json").end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  const bodies = (path: string) =>
    received.filter((request) => request.path === path).map(({ body }) => JSON.parse(body))
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: (): ReadonlyArray<ReceivedSpan> =>
      bodies("/v1/traces").flatMap(({ resourceSpans }) => resourceSpans.flatMap(spansOf)),
    metrics: (): ReadonlyArray<ReceivedMetric> =>
      bodies("/v1/metrics").flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(
          (resource: { scopeMetrics: ReadonlyArray<{ metrics: ReadonlyArray<ReceivedMetric> }> }) =>
            resource.scopeMetrics.flatMap(({ metrics }) => metrics)
        )
      )
  }
})

const spansOf = ({ resource, scopeSpans }: ResourceSpans): ReadonlyArray<ReceivedSpan> => {
  const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? ""
  return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })))
}

interface ResourceSpans {
  readonly resource: { readonly attributes: ReadonlyArray<KeyValue> }
  readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Omit<ReceivedSpan, "service">> }>
}
