import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AuthHttp from "../../../src/mcp/auth/AuthHttp.ts"
import * as SafeUrl from "../../../src/mcp/auth/SafeUrl.ts"

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

  it.live("by a name is judged by where the name leads, when the connection is made", () =>
    Effect.async<void>((resume) => {
      SafeUrl.guardedLookup("public")("localhost", { all: true }, (error) => {
        expect(error?.message).toContain("a server must not send harness9 into your network")
        SafeUrl.guardedLookup("loopback")("localhost", { all: true }, (none, addresses) => {
          expect(none).toBeNull()
          expect(addresses.length).toBeGreaterThan(0)
          resume(Effect.void)
        })
      })
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
