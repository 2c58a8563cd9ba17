import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as JSONSchema from "effect/JSONSchema"
import { ConfigDocument } from "../../src/mcp/internal/config/ServerEntry.ts"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import type { Http, ServerConfig, Stdio } from "../../src/mcp/ServerConfig.ts"

const path = "/project/.mcp.json"

const attempt = (text: string, env: Readonly<Record<string, string | undefined>> = {}) =>
  McpConfig.parse(text, { path, cwd: "/project", env })

const parse = (text: string, env?: Readonly<Record<string, string | undefined>>) =>
  Either.getOrThrowWith(attempt(text, env), (error) => new Error(error.message))

const parseEntry = (entry: unknown, env?: Readonly<Record<string, string | undefined>>) => {
  const { problems, servers } = parse(JSON.stringify({ mcpServers: { it: entry } }), env)
  return { server: servers[0], messages: problems.map(({ message }) => message) }
}

const errorOf = (text: string) => Either.getOrThrow(Either.flip(attempt(text)))

const stdioOf = (server: ServerConfig | undefined): Stdio => {
  if (server?.transport._tag !== "stdio") throw new Error("no stdio server")
  return server.transport
}

const httpOf = (server: ServerConfig | undefined): Http => {
  if (server === undefined || server.transport._tag === "stdio") throw new Error("no HTTP server")
  return server.transport
}

describe("the text of a configuration file", () => {
  it("may have comments, trailing commas and a byte order mark", () => {
    const { problems, servers } = parse(`\uFEFF// servers
      { "mcpServers": { /* one */ "a": { "command": "node", "args": ["x//y", "/* z */",], }, }, }`)
    expect(problems).toEqual([])
    expect(stdioOf(servers[0]).args).toEqual(["x//y", "/* z */"])
  })

  it.each([
    ["a missing comma", `{\n  "mcpServers": {\n    "a": { "command": "node" "args": [] }\n  }\n}`, "3:30"],
    ["a missing brace", `{"mcpServers": {}`, "1:18"],
    ["an open text", `{\r\n  "mcpServers\r\n}`, "2:3"],
    ["a single quote", `{\n\n  'mcpServers': {}\n}`, "3:3"],
    ["an open comment", `{\n/* x`, "2:1"],
    ["something after the end", `{} {}`, "1:4"],
    ["a text after a byte order mark", `\uFEFF{]`, "1:2"]
  ])("that is broken by %s is an error with path, line and column", (_, text, place) => {
    const error = errorOf(text)
    expect(error).toMatchObject({ kind: "config", phase: "config" })
    expect(error.message).toContain(`${path}:${place}: `)
  })

  it("that is no object, or nested without end, is an error too", () => {
    expect(errorOf("[]").message).toContain(path)
    expect(errorOf("[".repeat(100_000)).message).toContain("nested too deeply")
    expect(errorOf(`${"[".repeat(300)}${"]".repeat(300)}`).message).toContain("nested too deeply")
  })

  it("never shows what the file holds in an error", () => {
    expect(JSON.stringify(errorOf(`{"mcpServers":{"a":{"env":{"K":"hunter2" "L":1}}}}`))).not.toContain("hunter2")
  })

  it("that is empty says so, and one without servers has none", () => {
    expect(parse("")).toMatchObject({ servers: [], problems: [{ path, message: "the file is empty" }] })
    expect(parse(" // nothing yet\n").problems).toHaveLength(1)
    expect(parse("{}")).toEqual({ servers: [], names: [], problems: [] })
    expect(parse(`{"$schema":"x","mcpServers":{}}`).problems).toEqual([])
  })

  it.each(["servers", "mcp", "mcp_servers", "context_servers", "McpServers"])(
    "whose servers stand under %s gets the hint to rename it",
    (key) => {
      const { problems, servers } = parse(`{"${key}":{"a":{"command":"node"}}}`)
      expect(servers).toEqual([])
      expect(problems).toMatchObject([
        { path, message: `no "mcpServers": rename "${key}" to "mcpServers" (line 1, column 2)` }
      ])
    }
  )

  it("whose entries stand at the top gets the hint where they belong", () => {
    expect(parse(`{"a":{"command":"node"}}`).problems[0]?.message).toContain(`put the entry "a" inside of "mcpServers"`)
  })

  it("with other top-level keys is told of them in one problem", () => {
    const { problems, servers } = parse(`{"mcpServers":{"a":{"command":"node"}},"inputs":[],"x":1}`)
    expect(servers).toHaveLength(1)
    expect(problems.map(({ message }) => message)).toEqual([`unknown keys ignored: "inputs", "x" (line 1, column 40)`])
  })

  it.each(["null", "[]", `"x"`, "1"])("whose mcpServers is %s is told so", (value) => {
    expect(parse(`{"mcpServers":${value}}`).problems[0]?.message).toMatch(/^"mcpServers" must be an object/)
  })

  it("with a name twice takes the later entry and says where", () => {
    const { problems, servers } = parse(`{"mcpServers":{"a":{"command":"one"},\n"a":{"command":"two"}}}`)
    expect(servers.map((server) => stdioOf(server).command)).toEqual(["two"])
    expect(problems).toEqual([
      { server: "a", path, message: `"a" is there twice: the later one counts (line 2, column 1)` }
    ])
  })

  it("with a field, a variable or a whole section twice is told so", () => {
    const entry = parse(`{"mcpServers":{"a":{"command":"one","command":"two","env":{"K":"1","K":"2"}}}}`)
    expect(entry.problems.map(({ server, message }) => [server, message.split(":")[0]])).toEqual([
      ["a", `"command" is there twice`],
      ["a", `"K" is there twice`]
    ])
    expect(stdioOf(entry.servers[0])).toMatchObject({ command: "two", env: { K: "2" } })
    expect(parse(`{"mcpServers":{},"mcpServers":{"a":{"command":"x"}}}`)).toMatchObject({
      servers: [{ name: "a" }],
      problems: [{ path }]
    })
  })

  it("keeps the order of the file, whatever the names look like", () => {
    const { servers } = parse(
      `{"mcpServers":{"z":{"command":"x"},"10":{"command":"x"},"2":{"command":"x"},"__proto__":{"command":"x"}}}`
    )
    expect(servers.map(({ name }) => name)).toEqual(["z", "10", "2", "__proto__"])
  })

  it("has a JSON Schema", () => {
    const schema = JSON.stringify(JSONSchema.make(ConfigDocument))
    expect(schema).toContain("streamable-http")
    expect(schema).toContain("How long a tool call may take")
  })
})

describe("one bad entry costs that entry", () => {
  it("and is told with its name, its file and its place", () => {
    const { problems, servers } = parse(`{
  "mcpServers": {
    "good": { "command": "node" },
    "bad": { "args": ["x"] },
    "str": "oops",
    "nul": null,
    "list": [],
    "": { "command": "node" },
    "last": { "url": "https://example.com/mcp" }
  }
}`)
    expect(servers.map(({ name }) => name)).toEqual(["good", "last"])
    expect(problems).toEqual([
      {
        server: "bad",
        path,
        message: `neither "command" (a program to start) nor "url" (an address) is given (line 4, column 12)`
      },
      { server: "str", path, message: "an entry must be an object (line 5, column 12)" },
      { server: "nul", path, message: "an entry must be an object (line 6, column 12)" },
      { server: "list", path, message: "an entry must be an object (line 7, column 13)" },
      { server: "", path, message: "a server needs a name (line 8, column 5)" }
    ])
  })

  it.each([
    [{ command: 3 }, `"command" must be the name of a program`],
    [{ command: "" }, `"command" must be the name of a program`],
    [{ command: [] }, `"command" must be the name of a program`],
    [{ command: ["node", null] }, `"command" must be the name of a program`],
    [{ command: "  " }, `"command" is empty`],
    [{ command: "node", args: "-y pkg" }, `"args" must be a list of texts`],
    [{ command: "node", args: ["a", null] }, `"args.1" must be a text`],
    [{ command: "node", env: "A=1" }, `"env" must be an object of texts, or a list of KEY=VALUE`],
    [{ command: "node", cwd: 1 }, `"cwd" must be a text`],
    [{ command: "node", disabled: "true" }, `"disabled" must be true or false`],
    [{ command: "node", timeout: "soon" }, `"timeout" must be a time`],
    [{ command: "node", timeout: 0 }, `"timeout" must be more than zero`],
    [{ command: "node", connectTimeout: -1 }, `"connectTimeout" must be more than zero`],
    [{ command: "node", includeTools: "x" }, `"includeTools" must be a list of texts`],
    [{ command: "node", protocolVersion: "2030-01-01" }, `"protocolVersion" must be one of 2026-07-28`],
    [{ command: "a\0b" }, `"command" holds a NUL character`],
    [{ command: "node", args: ["a\0"] }, `"args" holds a NUL character`],
    [{ command: "node", env: { A: "\0" } }, `"env.A" holds a NUL character`],
    [{ url: "" }, `"url" must be a text`],
    [{ url: "example.com/mcp" }, `"url" is no address`],
    [{ url: "ws://example.com" }, `"url" must begin with http:// or https://, not ws:`],
    [{ serverUrl: "file:///x" }, `"serverUrl" must begin with http://`],
    [{ url: "http://x", headers: ["A: b"] }, `"headers" must be an object of texts`],
    [{ url: "http://x", headers: { A: null } }, `"headers.A" must be a text`],
    [{ url: "http://x", headers: { "A B": "c" } }, `"headers.A B" is no name`],
    [{ url: "http://x", headers: { A: "b\r\nC: d" } }, `"headers.A" holds a line break`],
    [{ url: "http://x", headers: { A: "日本" } }, `"headers.A" holds a character`],
    [{ url: "http://x", headers: { a: "1", A: "2" } }, `"headers.A" is given twice`]
  ])("%j", (entry, message) => {
    const { messages, server } = parseEntry(entry)
    expect(server).toBeUndefined()
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain(message)
    expect(messages[0]).toMatch(/\(line 1, column \d+\)$/)
  })

  it("and never tells a value", () => {
    for (const entry of [
      { command: "node", env: { K: ["hunter2"] } },
      { command: "node", env: ["hunter2"] },
      { command: "node", args: [{ token: "hunter2" }] },
      { url: "hunter2" },
      { url: "http://x", headers: { A: { b: "hunter2" }, B: "hunter2\n1" } },
      { url: "http://x", headers: "hunter2" },
      { command: ["hunter2", 1] },
      { command: "node", timeout: "hunter2" },
      { type: "hunter2", command: "node" }
    ]) {
      const { messages } = parseEntry(entry)
      expect(messages.length).toBeGreaterThan(0)
      expect(messages.join()).not.toContain("hunter2")
    }
  })
})

describe("the transport of an entry", () => {
  it.each([
    [{ command: "node" }, "stdio"],
    [{ type: "stdio", command: "node" }, "stdio"],
    [{ type: "local", command: "node" }, "stdio"],
    [{ transport: "stdio", command: "node" }, "stdio"],
    [{ transport: { type: "stdio", command: "node" } }, "stdio"],
    [{ url: "http://x/" }, "http"],
    [{ httpUrl: "http://x/" }, "http"],
    [{ serverUrl: "http://x/" }, "http"],
    [{ type: "http", url: "http://x/" }, "http"],
    [{ type: "streamable-http", url: "http://x/" }, "http"],
    [{ type: "streamable_http", url: "http://x/" }, "http"],
    [{ type: "streamableHttp", url: "http://x/" }, "http"],
    [{ transport: "streamable-http", url: "http://x/" }, "http"],
    [{ transport: { type: "http", url: "http://x/" } }, "http"],
    [{ type: "sse", url: "http://x/" }, "sse"],
    [{ transport: "sse", url: "http://x/" }, "sse"]
  ])("%j is spoken to over %s", (entry, tag) => {
    const { messages, server } = parseEntry(entry)
    expect(messages).toEqual([])
    expect(server?.transport).toMatchObject(
      tag === "stdio" ? { _tag: tag, command: "node" } : { _tag: tag, url: "http://x/" }
    )
  })

  it("in a nested transport object keeps all of it, headers and unknown fields included", () => {
    const { messages, server } = parseEntry({
      transport: { type: "http", url: "http://x/", headers: { Authorization: "Bearer abcd" }, retry: 3 },
      timeout: 1000
    })
    expect(httpOf(server).headers).toEqual({ Authorization: "Bearer abcd" })
    expect(server?.callTimeout).toEqual(Duration.seconds(1))
    expect(messages).toEqual([expect.stringContaining(`unknown field ignored: "retry"`)])
  })

  it.each([
    [{ command: "node", url: "http://x" }, `both "command" and "url" are given`],
    [{ type: "stdio", url: "http://x" }, `"type" is stdio, and "command" is missing`],
    [{ type: "http", command: "node" }, `"type" is http, and "url" is missing`],
    [{ type: "sse", command: "node" }, `"type" is sse, and "url" is missing`],
    [{ type: "ws", url: "ws://x" }, `"type" must be one of stdio, local, http`],
    [{ transport: "carrier-pigeon", url: "http://x" }, `"transport" must be one of`],
    [{ transport: 3, url: "http://x" }, `"transport" must be one of`],
    [{ type: "http", transport: "sse", url: "http://x" }, `"type" and "transport" mean the same and are given twice`],
    [{ url: "http://x", httpUrl: "http://y" }, `"url" and "httpUrl" mean the same and are given twice`],
    [{ url: "http://x", transport: { url: "http://y" } }, `"url" is given twice`]
  ])("%j is refused", (entry, message) => {
    const { messages, server } = parseEntry(entry)
    expect(server).toBeUndefined()
    expect(messages).toEqual([expect.stringContaining(message)])
  })

  it("that the type decides leaves the other's fields aside, and says so", () => {
    const http = parseEntry({ type: "http", url: "http://x", command: "node", args: [], env: {} })
    expect(http.server?.transport._tag).toBe("http")
    expect(http.messages).toEqual([
      expect.stringContaining(`"command" means nothing to a server of type http; ignored`)
    ])
    const stdio = parseEntry({ command: "node", headers: { A: "b" } })
    expect(stdio.server?.transport._tag).toBe("stdio")
    expect(stdio.messages).toEqual([expect.stringContaining(`"headers" means nothing to a server of type stdio`)])
  })
})

describe("the fields of an entry", () => {
  it("have defaults", () => {
    expect(parseEntry({ command: "node" }).server).toEqual({
      name: "it",
      transport: { _tag: "stdio", command: "node", args: [], env: {}, cwd: "/project", inheritEnv: false },
      disabled: false,
      required: false,
      excludeTools: [],
      source: path,
      secrets: []
    })
  })

  it("are taken over", () => {
    const { messages, server } = parseEntry({
      command: "node",
      args: ["a b", 8080, true],
      cwd: "sub",
      inheritEnv: true,
      required: true,
      timeout: 5000,
      connectTimeout: "2m",
      includeTools: ["get_*"],
      excludeTools: ["get_secret"],
      protocolVersion: "2025-06-18"
    })
    expect(messages).toEqual([])
    expect(server).toMatchObject({
      transport: { args: ["a b", "8080", "true"], cwd: "/project/sub", inheritEnv: true },
      required: true,
      callTimeout: Duration.seconds(5),
      connectTimeout: Duration.minutes(2),
      includeTools: ["get_*"],
      excludeTools: ["get_secret"],
      protocolVersion: "2025-06-18"
    })
  })

  it("that are not known are named in one problem, and the entry loads", () => {
    const { messages, server } = parseEntry({ command: "node", autoApprove: [], trust: true, toString: 1 })
    expect(server).toBeDefined()
    expect(messages).toEqual([expect.stringContaining(`unknown fields ignored: "autoApprove", "trust", "toString"`)])
  })

  it.each([
    [{ disabled: true }, true],
    [{ enabled: false }, true],
    [{ disabled: true, enabled: true }, true],
    [{ disabled: false, enabled: false }, true],
    [{ disabled: false }, false],
    [{ enabled: true }, false],
    [{}, false]
  ])("off wins: %j", (switches, disabled) => {
    expect(parseEntry({ command: "node", ...switches }).server?.disabled).toBe(disabled)
  })

  it("folders are relative to the file, ~ is the home folder", () => {
    const cwdOf = (cwd: string) => stdioOf(parseEntry({ command: "node", cwd }, { HOME: "/home/me" }).server).cwd
    expect(["..", "/tmp", "~", "~/x", "a~"].map(cwdOf)).toEqual(["/", "/tmp", "/home/me", "/home/me/x", "/project/a~"])
    expect(stdioOf(parseEntry({ command: "~/bin/x" }, { HOME: "/home/me" }).server).command).toBe("/home/me/bin/x")
    expect(httpOf(parseEntry({ url: "http://x", ca: "ca.pem" }).server).ca).toBe("/project/ca.pem")
  })

  it("a command in a list is a program and its first arguments", () => {
    const { server } = parseEntry({ command: ["node", "server.mjs"], args: ["--x"] })
    expect(stdioOf(server)).toMatchObject({ command: "node", args: ["server.mjs", "--x"] })
  })
})

describe("the variables of a program", () => {
  it("may be numbers and booleans; what cannot be one is left out and told", () => {
    const { messages, server } = parseEntry({
      command: "node",
      env: { PORT: 8080, DEBUG: true, LIST: ["a"], NUL: null, OBJ: {}, "A=B": "c", "": "d", EMPTY: "" }
    })
    expect(stdioOf(server).env).toEqual({ PORT: "8080", DEBUG: "true", EMPTY: "" })
    expect(messages).toEqual([
      expect.stringContaining(`"env.LIST" is a list: a variable is a text, a number, true or false; ignored`),
      expect.stringContaining(`"env.NUL" is null`),
      expect.stringContaining(`"env.OBJ" is an object`),
      expect.stringContaining(`"env.A=B" is no name`),
      expect.stringContaining(`"env." is no name`)
    ])
  })

  it("may be a list of KEY=VALUE", () => {
    const { messages, server } = parseEntry({ command: "node", env: ["A=1", "B=x=y", "C=", "D", 3, "=e", "A=2"] })
    expect(stdioOf(server).env).toEqual({ A: "2", B: "x=y", C: "" })
    expect(messages).toEqual([
      expect.stringContaining(`"env.3" must be KEY=VALUE`),
      expect.stringContaining(`"env.4" must be KEY=VALUE`),
      expect.stringContaining(`"env.5" must be KEY=VALUE`),
      expect.stringContaining(`"env" has A twice: the later one counts`)
    ])
  })
})

describe("references to the environment", () => {
  const env = { TOKEN: "s3cret-token", HOST: "example.com", DIR: "sub", NAME: "node", EMPTY: "" }

  it("are replaced alike in command, args, env, cwd, url, headers and ca", () => {
    const program = parseEntry(
      { command: `\${NAME}`, args: [`--t=\${TOKEN}`], env: { K: `a\${TOKEN}b` }, cwd: `\${DIR}` },
      env
    )
    expect(stdioOf(program.server)).toMatchObject({
      command: "node",
      args: ["--t=s3cret-token"],
      env: { K: "as3cret-tokenb" },
      cwd: "/project/sub"
    })
    const listed = parseEntry({ command: [`\${NAME}`], env: [`K=\${TOKEN}`] }, env)
    expect(stdioOf(listed.server)).toMatchObject({ command: "node", env: { K: "s3cret-token" } })
    const remote = parseEntry(
      { url: `https://\${HOST}/mcp`, headers: { Authorization: `Bearer \${TOKEN}` }, ca: `\${DIR}/ca.pem` },
      env
    )
    expect(httpOf(remote.server)).toMatchObject({
      url: "https://example.com/mcp",
      headers: { Authorization: "Bearer s3cret-token" },
      ca: "/project/sub/ca.pem"
    })
  })

  it.each([
    [`\${TOKEN:-x}`, "s3cret-token"],
    [`\${UNSET:-x y}`, "x y"],
    [`\${UNSET:-}`, ""],
    [`\${EMPTY:-x}`, "x"],
    [`\${EMPTY}`, ""],
    [`\${UNSET:-https://a:-b}`, "https://a:-b"],
    [`\${TOKEN}\${TOKEN}`, "s3cret-tokens3cret-token"],
    [`_X=foo; echo \${_X%o}`, undefined],
    ["$TOKEN", undefined],
    [`\${TOKEN`, undefined],
    [`\${}`, undefined],
    [`\${1TOKEN}`, undefined],
    [`\${TOKEN:0:2}`, undefined],
    [`\${TOKEN-x}`, undefined],
    [`\${TOKEN:+x}`, undefined],
    [`\${#TOKEN}`, undefined],
    [`\${TOKEN[0]}`, undefined],
    [`\${env:TOKEN}`, undefined],
    [`\${ TOKEN }`, undefined],
    ["%TOKEN%", undefined]
  ])("%s", (written, expected) => {
    const { messages, server } = parseEntry({ command: "node", args: [written] }, env)
    expect(messages).toEqual([])
    expect(stdioOf(server).args).toEqual([expected ?? written])
  })

  it("in what a variable holds are left alone", () => {
    const nested = { A: `\${TOKEN}`, TOKEN: "x" }
    expect(stdioOf(parseEntry({ command: "node", args: [`\${A}`] }, nested).server).args).toEqual([nested.A])
  })

  it("to what an object inherits are not set", () => {
    expect(parseEntry({ command: "node", args: [`\${constructor}`] }).messages).toHaveLength(1)
  })

  it("that are not set and have no default cost the server, by name, field and place", () => {
    const reference = `\${DEMO_TOKEN}`
    const { problems, servers } = parse(`{"mcpServers":{
      "good": { "command": "node" },
      "bad": {
        "url": "http://x/${reference}",
        "headers": { "Authorization": "Bearer ${reference}" }
      },
      "list": { "command": "node", "env": ["A=1", "B=${reference}"] }
    }}`)
    expect(servers.map(({ name }) => name)).toEqual(["good"])
    const what = `needs ${reference}, which is not set and has no default`
    expect(problems).toEqual([
      { server: "bad", path, message: `"url" ${what} (line 4, column 16)` },
      { server: "bad", path, message: `"headers.Authorization" ${what} (line 5, column 39)` },
      { server: "list", path, message: `"env.B" ${what} (line 7, column 51)` }
    ])
  })

  it("that are not set leave a disabled server in the list, marked as one that cannot be connected", () => {
    const { messages, server } = parseEntry({ url: `http://\${HOST}/`, disabled: true })
    expect(messages).toEqual([])
    expect(server).toMatchObject({ disabled: true, unusable: expect.stringContaining(`"url" needs \${HOST}`) })
  })
})

describe("the secrets of an entry", () => {
  const secretsOf = (entry: unknown, env?: Readonly<Record<string, string | undefined>>) =>
    parseEntry(entry, env).server?.secrets ?? []

  it("are header values, with and without their scheme", () => {
    expect(secretsOf({ url: "http://x", headers: { Authorization: "Bearer abcdef", DIFY_KEY: "k-123" } })).toEqual([
      "Bearer abcdef",
      "abcdef",
      "k-123"
    ])
  })

  it("are values of the entry's variables", () => {
    expect(secretsOf({ command: "node", env: { MY_CREDENTIAL: "abcdef" } })).toEqual(["abcdef"])
  })

  it("are values that came from the environment, wherever they went", () => {
    const env = { TOKEN: "t0ken", DIR: "d1rectory" }
    expect(secretsOf({ command: "node", args: [`x\${TOKEN}`], cwd: `\${DIR}` }, env)).toEqual(["d1rectory", "t0ken"])
  })

  it("are the userinfo and the query of an address, as written, decoded and as the header that they become", () => {
    expect(secretsOf({ url: "https://user:pass%2Fword@x/?key=a%20bcd&n" })).toEqual(
      expect.arrayContaining(["user", "pass%2Fword", "pass/word", "a%20bcd", "a bcd", btoa("user:pass/word")])
    )
  })

  it("are arguments that look like credentials", () => {
    expect(
      secretsOf({
        command: "x",
        args: [
          "--api-key=abcd1",
          "--access-token",
          "abcd2",
          "--token",
          "--flag",
          "--port",
          "80800",
          "db://me:abcd3@host/x"
        ]
      })
    ).toEqual([btoa("me:abcd3"), "abcd1", "abcd2", "abcd3"])
  })

  it("are no short values, common words, or names of places", () => {
    const env = { HOME: "/home/someone" }
    const entry = {
      command: "node",
      args: [`\${HOME}`],
      env: { A: "abc", DEBUG: true, MODE: "production", N: 1, H: `\${HOME}` }
    }
    expect(secretsOf(entry, env)).toEqual([])
  })
})

describe("defer", () => {
  it.each([true, false, "auto"])("may be %s", (defer) => {
    const { messages, server } = parseEntry({ command: "node", defer })
    expect(server?.defer).toBe(defer)
    expect(messages).toEqual([])
  })

  it("that is something else costs the entry, with what it may be", () => {
    const { messages, server } = parseEntry({ command: "node", defer: "always" })
    expect(server).toBeUndefined()
    expect(messages).toEqual([expect.stringContaining('"defer" must be true, false or "auto"')])
  })
})
