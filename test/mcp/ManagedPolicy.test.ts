import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ManagedPolicy from "../../src/mcp/ManagedPolicy.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as TransportFactory from "../../src/mcp/TransportFactory.ts"

const program = (command: string, ...args: ReadonlyArray<string>) => ServerConfig.stdio("it", { command, args })
const address = (url: string) => ServerConfig.http("it", { url })

const allowed = (lists: ManagedPolicy.Lists, server: ServerConfig.ServerConfig) =>
  ManagedPolicy.reason(lists, server) === undefined

describe("a list of denied servers", () => {
  it("catches a program however it is reached, and leaves others alone", () => {
    const lists = { deny: [{ command: "curl*" }] }
    for (const command of ["curl", "/usr/bin/curl", "./curl"]) {
      expect(allowed(lists, program(command, "x"))).toBe(false)
    }
    expect(allowed(lists, program("node", "curl.js"))).toBe(true)
    const helped = ServerConfig.http("it", {
      url: "https://a.example/",
      headersHelper: { command: ["/bin/curl", "x"], cwd: "/" }
    })
    expect(allowed(lists, helped)).toBe(false)
  })

  it("knows names, and whole command lines", () => {
    expect(allowed({ deny: [{ name: "i?" }] }, program("x"))).toBe(false)
    expect(allowed({ deny: [{ command: "npx *evil*" }] }, program("/opt/npx", "-y", "evil-server"))).toBe(false)
    expect(allowed({ deny: [{ command: "npx *evil*" }] }, program("npx", "-y", "good-server"))).toBe(true)
  })

  it("knows addresses by host, whatever the rest of them is", () => {
    const lists = { deny: [{ url: "*.evil.example" }] }
    for (const url of ["https://a.evil.example/mcp", "http://A.EVIL.example./x?y=z", "https://u:p@a.evil.example"]) {
      expect(allowed(lists, address(url))).toBe(false)
    }
    expect(allowed(lists, address("https://good.example/a.evil.example"))).toBe(true)
  })

  it("wins over the list of allowed ones", () => {
    expect(allowed({ allow: [{ name: "*" }], deny: [{ name: "it" }] }, program("x"))).toBe(false)
  })
})

describe("a list of allowed servers", () => {
  it("keeps everything else out; an empty one keeps out all", () => {
    expect(allowed({ allow: [{ name: "it" }] }, program("x"))).toBe(true)
    expect(allowed({ allow: [{ name: "other" }] }, program("x"))).toBe(false)
    expect(allowed({ allow: [] }, program("x"))).toBe(false)
    expect(allowed({}, program("x"))).toBe(true)
  })

  it("is not fooled by a name where programs or addresses are listed", () => {
    const lists = { allow: [{ name: "it" }, { command: "npx -y @corp/*" }, { url: "https://*.corp.example/*" }] }
    expect(allowed(lists, program("sh", "-c", "evil"))).toBe(false)
    expect(allowed(lists, address("https://evil.example/mcp"))).toBe(false)
    expect(allowed(lists, program("npx", "-y", "@corp/tools"))).toBe(true)
    expect(allowed(lists, address("https://mcp.corp.example/mcp"))).toBe(true)
  })

  it("is not fooled by a program of the same name elsewhere, or by another PATH", () => {
    const lists = { allow: [{ command: "npx" }, { command: "/opt/corp/server" }] }
    expect(allowed(lists, program("npx", "-y", "anything"))).toBe(true)
    expect(allowed(lists, program("./npx"))).toBe(false)
    expect(allowed(lists, ServerConfig.stdio("it", { command: "npx", env: { Path: "./bin" } }))).toBe(false)
    expect(allowed(lists, ServerConfig.stdio("it", { command: "/opt/corp/server", env: { PATH: "/x" } }))).toBe(true)
  })

  it("is not fooled by an allowed host in another part of the address", () => {
    const lists = { allow: [{ url: "https://*.corp.example/mcp/*" }] }
    for (const url of [
      "https://evil.example/mcp/x.corp.example/mcp/y",
      "https://evil.example/?https://a.corp.example/mcp/",
      "https://a.corp.example@evil.example/mcp/x",
      "https://a.corp.example.evil.example/mcp/x",
      "http://a.corp.example/mcp/x",
      "https://a.corp.example:8443/mcp/x",
      "https://a.corp.example/other"
    ]) {
      expect(allowed(lists, address(url))).toBe(false)
    }
    expect(allowed(lists, address("https://a.b.corp.example/mcp/x"))).toBe(true)
  })
})

layer(NodeFileSystem.layer)("the files of the policy", (it) => {
  const written = Effect.fnUntraced(function* (text: string) {
    const fs = yield* FileSystem.FileSystem
    const file = `${yield* fs.makeTempDirectoryScoped()}/managed.json`
    yield* fs.writeFileString(file, text)
    return file
  })

  it.scoped("all count; one that is not there says nothing", () =>
    Effect.gen(function* () {
      const first = yield* written(`{"deny":[{"name":"a"}]}`)
      const second = yield* written(`{"deny":[{"name":"b"}]}`)
      const { check } = ManagedPolicy.make([first, `${first}.not`, second])
      const outcome = (name: string) => Effect.option(Effect.flip(check(ServerConfig.stdio(name, { command: "x" }))))
      expect((yield* outcome("a"))._tag).toBe("Some")
      expect((yield* outcome("b"))._tag).toBe("Some")
      expect((yield* outcome("c"))._tag).toBe("None")
    })
  )

  it.scoped("a list that cannot be read allows nothing, and says which it is", () =>
    Effect.gen(function* () {
      for (const text of ["{", `{"denied":[]}`, `{"deny":[{"name":"a","command":"b"}]}`, `{"deny":["a"]}`, ""]) {
        const file = yield* written(text)
        const error = yield* Effect.flip(ManagedPolicy.make([file]).check(program("x")))
        expect(error).toMatchObject({ kind: "config", message: expect.stringContaining("cannot be read") })
        expect(error.hint).toContain(file)
      }
    })
  )

  it("HARNESS9_MANAGED adds a file, and takes none away", () => {
    expect(ManagedPolicy.files({ HARNESS9_MANAGED: "/x.json" }, "linux")).toEqual([
      "/etc/harness9/managed.json",
      "/x.json"
    ])
    expect(ManagedPolicy.files({}, "linux")).toEqual(["/etc/harness9/managed.json"])
  })
})

describe("the live transports", () => {
  it.scoped("start nothing that is denied, and nothing that nobody has agreed to", () =>
    Effect.gen(function* () {
      const { make } = yield* TransportFactory.TransportFactory
      const denied = yield* Effect.flip(make(program("no-such-program")))
      expect(denied).toMatchObject({ kind: "config", message: expect.stringContaining("policy") })
      const consent = { project: "/p", digest: "", entry: {} }
      const unapproved = yield* Effect.flip(make({ ...program("no-such-program"), consent }))
      expect(unapproved).toMatchObject({ kind: "needs-approval", hint: expect.stringContaining("mcp approve it") })
    }).pipe(
      Effect.provide(TransportFactory.layer),
      Effect.provide(ManagedPolicy.layerLists({ deny: [{ command: "no-such-program" }] }))
    )
  )
})
