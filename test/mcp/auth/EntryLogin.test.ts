import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as McpConfig from "../../../src/mcp/McpConfig.ts"
import type { Http } from "../../../src/mcp/ServerConfig.ts"

const parse = (entry: object, env: Readonly<Record<string, string>> = {}) => {
  const text = JSON.stringify({ mcpServers: { it: { url: "https://example.com/mcp", ...entry } } })
  const { problems, servers } = Either.getOrThrow(
    McpConfig.parse(text, { path: "/project/.mcp.json", cwd: "/project", env })
  )
  const [server] = servers
  const messages = problems.map(({ message }) => message)
  return { server, http: server?.transport as Http | undefined, messages }
}

describe("bearerTokenEnv", () => {
  it("sends what the variable holds, which is a secret", () => {
    const { http, server, messages } = parse({ bearerTokenEnv: "TOKEN" }, { TOKEN: "abcdef123" })
    expect(messages).toEqual([])
    expect(http?.headers).toEqual({ Authorization: "Bearer abcdef123" })
    expect(server?.secrets).toContain("abcdef123")
  })

  it("of a variable that is not set, or empty, costs the server and never tells what stands there", () => {
    const unset = parse({ bearerTokenEnv: "ghp_0123456789" })
    expect(unset.server).toBeUndefined()
    expect(unset.messages.join()).toContain('"bearerTokenEnv" names a variable that is not set')
    expect(unset.messages.join()).not.toContain("ghp_0123456789")
    expect(parse({ bearerTokenEnv: "TOKEN" }, { TOKEN: "" }).messages.join()).toContain(
      "names a variable that is empty"
    )
  })
})

describe("headersHelper", () => {
  it("is a program, or a list of it and its arguments, run in the folder of the file", () => {
    expect(parse({ headersHelper: "./token.sh" }).http?.headersHelper).toEqual({
      command: ["./token.sh"],
      cwd: "/project"
    })
    expect(parse({ headersHelper: ["~/bin/t", "${A}"] }, { HOME: "/home/me", A: "b" }).http?.headersHelper).toEqual({
      command: ["/home/me/bin/t", "b"],
      cwd: "/project"
    })
  })
})

describe("oauth", () => {
  it("is a login in a browser unless it says otherwise", () => {
    expect(parse({ oauth: { clientId: "me", scopes: "a b", callbackPort: 8123 } }).http?.oauth).toMatchObject({
      grant: "authorization_code",
      clientId: "me",
      scopes: ["a", "b"],
      callbackPort: 8123
    })
  })

  it("takes credentials as texts or from files, relative to the folder of the file", () => {
    const { http, messages, server } = parse(
      {
        oauth: {
          grant: "enterprise",
          clientId: "me",
          clientSecret: "${SECRET}",
          identityProvider: { tokenEndpoint: "https://idp.example/token", clientId: "us", idTokenFile: "id.jwt" }
        }
      },
      { SECRET: "s3cr3t-value" }
    )
    expect(messages).toEqual([])
    expect(http?.oauth?.clientSecret).toEqual({ _tag: "text", text: "s3cr3t-value" })
    expect(http?.oauth?.identityProvider?.idToken).toEqual({ _tag: "file", path: "/project/id.jwt" })
    expect(server?.secrets).toContain("s3cr3t-value")
  })

  it("counts secrets that stand in the file itself among the secrets", () => {
    const { server } = parse({ oauth: { grant: "jwt_bearer", clientId: "me", assertion: "written-here" } })
    expect(server?.secrets).toContain("written-here")
  })

  it.each([
    [{ grant: "password" }, '"oauth.grant" must be one of authorization_code'],
    [{ clientID: "me" }, '"oauth.clientID" is unexpected'],
    [{ callbackPort: 70000 }, '"oauth.callbackPort" must be the number of a port'],
    [{ grant: "client_credentials", clientId: "me" }, '"oauth" needs "clientSecret" for the grant client_credentials'],
    [{ grant: "client_credentials", clientSecret: "x" }, '"oauth" needs "clientId"'],
    [{ grant: "jwt_bearer", clientId: "me" }, '"oauth" needs "assertion"'],
    [{ grant: "enterprise", clientId: "me" }, '"oauth" needs "identityProvider"'],
    [{ grant: "enterprise", clientId: "me", identityProvider: {} }, '"oauth.identityProvider" needs "tokenEndpoint"'],
    [{ clientId: "me", privateKey: "a", privateKeyFile: "b" }, 'has "privateKey" and "privateKeyFile": keep one'],
    [{ clientSecret: "x" }, 'no "clientId" that it belongs to']
  ])("%j is refused: %s", (oauth, message) => {
    const { messages, server } = parse({ oauth })
    expect(server).toBeUndefined()
    expect(messages.join("\n")).toContain(message)
  })

  it("and other ways to say the credentials are not for one server", () => {
    expect(parse({ oauth: {}, headers: { authorization: "Bearer x" } }).messages.join()).toContain(
      '"oauth" and "headers.authorization" both say what is sent to log in: keep one'
    )
    expect(parse({ headersHelper: "x", bearerTokenEnv: "T" }, { T: "t" }).server).toBeUndefined()
  })

  it("means nothing to a program", () => {
    const { messages } = parse({ url: undefined, command: "node", oauth: { clientId: "me" } })
    expect(messages.join()).toContain('"oauth" means nothing to a server of type stdio')
  })
})
