import { describe, expect, it } from "@effect/vitest"
import * as Challenge from "../../../src/mcp/auth/Challenge.ts"

const plain = (header: string) =>
  Challenge.parse(header).map(({ parameters, scheme }) => [scheme, Object.fromEntries(parameters)])

describe("WWW-Authenticate", () => {
  it.each([
    ["Bearer", [["bearer", {}]]],
    ['Bearer realm="a, b", scope="x y"', [["bearer", { realm: "a, b", scope: "x y" }]]],
    ['bearer  Realm = "quo\\"ted" ,error=invalid_token', [["bearer", { realm: 'quo"ted', error: "invalid_token" }]]],
    [
      'Basic realm="x", Bearer error="e", Negotiate abc==, DPoP algs="ES256"',
      [
        ["basic", { realm: "x" }],
        ["bearer", { error: "e" }],
        ["negotiate", {}],
        ["dpop", { algs: "ES256" }]
      ]
    ],
    ["Bearer resource_metadata=https://x/y, scope=a", [["bearer", { resource_metadata: "https://x/y", scope: "a" }]]],
    ['Bearer scope="first", scope="second"', [["bearer", { scope: "first" }]]],
    ['Bearer scope="open', [["bearer", { scope: "open" }]]],
    [", ,, =", []],
    ["", []]
  ])("%s is read", (header, schemes) => {
    expect(plain(header)).toEqual(schemes)
  })

  it("asks for what its Bearer and DPoP parts say, and others do not", () => {
    const header = 'Basic scope="no", DPoP error="use_dpop_nonce", Bearer scope="a  b", resource_metadata="https://m"'
    expect(Challenge.wanted(header)).toEqual({
      resourceMetadata: "https://m",
      scopes: ["a", "b"],
      error: "use_dpop_nonce",
      dpop: true
    })
    expect(Challenge.wanted(undefined)).toEqual({
      resourceMetadata: undefined,
      scopes: undefined,
      error: undefined,
      dpop: false
    })
  })

  it("of any length is read in linear time", () => {
    const started = performance.now()
    Challenge.parse(`Bearer ${'a="'.repeat(50_000)}`)
    Challenge.parse(" ,".repeat(200_000))
    Challenge.parse(`Bearer ${"\\".repeat(100_000)}`)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
