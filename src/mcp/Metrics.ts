/**
 * The figures that are kept of servers: how often their tools are called and fail, how long they take, how often they are lost.
 * Each is told apart by `harness9.server`. They are recorded where `Telemetry.isOn`.
 *
 * @since 0.1.0
 */
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"

/** In seconds, as OpenTelemetry's conventions want them. */
const seconds = MetricBoundaries.fromIterable([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300])

/**
 * How long each request took, by server, method, tool and `error.type`.
 *
 * @since 0.1.0
 * @category metrics
 */
export const operationDuration: Metric.Metric.Histogram<number> = Metric.histogram(
  "mcp.client.operation.duration",
  seconds,
  "How long a request to an MCP server took"
).pipe(Metric.tagged("unit", "s"))

/**
 * Calls of tools, by server and tool.
 *
 * @since 0.1.0
 * @category metrics
 */
export const toolCalls: Metric.Metric.Counter<number> = Metric.counter("harness9.mcp.tool.calls", {
  description: "Calls of the tools of MCP servers",
  incremental: true
})

/**
 * Calls that failed, or whose tool reported an error, by server, tool and `error.type`.
 *
 * @since 0.1.0
 * @category metrics
 */
export const toolFailures: Metric.Metric.Counter<number> = Metric.counter("harness9.mcp.tool.failures", {
  description: "Calls of the tools of MCP servers that failed",
  incremental: true
})

/**
 * How often a server was connected again after its connection had ended.
 *
 * @since 0.1.0
 * @category metrics
 */
export const reconnects: Metric.Metric.Counter<number> = Metric.counter("harness9.mcp.reconnects", {
  description: "Connections made again to MCP servers that were lost",
  incremental: true
})
