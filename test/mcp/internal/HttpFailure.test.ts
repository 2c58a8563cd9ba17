import { describe, expect, it } from "@effect/vitest"
import * as HttpFailure from "../../../src/mcp/internal/http/HttpFailure.ts"

const where = { server: "web", phase: "connect" as const, url: new URL("https://mcp.example/mcp?key=s3cr3t") }

const failure = (fields: object, message = "it failed") => Object.assign(new Error(message), fields)

describe("HttpFailure", () => {
  const cases: ReadonlyArray<readonly [string, Error, RegExp]> = [
    [
      "an unknown host",
      failure({ code: "ENOTFOUND", hostname: "mcp.example" }),
      /^host name mcp\.example cannot be resolved \(ENOTFOUND\)$/
    ],
    [
      "a refused connection",
      failure({ code: "ECONNREFUSED", address: "10.0.0.1", port: 443 }),
      /^connect refused 10\.0\.0\.1:443$/
    ],
    [
      "a refused IPv6 connection",
      failure({ code: "ECONNREFUSED", address: "::1", port: 80 }),
      /^connect refused \[::1\]:80$/
    ],
    ["an unreachable host", failure({ code: "EHOSTUNREACH" }), /^mcp\.example:443 cannot be reached/],
    [
      "a connection timeout",
      failure({ code: "UND_ERR_CONNECT_TIMEOUT" }),
      /^connecting to mcp\.example:443 timed out$/
    ],
    [
      "a lost socket",
      failure({ code: "UND_ERR_SOCKET" }, "other side closed"),
      /^the connection to mcp\.example was lost \(other side closed\)$/
    ],
    [
      "a self-signed certificate",
      failure({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
      /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/
    ],
    ["an expired certificate", failure({ code: "CERT_HAS_EXPIRED" }), /is not valid at this time/],
    ["an unknown failure", failure({ code: "EWHATEVER" }), /^the exchange with mcp\.example failed \(EWHATEVER\)$/],
    ["a failure without a code", failure({}, "odd \u001b[31m"), /failed \(odd \\x1b\[31m\)$/]
  ]
  for (const [name, error, message] of cases) {
    it(`tells ${name}, also when it is the cause of another error`, () => {
      for (const thrown of [error, new Error("fetch failed", { cause: error })]) {
        const told = HttpFailure.ofSocket(where, thrown)
        expect(told).toMatchObject({
          server: "web",
          phase: "connect",
          kind: "network",
          message: expect.stringMatching(message)
        })
        expect(JSON.stringify(told)).not.toContain("s3cr3t")
      }
    })
  }

  it("names every address that was tried", () => {
    const errors = ["::1", "127.0.0.1"].map((address) => failure({ code: "ECONNREFUSED", address, port: 4444 }))
    const error = Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" })
    const url = new URL("http://localhost:4444/mcp")
    expect(HttpFailure.ofSocket({ ...where, url }, error).message).toBe(
      "connect refused localhost:4444 (tried ::1 and 127.0.0.1)"
    )
  })

  it("says which proxy the connection went through", () => {
    const error = failure({ code: "ECONNREFUSED", address: "10.0.0.9", port: 3128 })
    expect(HttpFailure.ofSocket({ ...where, proxy: "proxy.corp:3128" }, error).message).toBe(
      "connect refused 10.0.0.9:3128 (through the proxy proxy.corp:3128)"
    )
  })
})
