import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, folder, run } from "./cli.ts"
import * as Collector from "./collector.ts"

const secret = "hdr-4711-secret"

/** A server that sends spans of its own to the collector. */
const tracing = (url: string) =>
  configured({ traced: fixture("cli/traced-server.mjs", { args: [url], env: { TOKEN: secret } }) })

/** The names from the outermost span to this one. */
const pathOf = (spans: ReadonlyArray<Collector.ReceivedSpan>, span: Collector.ReceivedSpan): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent === undefined ? [] : pathOf(spans, parent)), span.name]
}

const named = (spans: ReadonlyArray<Collector.ReceivedSpan>, name: string): Collector.ReceivedSpan => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no span "${name}" among ${spans.map((span) => span.name).join(", ")}`)
  return found
}

describe("--otlp", () => {
  it.scopedLive("the spans of a run and those of the server that it calls are one tree", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.start
      const config = yield* tracing(collector.url)
      const prompt = "call mcp__traced__look with no arguments"
      const { code, stderr } = yield* run(
        ["run", prompt, "--config", config, "--no-session", "--otlp", collector.url],
        {
          env: { OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secret}` }
        }
      )
      expect({ code, stderr }).toMatchObject({ code: 0 })
      const spans = collector.spans()
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
      const served = named(spans, "serve look")
      expect(served.service).toBe("traced-server")
      expect(pathOf(spans, served)).toEqual([
        "harness9 run",
        "invoke_agent harness9",
        "turn",
        "execute_tool mcp__traced__look",
        "tools/call look",
        "serve look"
      ])
      expect(pathOf(spans, named(spans, "initialize"))).toEqual([
        "harness9 run",
        "connect traced",
        "handshake",
        "initialize"
      ])
      expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
        "harness9 run"
      ])
      expect(named(spans, "harness9 run").service).toBe("harness9")
    })
  )

  it.scopedLive("metrics are sent too, and no secret is in any of it", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.start
      const config = yield* tracing(collector.url)
      const args = ["mcp", "call", "traced", "fail", "--args", '{"password":"pw-0815"}', "--config", config]
      const { code } = yield* run([...args, "--otlp", `${collector.url}/`], {
        env: { OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secret}` }
      })
      expect(code).toBe(1)
      expect(collector.metrics().map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          "harness9.mcp.tool.calls",
          "harness9.mcp.tool.failures",
          "mcp.client.operation.duration"
        ])
      )
      const ours = collector.received.filter(({ headers }) => headers["x-key"] === secret)
      expect(new Set(ours.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]))
      expect(ours.map(({ body }) => body).join("\n")).not.toMatch(new RegExp(`${secret}|pw-0815|the disk is full`))
      const failed = named(collector.spans(), "tools/call fail")
      expect(failed.status?.code).toBe(2)
      expect(failed.attributes).toContainEqual({ key: "error.type", value: { stringValue: "tool_error" } })
      expect(failed.attributes?.map(({ key }) => key)).not.toContain("status.interrupted")
    })
  )

  it.scopedLive("the environment of OpenTelemetry says the same, and which span all of it belongs to", () =>
    Effect.gen(function* () {
      const collector = yield* Collector.start
      const config = yield* tracing(collector.url)
      const [trace, parent] = ["1".repeat(32), "2".repeat(16)]
      const { code } = yield* run(["mcp", "call", "traced", "look", "--config", config], {
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_SERVICE_NAME: "nightly",
          OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=ci",
          TRACEPARENT: `00-${trace}-${parent}-01`
        }
      })
      expect(code).toBe(0)
      const root = named(collector.spans(), "harness9 mcp call")
      expect(root).toMatchObject({ traceId: trace, parentSpanId: parent, service: "nightly" })
      expect(collector.received.some(({ body }) => body.includes("deployment.environment"))).toBe(true)
      expect(pathOf(collector.spans(), named(collector.spans(), "serve look"))).toEqual([
        "harness9 mcp call",
        "tools/call look",
        "serve look"
      ])
    })
  )

  it.scopedLive("a collector that is not there costs a warning, and not the call", () =>
    Effect.gen(function* () {
      const config = yield* configured({ fixture: fixture("cli/server.mjs") })
      const args = ["mcp", "call", "fixture", "echo", "text=hi", "--config", config, "--otlp", "http://127.0.0.1:1"]
      const { code, stderr, stdout } = yield* run(args)
      expect({ code, stdout }).toEqual({ code: 0, stdout: '{"text":"hi"}\n' })
      expect(stderr).toBe("warn: [otlp] http://127.0.0.1:1: it cannot be reached\n")
    })
  )

  it.scopedLive("an address that is none is a mistake of the command line, and only a warning in the environment", () =>
    Effect.gen(function* () {
      const config = yield* configured({ fixture: fixture("cli/server.mjs") })
      const args = ["mcp", "call", "fixture", "echo", "text=hi", "--config", config]
      const given = yield* run([...args, "--otlp", "collector"])
      expect(given).toMatchObject({ code: 2, stdout: "" })
      expect(given.stderr).toContain("--otlp is no http address")
      const inherited = yield* run(args, {
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }
      })
      expect(inherited).toMatchObject({ code: 0, stdout: '{"text":"hi"}\n' })
      expect(inherited.stderr).toBe("warn: [otlp] nothing is sent: OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not spoken\n")
    })
  )
})

describe("--trace", () => {
  /** Without times: they are others in each run. */
  const untimed = (text: string) => text.replace(/ +\d+(\.\d)? (ms|s)\b/g, "").replace(/ +$/gm, "")

  it.scopedLive("shows a run as a tree on stderr, and leaves stdout alone", () =>
    Effect.gen(function* () {
      const config = yield* configured({ fixture: fixture("cli/server.mjs") })
      const prompt = "call mcp__fixture__echo with text hi"
      const args = ["run", prompt, "--config", config, "--no-session", "--trace", "--output", "json"]
      const { code, stderr, stdout } = yield* run([...args, "--log-level", "none"])
      expect(code).toBe(0)
      expect(JSON.parse(stdout).reason).toBe("answer")
      // How a server takes the question for its revision is another matter.
      const tree = untimed(stderr)
        .replace(/ {2,}\d+ → \d+ tokens/g, "")
        .replace(/^.*server\/discover.*\n/gm, "")
      expect(tree).toBe(
        [
          "harness9 run",
          "├─ connect fixture  2025-11-25",
          "│  ├─ handshake  2025-11-25",
          "│  │  └─ initialize",
          "│  └─ tools/list",
          "└─ invoke_agent harness9",
          "   ├─ turn 1",
          "   │  ├─ chat offline",
          "   │  └─ execute_tool mcp__fixture__echo",
          "   │     └─ tools/call echo",
          "   └─ turn 2",
          "      └─ chat offline",
          ""
        ].join("\n")
      )
    })
  )

  it.scopedLive(
    "is no part of a recording: what was recorded without it replays with it, and the other way round",
    () =>
      Effect.gen(function* () {
        const config = yield* configured({ fixture: fixture("cli/server.mjs") })
        const path = yield* folder
        const call = ["mcp", "call", "fixture", "echo", "text=hi"]
        for (const [recorded, replayed] of [
          [[], ["--trace"]],
          [["--trace"], []]
        ] as const) {
          const file = join(path, `${recorded.length}.ndjson`)
          yield* run([...call, ...recorded, "--config", config, "--record", file])
          const { code, stderr, stdout } = yield* run([...call, ...replayed, "--replay", file])
          expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '{"text":"hi"}\n' })
        }
      })
  )

  it.scopedLive("marks what failed in a call, and all that it is in", () =>
    Effect.gen(function* () {
      const config = yield* configured({ fixture: fixture("cli/server.mjs") })
      const { code, stderr, stdout } = yield* run(["mcp", "call", "fixture", "fail", "--config", config, "--trace"])
      expect({ code, stdout }).toEqual({ code: 1, stdout: "the disk is full\n" })
      expect(untimed(stderr)).toMatch(/^✗ harness9 mcp call +exit code 1$/m)
      expect(untimed(stderr)).toMatch(/^└─ ✗ tools\/call fail +the tool reported an error$/m)
    })
  )
})
