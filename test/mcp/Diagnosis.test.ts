import { describe, expect, it } from "@effect/vitest"
import * as Diagnosis from "../../src/mcp/Diagnosis.ts"
import { McpError } from "../../src/mcp/McpError.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import { ServerStatus } from "../../src/mcp/ServerStatus.ts"

const program = ServerConfig.stdio("it", {
  command: "node",
  args: ["s.mjs", "--token", "k-secret"],
  secrets: ["k-secret"]
})
const address = ServerConfig.http("it", { url: "https://example.com/mcp" })

const connected = ServerStatus.Connected({
  name: "it",
  protocolVersion: "2025-06-18",
  serverInfo: { name: "server", version: "1" },
  capabilities: {},
  instructions: undefined,
  tools: [],
  connectMs: 1
})

const nothing = { diagnostics: { stderr: "", skipped: [] }, problems: [], warnings: [] }

const failing = (
  config: ServerConfig.ServerConfig,
  error: Pick<McpError, "kind" | "phase"> & Partial<McpError>,
  more: Partial<Diagnosis.Attempt> = {}
) => {
  const failure = new McpError({ message: "it broke", ...error, server: "it" })
  const steps = Diagnosis.steps({
    ...nothing,
    config,
    status: ServerStatus.Failed({ name: "it", error: failure }),
    error: failure,
    ...more
  })
  return { steps, failed: steps.find(({ status }) => status === "failed") }
}

const outline = (steps: ReadonlyArray<Diagnosis.Step>) => steps.map(({ status, step }) => `${step} ${status}`)

describe("the steps of a server", () => {
  it("are all done when it is connected; a program needs no login", () => {
    const steps = Diagnosis.steps({ ...nothing, config: program, status: connected, error: undefined })
    expect(outline(steps)).toEqual(["config ok", "expansion ok", "spawn ok", "handshake ok", "auth skipped", "list ok"])
    expect(Diagnosis.isHealthy(steps)).toBe(true)
    const overHttp = Diagnosis.steps({ ...nothing, config: address, status: connected, error: undefined })
    expect(outline(overHttp).slice(2)).toEqual(["connect ok", "handshake ok", "auth ok", "list ok"])
  })

  it("end at the one that fails", () => {
    expect(outline(failing(program, { kind: "spawn", phase: "spawn" }).steps)).toEqual([
      "config ok",
      "expansion ok",
      "spawn failed",
      "handshake skipped",
      "auth skipped",
      "list skipped"
    ])
    expect(outline(failing(address, { kind: "needs-auth", phase: "handshake", status: 401 }).steps).slice(2)).toEqual([
      "connect ok",
      "handshake skipped",
      "auth failed",
      "list skipped"
    ])
  })

  it.each([
    [program, { kind: "exit", phase: "handshake" }, "handshake"],
    [program, { kind: "timeout", phase: "handshake" }, "handshake"],
    [program, { kind: "timeout", phase: "list" }, "list"],
    [program, { kind: "protocol", phase: "handshake" }, "handshake"],
    [program, { kind: "needs-approval", phase: "config" }, "config"],
    [{ ...program, unusable: "no variable" }, { kind: "config", phase: "config" }, "expansion"],
    [address, { kind: "network", phase: "handshake" }, "connect"],
    [address, { kind: "config", phase: "connect" }, "connect"],
    [address, { kind: "http", phase: "handshake", status: 404 }, "handshake"],
    [address, { kind: "http", phase: "handshake", status: 403 }, "auth"],
    [address, { kind: "network", phase: "auth" }, "auth"]
  ] as const)("know where a failure belongs: %#", (config, error, step) => {
    const { failed } = failing(config, error)
    expect(failed?.step).toBe(step)
    expect(failed?.kind).toBe(error.kind)
    expect(failed?.hint).toMatch(/\w.*\.|harness9/)
  })

  it("say what to do, and show no secret", () => {
    expect(failing(program, { kind: "exit", phase: "handshake" }).failed?.hint).toBe(
      "Run it by hand to see more: node s.mjs --token ***"
    )
    expect(failing(program, { kind: "exit", phase: "handshake", hint: "Its own." }).failed?.hint).toBe("Its own.")
    const pinned = failing({ ...program, protocolVersion: "2024-11-05" }, { kind: "protocol", phase: "handshake" })
    expect(pinned.failed?.hint).toContain("2024-11-05")
  })

  it("show what the server wrote, on either side", () => {
    const { failed } = failing(
      program,
      { kind: "timeout", phase: "handshake" },
      { diagnostics: { stderr: "one\ntwo\n", skipped: ["a banner"] } }
    )
    expect(failed).toMatchObject({ stderr: "one\ntwo", noise: ["a banner"] })
    expect(failed?.hint).toContain("is no message of MCP")
    const chatty = Diagnosis.steps({
      ...nothing,
      config: program,
      status: connected,
      error: undefined,
      diagnostics: { stderr: "", skipped: ["a banner"] }
    })
    expect(chatty.find(({ step }) => step === "handshake")).toMatchObject({ status: "warning", noise: ["a banner"] })
  })

  it("are no failure of a server that is switched off", () => {
    const error = new McpError({ server: "it", phase: "connect", kind: "disabled", message: "the server is disabled" })
    const steps = Diagnosis.steps({ ...nothing, config: program, status: ServerStatus.Disabled({ name: "it" }), error })
    expect(Diagnosis.isHealthy(steps)).toBe(true)
    expect(steps[2]).toMatchObject({ step: "spawn", status: "skipped", hint: expect.stringContaining("mcp enable it") })
  })

  it("tell of parts of the entry and of the lists that cannot be used", () => {
    const steps = Diagnosis.steps({
      ...nothing,
      config: program,
      status: connected,
      error: undefined,
      problems: ["unknown field"],
      warnings: ["tool 3 has no name"]
    })
    expect(steps[0]).toMatchObject({ status: "warning", message: "unknown field" })
    expect(steps.at(-1)).toMatchObject({ status: "failed", message: "0 tools; tool 3 has no name" })
  })
})
