import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ServerReport } from "../../src/cli/Doctor.ts"
import * as HttpServer from "../mcp/httpServer.ts"
import { configured, fixture, folder, packaged, root, run, runJson } from "./cli.ts"

const decode = Schema.decodeUnknownSync(Schema.Array(ServerReport), { onExcessProperty: "error" })

/** Examines one server, and gives its report with the step that is not in order. */
const examined = (entry: unknown, options: Parameters<typeof run>[1] = {}) =>
  Effect.gen(function* () {
    const config = yield* configured({ it: entry })
    const words = ["mcp", "doctor", "it", "--json", "--config", config, "--connect-timeout", "3s"]
    const { code, json, stderr } = yield* runJson(words, options)
    const [report] = decode(json.servers)
    return { code, config, stderr, report, wrong: report?.steps.find(({ status }) => status === "failed") }
  })

const answering = (status: number, type: string, body: string) =>
  Effect.map(
    HttpServer.serve((_, response) => void response.writeHead(status, { "content-type": type }).end(body)),
    ({ url }) => url
  )

const script = (code: string) => ({ command: process.execPath, args: ["-e", code] })

const untrusted = Effect.gen(function* () {
  const tls = (name: string) => readFileSync(join(root, "test/fixtures/tls", name))
  const server = createTlsServer({ key: tls("server.key"), cert: tls("server.pem") })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.close())
  )
  const { port } = server.address() as AddressInfo
  return `https://127.0.0.1:${port}/mcp`
})

describe("mcp doctor", () => {
  it.live("finds nothing wrong with a healthy server, and judges its tools", () =>
    Effect.gen(function* () {
      const { code, report, stderr } = yield* examined(packaged("everything", "stdio"))
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(report).toMatchObject({ server: "it", transport: "stdio", status: "connected", ok: true })
      expect(report?.steps.map(({ step }) => step)).toEqual([
        "config",
        "expansion",
        "spawn",
        "handshake",
        "auth",
        "list"
      ])
      expect(report?.tools).toContainEqual({
        tool: "get-sum",
        name: "mcp__it__get_sum",
        repairs: [],
        descriptionLength: expect.any(Number),
        schemaLength: expect.any(Number)
      })
    }).pipe(Effect.scoped)
  )

  it.live("knows a program that is not there, and one that may not be executed", () =>
    Effect.gen(function* () {
      const missing = yield* examined({ command: "no-such-program" })
      expect(missing).toMatchObject({
        code: 3,
        wrong: { step: "spawn", message: expect.stringContaining("not found") }
      })
      expect(missing.wrong?.hint).toContain("Install it")
      const file = join(yield* folder, "server")
      writeFileSync(file, "#!/bin/sh\n")
      chmodSync(file, 0o644)
      const { wrong } = yield* examined({ command: file })
      expect(wrong).toMatchObject({ step: "spawn", hint: expect.stringContaining("chmod +x") })
    }).pipe(Effect.scoped)
  )

  it.live("knows a program that crashes at its start, by its last words", () =>
    Effect.gen(function* () {
      const { code, wrong } = yield* examined(script("console.error('no DATABASE_URL');process.exit(3)"))
      expect(code).toBe(3)
      expect(wrong).toMatchObject({
        step: "handshake",
        kind: "exit",
        stderr: expect.stringContaining("no DATABASE_URL")
      })
      expect(wrong?.hint).toContain("by hand")
    }).pipe(Effect.scoped)
  )

  it.live("knows a program that talks on stdout, and one that never answers", () =>
    Effect.gen(function* () {
      const noisy = yield* examined(script("console.log('Welcome!');setInterval(() => {}, 1000)"))
      expect(noisy).toMatchObject({ code: 5, wrong: { step: "handshake", kind: "timeout", noise: ["Welcome!"] } })
      expect(noisy.wrong?.hint).toMatch(/stdout/)
      const silent = yield* examined(fixture("cli/silent.mjs"))
      expect(silent).toMatchObject({ code: 5, wrong: { step: "handshake", kind: "timeout" } })
      expect(silent.wrong?.hint).toContain("--connect-timeout")
    }).pipe(Effect.scoped)
  )

  it.live("knows a wrong path, a web page, a login and a refusal", () =>
    Effect.gen(function* () {
      const path = yield* examined({ url: yield* answering(404, "text/plain", "no such page") })
      expect(path).toMatchObject({ code: 3, wrong: { step: "handshake", kind: "http" } })
      expect(path.wrong?.hint).toContain("path of the URL")
      const page = yield* examined({ url: yield* answering(200, "text/html", "<!doctype html><title>Sign in</title>") })
      expect(page).toMatchObject({ code: 3, wrong: { step: "handshake", hint: expect.stringContaining("web page") } })
      const login = yield* examined({ url: yield* answering(401, "application/json", "{}") })
      expect(login).toMatchObject({ code: 4, wrong: { step: "auth", kind: "needs-auth" } })
      expect(login.wrong?.hint).toContain("harness9 mcp login it")
      const refusal = yield* examined({ url: yield* answering(403, "application/json", "{}") })
      expect(refusal).toMatchObject({ code: 3, wrong: { step: "auth", hint: expect.stringContaining("rights") } })
    }).pipe(Effect.scoped)
  )

  it.live("knows a port where nothing listens, and a certificate that nobody vouches for", () =>
    Effect.gen(function* () {
      const { origin, stop } = yield* HttpServer.serve(() => {})
      yield* stop
      const refused = yield* examined({ url: `${origin}/mcp` })
      expect(refused).toMatchObject({
        code: 3,
        wrong: { step: "connect", message: expect.stringContaining("refused") }
      })
      const tls = yield* examined({ url: yield* untrusted })
      expect(tls).toMatchObject({ code: 3, wrong: { step: "connect", hint: expect.stringContaining('"ca"') } })
    }).pipe(Effect.scoped)
  )

  it.live("knows a server of another revision", () =>
    Effect.gen(function* () {
      const server =
        "let b='';process.stdin.on('data',d=>{b+=d;for(let i;(i=b.indexOf('\\n'))>=0;b=b.slice(i+1)){const m=JSON.parse(b.slice(0,i));if(m.id!==undefined)console.log(JSON.stringify({jsonrpc:'2.0',id:m.id,result:{protocolVersion:'1999-01-01',capabilities:{},serverInfo:{name:'x',version:'1'}}}))}})"
      const { code, wrong } = yield* examined(script(server))
      expect({ code, wrong }).toMatchObject({
        code: 3,
        wrong: { step: "handshake", kind: "protocol", message: expect.stringContaining("1999-01-01") }
      })
      expect(wrong?.hint).toContain("Update the server")
    }).pipe(Effect.scoped)
  )

  it.live("knows tools that cannot be offered, and those whose schema was changed", () =>
    Effect.gen(function* () {
      const { code, report, wrong } = yield* examined(fixture("stdio/bad-schemas.mjs"))
      expect(code).toBe(1)
      expect(report?.status).toBe("connected")
      expect(wrong?.step).toBe("list")
      const repaired = report?.tools.filter(({ repairs }) => repairs.length > 0)
      expect(repaired?.length).toBeGreaterThan(0)
      const { stdout } = yield* run([
        "mcp",
        "doctor",
        "--config",
        yield* configured({ it: fixture("stdio/bad-schemas.mjs") })
      ])
      expect(stdout).toMatch(/✗ list /)
      expect(stdout).toContain("tokens of each request")
    }).pipe(Effect.scoped)
  )

  it.live("knows a variable that is not set, an entry that is none, and one that is switched off", () =>
    Effect.gen(function* () {
      const unset = yield* examined({ command: "x", args: ["${HARNESS9_NOT_SET}"] })
      expect(unset).toMatchObject({ code: 2, report: { status: "unusable" }, wrong: { step: "expansion" } })
      expect(unset.wrong?.message).toContain("HARNESS9_NOT_SET")
      expect(unset.wrong?.hint).toContain("default")
      const bad = yield* examined({ command: 5 })
      expect(bad).toMatchObject({ code: 2, wrong: { step: "config", message: expect.stringContaining("line") } })
      const off = yield* examined({ command: "x", disabled: true })
      expect(off).toMatchObject({ code: 2, report: { status: "disabled" } })
      expect(off.report?.steps.find(({ step }) => step === "spawn")?.hint).toBe("Switch it on: harness9 mcp enable it")
    }).pipe(Effect.scoped)
  )

  it.live("knows a server of the project that nobody has agreed to", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: { it: fixture("cli/server.mjs") } }))
      const { code, json } = yield* runJson(["mcp", "doctor", "--json"], { cwd })
      const [report] = decode(json.servers)
      expect({ code, status: report?.status }).toEqual({ code: 2, status: "needs-approval" })
      expect(report?.steps.find(({ status }) => status === "failed")?.hint).toContain("harness9 mcp approve it")
      expect((yield* run(["mcp", "doctor", "--trust"], { cwd })).code).toBe(0)
    }).pipe(Effect.scoped)
  )

  it.live("tells of a file that cannot be read at all, and of a server that is not in it", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "broken.json")
      writeFileSync(file, "{")
      const broken = yield* runJson(["mcp", "doctor", "--json", "--config", file])
      expect(broken).toMatchObject({
        code: 2,
        json: { servers: [], problems: [{ message: expect.stringContaining(file) }] }
      })
      const config = yield* configured({ filesystem: { command: "x", disabled: true } })
      const unknown = yield* run(["mcp", "doctor", "filesytem", "--config", config])
      expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean filesystem?") })
      const all = yield* run(["mcp", "doctor", "--config", config])
      expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining("mcp enable filesystem") })
    }).pipe(Effect.scoped)
  )
})
