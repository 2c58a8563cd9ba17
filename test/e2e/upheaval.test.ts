/**
 * What happens to servers while harness9 uses them: the session is gone, a stream breaks, a list changes, another revision is
 * spoken at the next start.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { event, events, type Got, type Handler, json, mcp, result, serve } from "../mcp/httpServer.ts"
import { configured, folder, run, runJson } from "./cli.ts"

const tool = (name: string) => ({ name, description: `Does ${name}`, inputSchema: { type: "object", properties: {} } })

const said = (text: string) => ({ content: [{ type: "text", text }] })

const asked = (got: ReadonlyArray<Got>, method: string) => got.filter(({ message }) => message.method === method)

/** A server with a handshake and these tools; `call` answers what they are called with. */
const older =
  (call: Handler, tools: () => ReadonlyArray<string> = () => ["echo"]): Handler =>
  (got, response) => {
    const { id, method } = got.message
    if (method === "initialize") {
      const agreed = {
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "it", version: "1.0.0" }
      }
      return json(response, 200, result(got, agreed))
    }
    if (method === "tools/list") return json(response, 200, result(got, { tools: tools().map(tool) }))
    if (method === "tools/call") return call(got, response)
    if (method === "server/discover") {
      return json(response, 404, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } })
    }
    mcp(() => response.writeHead(404).end())(got, response)
  }

const configuredAt = (url: string) => configured({ it: { type: "http", url } })

const callEcho = (url: string) =>
  Effect.flatMap(configuredAt(url), (config) => runJson(["mcp", "call", "it", "echo", "--json", "--config", config]))

describe("a server that forgets its session", () => {
  /** Sessions end with the first call in them, `deaths` times. */
  const forgetful = (deaths: number): Handler => {
    let sessions = 0
    let current: string | undefined
    const answer = older((got, response) => {
      if (sessions > deaths) return json(response, 200, result(got, said(`in ${current}`)))
      current = undefined
      json(response, 404, { jsonrpc: "2.0", id: got.message.id, error: { code: -32001, message: "Session not found" } })
    })
    return (got, response) => {
      if (got.message.method === "initialize") {
        sessions += 1
        current = `s${sessions}`
        response.setHeader("mcp-session-id", current)
      } else if (got.message.method !== "server/discover" && got.headers["mcp-session-id"] !== current) {
        return void response.writeHead(404).end()
      }
      answer(got, response)
    }
  }

  it.scopedLive("is given a new handshake, and the call once more", () =>
    Effect.gen(function* () {
      const server = yield* serve(forgetful(1))
      const { code, json } = yield* callEcho(server.url)
      expect({ code, text: json.text }).toEqual({ code: 0, text: "in s2" })
      expect(asked(server.got, "tools/call").map(({ headers }) => headers["mcp-session-id"])).toEqual(["s1", "s2"])
      expect(asked(server.got, "initialize").map(({ headers }) => headers["mcp-session-id"])).toEqual([
        undefined,
        undefined
      ])
      const [ended] = server.got.filter(({ method }) => method === "DELETE")
      expect(ended?.headers["mcp-session-id"]).toBe("s2")
    })
  )

  it.scopedLive("over and over, is not called for ever", () =>
    Effect.gen(function* () {
      const server = yield* serve(forgetful(100))
      const { code, json } = yield* callEcho(server.url)
      expect({ code, kind: json.error.kind }).toEqual({ code: 3, kind: "session-lost" })
      expect(asked(server.got, "tools/call")).toHaveLength(2)
    })
  )
})

describe("a stream that breaks in the middle of a reply", () => {
  it.scopedLive("is resumed where it ended, and the call is made once", () =>
    Effect.gen(function* () {
      const progress = (got: Got, progress: number) => ({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { ...Object(got.message.params?._meta), progress }
      })
      let call: Got | undefined
      const answer = older((got, response) => {
        call = got
        events(response)
        response.write("retry: 10\n\n")
        response.write(event(progress(got, 1), "e1"), () => response.destroy())
      })
      const server = yield* serve((got, response) => {
        if (got.method !== "GET" || got.headers["last-event-id"] === undefined || call === undefined) {
          return answer(got, response)
        }
        events(response)
        response.write(event(progress(call, 2), "e2"))
        response.end(event(result(call, said("the rest")), "e3"))
      })
      const { code, stdout } = yield* run(["mcp", "call", "it", "echo", "--config", yield* configuredAt(server.url)])
      expect({ code, stdout }).toEqual({ code: 0, stdout: "the rest\n" })
      expect(asked(server.got, "tools/call")).toHaveLength(1)
      expect(server.got.flatMap(({ headers }) => headers["last-event-id"] ?? [])).toEqual(["e1"])
    })
  )
})

describe("a list that changes during a run", () => {
  it.scopedLive("counts from the next turn on, and is told", () =>
    Effect.gen(function* () {
      const tools = ["grow", "echo"]
      let grown: (() => void) | undefined
      const answer = older(
        (got, response) => {
          if (got.message.params?.name !== "grow") {
            return json(response, 200, result(got, said(`${got.message.params?.name} done`)))
          }
          tools.push("blossom")
          events(response)
          response.write(event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }))
          // The list is read again before the call is done.
          grown = () => response.end(event(result(got, said("grow done"))))
        },
        () => tools
      )
      const server = yield* serve((got, response) => {
        answer(got, response)
        if (got.message.method === "tools/list" && tools.includes("blossom")) response.on("finish", () => grown?.())
      })
      const prompt = "call the tool grow of it; call the tool echo of it; call the tool blossom of it"
      const words = ["run", prompt, "--yes", "--model", "offline", "--output", "json"]
      const { code, json: report } = yield* runJson([...words, "--config", yield* configuredAt(server.url)])
      expect(code).toBe(0)
      const calls: ReadonlyArray<{ readonly name: string }> = report.toolCalls
      expect(calls.map(({ name }) => name)).toEqual(["mcp__it__grow", "mcp__it__echo", "mcp__it__blossom"])
      expect(JSON.stringify(report.notices)).toContain('MCP server \\"it\\" added 1 tool: mcp__it__blossom')
    })
  )
})

describe("the revision of a server", () => {
  const stateless: Handler = (got, response) => {
    const { id, method } = got.message
    if (method === "server/discover") {
      const found = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
      return json(response, 200, result(got, found))
    }
    if (method === "tools/list") return json(response, 200, result(got, { tools: [tool("echo")] }))
    if (method === "tools/call") return json(response, 200, result(got, said("stateless")))
    json(response, 404, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } })
  }

  it.scopedLive("is remembered for the next start, and found anew when another one is spoken", () =>
    Effect.gen(function* () {
      let answer = older((got, response) => json(response, 200, result(got, said("with a handshake"))))
      const server = yield* serve((got, response) => answer(got, response))
      const file = yield* configuredAt(server.url)
      const env = { XDG_STATE_HOME: yield* folder }
      /** The text of a call, and what a start asks before its first list. */
      const start = Effect.gen(function* () {
        const before = server.got.length
        const { stdout } = yield* run(["mcp", "call", "it", "echo", "--config", file], { env })
        const methods = server.got.slice(before).flatMap(({ message }) => message.method ?? [])
        return [stdout.trim(), ...methods.slice(0, methods.indexOf("tools/list"))]
      })
      const handshake = ["initialize", "notifications/initialized"]
      expect(yield* start).toEqual(["with a handshake", "server/discover", ...handshake])
      expect(yield* start).toEqual(["with a handshake", ...handshake])
      answer = stateless
      expect(yield* start).toEqual(["stateless", "initialize", "server/discover"])
      expect(yield* start).toEqual(["stateless", "server/discover"])
    })
  )
})
