import dns from "node:dns"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AuthHttp from "../../../src/mcp/auth/AuthHttp.ts"
import * as SafeUrl from "../../../src/mcp/auth/SafeUrl.ts"

/** What the name service says in these tests. */
const addresses: Readonly<Record<string, ReadonlyArray<string>>> = {
  "loop.example": ["127.0.0.1"],
  "mapped.example": ["::ffff:10.0.0.1"],
  "near.example": ["10.0.0.1"],
  "cloud.example": ["169.254.169.254"],
  "both.example": ["8.8.8.8", "10.0.0.1"],
  "far.example": ["8.8.8.8", "2606:4700::1"]
}

const lookup = (
  name: string,
  _: object,
  callback: (error: Error | null, found: ReadonlyArray<object>) => void
): void => {
  const found = (addresses[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  callback(found.length === 0 ? new Error("no such name") : null, found)
}

const real = dns.lookup
beforeAll(() => {
  Object.assign(dns, { lookup })
})
afterAll(() => {
  Object.assign(dns, { lookup: real })
})

describe("an address that a server names", () => {
  it.each([
    "https://10.0.0.1/x",
    "https://172.20.1.1/x",
    "https://192.168.1.1/x",
    "https://100.64.0.1/x",
    "https://169.254.169.254/latest/meta-data",
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://localhost./x",
    "https://admin.localhost/x",
    "https://0.0.0.0/x",
    "https://2130706433/x",
    "https://0x7f.1/x",
    "https://[::1]/x",
    "https://[::]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://[64:ff9b::a9fe:a9fe]/x",
    "https://[2002:a00:1::]/x",
    "https://[64:ff9b:1::a00:1]/x",
    "https://0177.0.0.1/x",
    "https://127.1/x",
    "https://①②⑦.0.0.1/x",
    "https://[::ffff:7f00:1]/x",
    "https://[::10.0.0.1]/x",
    "https://[fd00::1]/x",
    "https://[fe80::1]/x",
    "https://224.0.0.1/x",
    "http://example.com/x",
    "http://localhost/x",
    "ftp://example.com/x",
    "https://a:b@example.com/x",
    "nonsense"
  ])("on the internet is not %s", (url) => {
    expect(SafeUrl.fault(url, "public")).toBeDefined()
  })

  it.each([
    ["https://as.example.com/x", "public"],
    ["https://8.8.8.8/x", "public"],
    ["https://[2606:4700::1]/x", "public"],
    ["https://10.0.0.1/x", "private"],
    ["https://as.example.com/x", "private"],
    ["http://127.0.0.1:8080/x", "loopback"],
    ["http://[::1]:8080/x", "loopback"],
    ["http://localhost:8080/x", "loopback"],
    ["https://10.0.0.1/x", "loopback"]
  ] as const)("may be %s for a server in the zone %s", (url, zone) => {
    expect(SafeUrl.fault(url, zone)).toBeUndefined()
  })

  it.each([
    ["https://127.0.0.1/x", "private"],
    ["https://169.254.169.254/x", "private"],
    ["https://169.254.169.254/x", "loopback"],
    ["http://10.0.0.1/x", "loopback"]
  ] as const)("may not be %s for a server in the zone %s", (url, zone) => {
    expect(SafeUrl.fault(url, zone)).toBeDefined()
  })

  it.live.each(["loop.example", "mapped.example", "near.example", "cloud.example", "both.example"])(
    "by the name %s, which leads nearer than the server is, is refused when the connection is made",
    (name) =>
      Effect.gen(function* () {
        const http = yield* AuthHttp.make({ server: "it", url: "https://8.8.8.8/mcp" })
        const step = "the authorization server metadata"
        const error = yield* Effect.flip(http.send({ step, method: "GET", url: `https://${name}/x` }))
        expect(error.message).toContain(`${step} at https://${name}/x: the exchange with ${name} failed`)
        expect(error.message).toContain("a server must not send harness9 into your network")
      })
  )

  it.live("is no nearer for a server whose own name has a near address beside a far one", () =>
    Effect.gen(function* () {
      const http = yield* AuthHttp.make({ server: "it", url: "https://both.example/mcp" })
      const error = yield* Effect.flip(http.send({ step: "it", method: "GET", url: "https://10.0.0.1/x" }))
      expect(error.message).toContain("leads to a private address")
    })
  )

  it.live.each([
    ["loop.example", "private"],
    ["near.example", "private"],
    ["both.example", "public"],
    ["cloud.example", "public"],
    ["far.example", "public"],
    ["nowhere.example", "public"],
    ["localhost", "loopback"]
  ])("by a server at %s is judged as by one that is %s", ([name, zone]) =>
    Effect.gen(function* () {
      expect(yield* SafeUrl.resolvedZone(new URL(`https://${name}/mcp`))).toBe(zone)
    })
  )

  it.live("on this machine in plain http is not for a server whose name leads here", () =>
    Effect.gen(function* () {
      const http = yield* AuthHttp.make({ server: "it", url: "https://loop.example/mcp" })
      const error = yield* Effect.flip(http.send({ step: "it", method: "GET", url: "http://127.0.0.1:1/x" }))
      expect(error.message).toContain("leads to a loopback address")
    })
  )

  it.live("in a private range is refused before anything is sent, with the step and the address", () =>
    Effect.gen(function* () {
      const http = yield* AuthHttp.make({ server: "it", url: "https://8.8.8.8/mcp" })
      const error = yield* Effect.flip(
        http.send({
          step: "the protected resource metadata",
          method: "GET",
          url: "https://169.254.169.254/meta?secret=1"
        })
      )
      expect(error).toMatchObject({ phase: "auth", kind: "protocol" })
      expect(error.message).toBe(
        "login refused: the protected resource metadata is at https://169.254.169.254/meta, and it leads to a reserved address, and the server is not at one: a server must not send harness9 into your network"
      )
    })
  )
})
