import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { configured, fixture, folder, packaged, run, runJson } from "./cli.ts"

/** An address where nothing listens. */
const deadAddress = Effect.async<string>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(`http://127.0.0.1:${port}/mcp`)))
  })
})

const mixed = Effect.gen(function* () {
  return yield* configured({
    healthy: packaged("everything", "stdio"),
    missing: { command: "no-such-program-anywhere" },
    unreachable: { url: yield* deadAddress },
    mute: fixture("cli/silent.mjs"),
    off: { command: "node", disabled: true },
    broken: { command: 5 }
  })
})

describe("mcp list", () => {
  it.live("shows what became of each server, and of each entry that cannot be used", () =>
    Effect.gen(function* () {
      const config = yield* mixed
      const { code, json } = yield* runJson(["mcp", "list", "--json", "--config", config, "--connect-timeout", "3s"])
      expect(code).toBe(0)
      expect(
        json.servers.map(({ name, status, transport }: Record<string, string>) => [name, transport, status])
      ).toEqual([
        ["healthy", "stdio", "connected"],
        ["missing", "stdio", "failed"],
        ["mute", "stdio", "failed"],
        ["off", "stdio", "disabled"],
        ["unreachable", "http", "failed"]
      ])
      const [healthy, missing, mute, off, unreachable] = json.servers
      expect(healthy).toMatchObject({
        protocolVersion: expect.stringMatching(/^20/),
        serverInfo: { version: expect.any(String) }
      })
      expect(healthy.toolCount).toBeGreaterThan(5)
      expect(healthy.connectMs).toBeLessThan(3000)
      expect(missing.error).toMatchObject({
        kind: "spawn",
        message: expect.stringContaining("no-such-program-anywhere")
      })
      expect(mute.error).toMatchObject({ kind: "timeout", stderr: expect.stringContaining("started") })
      expect(unreachable.error.kind).toBe("network")
      expect(off).toEqual({ name: "off", transport: "stdio", status: "disabled" })
      expect(json.problems).toEqual([{ server: "broken", path: config, message: expect.stringContaining("line") }])
    }).pipe(Effect.scoped)
  )

  it.live("is a table for people, with the reason under a server that failed", () =>
    Effect.gen(function* () {
      const config = yield* mixed
      const { code, stderr, stdout } = yield* run(["mcp", "list", "--config", config, "--connect-timeout", "3s"])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^● healthy +stdio +connected +\d+ tools +20/m)
      expect(stdout).toMatch(/^✗ missing +stdio +failed\n {4}.*no-such-program-anywhere/m)
      expect(stdout).toMatch(/^– off +stdio +disabled$/m)
      expect(stdout).not.toContain("\x1b")
      expect(stderr).toContain('[mcp] server "broken"')
      expect(stderr).toMatch(/^\[mcp\] .*missing.*no-such-program-anywhere/m)
    }).pipe(Effect.scoped)
  )

  it.live("knows the servers of the packages that people use", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const config = yield* configured({
        everything: packaged("everything", "stdio"),
        filesystem: packaged("filesystem", directory),
        memory: { ...packaged("memory"), env: { MEMORY_FILE_PATH: join(directory, "memory.jsonl") } },
        thinking: packaged("sequential-thinking")
      })
      const { json } = yield* runJson(["mcp", "list", "--json", "--config", config])
      expect(json.problems).toEqual([])
      for (const server of json.servers) {
        expect(server).toMatchObject({ status: "connected" })
        expect(server.toolCount).toBeGreaterThan(0)
      }
    }).pipe(Effect.scoped)
  )

  it.live("says that there is no configuration, and is no failure", () =>
    Effect.gen(function* () {
      expect(yield* run(["mcp", "list"])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("No server is configured")
      })
      const { code, json } = yield* runJson(["mcp", "list", "--json"])
      expect({ code, json }).toEqual({ code: 0, json: { servers: [], problems: [] } })
    })
  )

  it.live("ends with 2 and the place when the file is no JSON, or is not there", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "broken.json")
      writeFileSync(file, '{\n  "mcpServers": {,}\n}')
      const broken = yield* run(["mcp", "list", "--config", file])
      expect(broken).toMatchObject({ code: 2, stdout: "" })
      expect(broken.stderr).toContain(`${file}:2:18`)
      const absent = yield* run(["mcp", "list", "--config", `${file}.not`])
      expect(absent).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("does not exist") })
    }).pipe(Effect.scoped)
  )

  it.live("reads the project's file where it runs", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: { off: { command: "x", disabled: true } } }))
      const { json } = yield* runJson(["mcp", "list", "--json"], { cwd })
      expect(json.servers).toEqual([{ name: "off", transport: "stdio", status: "disabled" }])
    }).pipe(Effect.scoped)
  )
})

describe("mcp tools", () => {
  it.live("lists tools as the model sees them, the same from run to run", () =>
    Effect.gen(function* () {
      const config = yield* configured({ b: fixture("cli/server.mjs"), a: packaged("everything", "stdio") })
      const first = yield* run(["mcp", "tools", "--json", "--config", config])
      const second = yield* run(["mcp", "tools", "--json", "--config", config])
      const { servers, tools } = JSON.parse(first.stdout)
      expect(JSON.parse(second.stdout).tools).toEqual(tools)
      expect(servers).toHaveLength(2)
      const keys = tools.map(({ server, tool }: Record<string, string>) => `${server}\n${tool}`)
      expect(keys).toEqual([...keys].sort())
      expect(tools.find(({ tool }: { tool: string }) => tool === "get-sum")).toMatchObject({
        name: "mcp__a__get_sum",
        server: "a",
        inputSchema: { type: "object", properties: { a: { type: "number" } } }
      })
      const long = tools.find(({ tool }: { tool: string }) => tool.startsWith("long."))
      expect(long.name).toBe(`mcp__b__long_${"n".repeat(80)}`)
      expect(long.modelName).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(
        tools.find(({ tool, server }: Record<string, string>) => server === "b" && tool === "echo").annotations
      ).toEqual({
        readOnlyHint: true
      })
    }).pipe(Effect.scoped)
  )

  it.live("lists a tool whose name another server has taken, with the reason", () =>
    Effect.gen(function* () {
      const config = yield* configured({ "a.b": fixture("cli/server.mjs"), a_b: fixture("cli/server.mjs") })
      const { json } = yield* runJson(["mcp", "tools", "--json", "--config", config])
      const echoes = json.tools.filter(({ tool }: { tool: string }) => tool === "echo")
      expect(echoes).toMatchObject([{ server: "a.b" }, { server: "a_b", skipped: expect.stringContaining("a.b") }])
      expect(echoes[0]).not.toHaveProperty("skipped")
    }).pipe(Effect.scoped)
  )

  it.live("shows control characters of a server as text", () =>
    Effect.gen(function* () {
      const config = yield* configured({ it: fixture("cli/server.mjs") })
      const { stdout } = yield* run(["mcp", "tools", "it", "--config", config])
      expect(stdout).toMatch(/^mcp__it__inject +Clears\\x1b\[2J the \\u\{202e\}screen$/m)
      const { stdout: asJson } = yield* run(["mcp", "tools", "it", "--json", "--config", config])
      expect(asJson).not.toMatch(/[\x1b\u202e]/)
      expect(JSON.parse(asJson).tools[3].description).toBe("Clears\x1b[2J the \u202escreen")
    }).pipe(Effect.scoped)
  )

  it.live("names the server that was meant, with exit code 2", () =>
    Effect.gen(function* () {
      const config = yield* configured({ filesystem: { command: "x", disabled: true } })
      const { code, stderr } = yield* run(["mcp", "tools", "filesytem", "--config", config])
      expect(code).toBe(2)
      expect(stderr).toContain('no server is called "filesytem"')
      expect(stderr).toContain("did you mean filesystem?")
    }).pipe(Effect.scoped)
  )
})

describe("mcp get", () => {
  it.live("shows a server whole, and no secret of its entry", () =>
    Effect.gen(function* () {
      const entry = fixture("cli/server.mjs", {
        env: { API_KEY: "k-very-secret", REGION: "${HARNESS9_TEST_REGION}" }
      })
      const config = yield* configured({ it: entry })
      const options = { env: { HARNESS9_TEST_REGION: "atlantis" } }
      const { code, json } = yield* runJson(["mcp", "get", "it", "--json", "--config", config], options)
      expect(code).toBe(0)
      expect(json).toMatchObject({
        name: "it",
        transport: "stdio",
        status: "connected",
        source: config,
        entry: { env: { API_KEY: "***", REGION: "${HARNESS9_TEST_REGION}" } },
        negotiation: { era: "legacy", reason: expect.stringContaining("server/discover was not answered") },
        capabilities: { tools: {} },
        instructions: "Be kind.\x1b[2J"
      })
      const { stdout } = yield* run(["mcp", "get", "it", "--config", config], options)
      expect(stdout).toContain("Be kind.\\x1b[2J")
      expect(stdout).toContain("2025-11-25: server/discover was not answered")
      expect(stdout).toContain("mcp__it__echo")
      expect(stdout).toMatch(/^ *capabilities +tools$/m)
      for (const text of [stdout, JSON.stringify(json)]) expect(text).not.toMatch(/k-very-secret|atlantis/)
    }).pipe(Effect.scoped)
  )
})
