import { describe, expect, it } from "@effect/vitest"
import * as HttpProxy from "../../../src/mcp/internal/http/HttpProxy.ts"

const choose = (url: string, env: HttpProxy.Environment) => {
  const choice = HttpProxy.choose(new URL(url), env)
  return choice._tag === "Proxy" ? choice.url.href : choice._tag
}

describe("HttpProxy", () => {
  it("takes the variable of the scheme, in either spelling, the small one first, else ALL_PROXY", () => {
    const env = { http_proxy: "http://small:1", HTTP_PROXY: "http://big:1", HTTPS_PROXY: "http://secure:1" }
    expect(choose("http://mcp.example/", env)).toBe("http://small:1/")
    expect(choose("https://mcp.example/", env)).toBe("http://secure:1/")
    expect(choose("https://mcp.example/", { HTTP_PROXY: "http://big:1" })).toBe("Direct")
    expect(choose("https://mcp.example/", { ALL_PROXY: "socks5://all:1", HTTPS_PROXY: "" })).toBe("socks5://all:1")
  })

  it("takes an address without a scheme for http", () => {
    expect(choose("http://mcp.example/", { HTTP_PROXY: "proxy.corp:3128" })).toBe("http://proxy.corp:3128/")
  })

  it("does not guess what an unusable value means", () => {
    for (const value of ["ftp://proxy", "http://", "://"]) {
      expect(HttpProxy.choose(new URL("http://mcp.example/"), { HTTP_PROXY: value })).toEqual({
        _tag: "Unusable",
        variable: "HTTP_PROXY"
      })
    }
  })

  it("reaches this machine directly, whatever its name", () => {
    for (const host of ["localhost", "LOCALHOST.", "app.localhost", "127.0.0.1", "127.8.9.1", "[::1]"]) {
      expect(choose(`http://${host}:8080/mcp`, { HTTP_PROXY: "http://proxy:1", NO_PROXY: "" })).toBe("Direct")
    }
    expect(choose("http://127.evil.example/", { HTTP_PROXY: "http://proxy:1" })).toBe("http://proxy:1/")
  })

  const cases: ReadonlyArray<readonly [url: string, noProxy: string, direct: boolean]> = [
    ["http://mcp.example/", "mcp.example", true],
    ["http://mcp.example/", "MCP.Example", true],
    ["http://a.mcp.example/", "mcp.example", true],
    ["http://a.mcp.example/", ".mcp.example", true],
    ["http://a.mcp.example/", "*.mcp.example", true],
    ["http://notmcp.example/", "mcp.example", false],
    ["http://mcp.example/", "other, mcp.example", true],
    ["http://mcp.example/", "other mcp.example", true],
    ["http://mcp.example/", "*", true],
    ["http://mcp.example:8080/", "mcp.example:8080", true],
    ["http://mcp.example:8081/", "mcp.example:8080", false],
    ["https://mcp.example/", "mcp.example:443", true],
    ["http://10.1.2.3/", "10.0.0.0/8", true],
    ["http://11.1.2.3/", "10.0.0.0/8", false],
    ["http://mcp.example/", "10.0.0.0/8", false],
    ["http://10.1.2.3/", "10.0.0.0/99", false],
    ["http://[fd00::1]/", "fd00::/8", true],
    ["http://[fd00::1]/", "[fd00::1]", true],
    ["http://10.1.2.3/", "2.3", false],
    ["http://mcp.example/", "", false],
    ["http://mcp.example/", ",,", false]
  ]
  for (const [url, noProxy, direct] of cases) {
    it(`NO_PROXY="${noProxy}" ${direct ? "excludes" : "does not exclude"} ${url}`, () => {
      const env = { HTTP_PROXY: "http://proxy:1", HTTPS_PROXY: "http://proxy:1" }
      const expected = direct ? "Direct" : "http://proxy:1/"
      expect(choose(url, { ...env, NO_PROXY: noProxy })).toBe(expected)
      expect(choose(url, { ...env, no_proxy: noProxy, NO_PROXY: "never.read" })).toBe(expected)
    })
  }
})
