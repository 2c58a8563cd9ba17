import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { ForeignServer } from "../../../src/mcp/import/ForeignServer.ts"
import * as Host from "../../../src/mcp/import/Host.ts"

const fixture = (name: string, cwd = "/home/ada/shop") => {
  const path = new URL(`../../fixtures/import/${name}`, import.meta.url).pathname
  const document = Either.getOrThrow(Host.parse(readFileSync(path, "utf8"), path))
  const host = Either.getOrThrow(Host.detect(document, path))
  const { notes, servers } = host.read(document, cwd)
  // The first of a name, as the host would use it.
  const ranked = [...servers].sort((a, b) => a.rank - b.rank).reverse()
  return { id: host.id, notes, servers: Object.fromEntries(ranked.map((server) => [server.name, server])) }
}

const entries = (servers: Readonly<Record<string, ForeignServer>>) =>
  Object.fromEntries(Object.values(servers).map(({ entry, name }) => [name, entry]))

const notesOf = (server: ForeignServer | undefined) => server?.notes.join("\n") ?? ""

describe("Claude Code", () => {
  it("has servers of one project over those of all, and a list of those that are off", () => {
    const { id, notes, servers } = fixture("claude.json")
    expect(id).toBe("claude-code")
    expect(entries(servers)).toEqual({
      db: {
        type: "stdio",
        command: "npx",
        args: ["-y", "@bytebase/dbhub", "--dsn", "${DATABASE_URL:-postgres://localhost/shop}"],
        env: { LOG_LEVEL: "debug" },
        timeout: 120000,
        disabled: true
      },
      shared: { type: "stdio", command: "of-this-project" },
      api: {
        type: "http",
        url: "https://api.example.com/mcp",
        headersHelper: ["sh", "-c", "op read op://vault/token | jq -c ."]
      },
      login: {
        type: "http",
        url: "https://login.example.com/mcp",
        oauth: { clientId: "harness", callbackPort: 8080 }
      },
      live: undefined,
      notion: { type: "http", url: "https://mcp.notion.com/mcp" }
    })
    expect(notesOf(servers.live)).toContain("type ws")
    expect(notes).toEqual(["the servers of /home/ada/other were left there: elsewhere"])
  })

  it("finds the project from a folder inside of it, and none beside it", () => {
    expect(Object.keys(fixture("claude.json", "/home/ada/shop/src").servers)).toContain("db")
    const { notes, servers } = fixture("claude.json", "/home/ada/shopping")
    expect(Object.keys(servers).sort()).toEqual(["notion", "shared"])
    expect(notes).toHaveLength(2)
  })
})

describe("Claude Desktop", () => {
  it("has programs, and no variables in texts", () => {
    const { id, servers } = fixture("claude_desktop_config.json")
    expect(id).toBe("claude-desktop")
    expect(servers.filesystem?.entry).toEqual({
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ada/Desktop"]
    })
    expect(notesOf(servers["brave-search"])).toContain("${literally}")
    expect(notesOf(servers["brave-search"])).not.toContain("BSA-secret-value")
  })
})

describe("Cursor", () => {
  it("names variables with env:, and folders", () => {
    const { id, servers } = fixture("cursor.json")
    expect(id).toBe("cursor")
    expect(entries(servers)).toEqual({
      local: {
        type: "stdio",
        command: "python",
        args: ["./tools/server.py", "--home=${HOME}"],
        env: { API_KEY: "${API_KEY}" }
      },
      remote: { url: "https://api.example.com/mcp", headers: { Authorization: "Bearer ${MY_SERVICE_TOKEN}" } },
      oauth: { url: "https://login.example.com/mcp", oauth: { clientId: "${CLIENT_ID}", scopes: ["read"] } }
    })
    expect(notesOf(servers.local)).toMatch(/envFile[\s\S]*workspaceFolder/)
  })
})

describe("VS Code", () => {
  it("asks for inputs, which become variables with what to set", () => {
    const { id, servers } = fixture("vscode.jsonc")
    expect(id).toBe("vscode")
    expect(entries(servers)).toEqual({
      perplexity: {
        type: "stdio",
        command: "npx",
        args: ["-y", "server-perplexity-ask", "--region", "${REGION:-eu}"],
        env: { PERPLEXITY_API_KEY: "${PERPLEXITY_KEY}", RETRIES: 3 },
        cwd: "./tools"
      },
      github: { type: "http", url: "https://api.githubcopilot.com/mcp/" },
      old: { type: "sse", url: "https://old.example.com/sse", headers: { "X-Who": "${WHO}" } }
    })
    expect(notesOf(servers.perplexity)).toContain("set PERPLEXITY_KEY, which VS Code asks for: Perplexity API key")
    expect(notesOf(servers.perplexity)).toContain("sandbox")
  })

  it("has them in the settings in older versions", () => {
    const document = { "editor.tabSize": 2, mcp: { servers: { a: { command: "x" } } } }
    const host = Either.getOrThrow(Host.detect(document, "/settings.json"))
    expect(host.id).toBe("vscode")
    expect(host.read(document, "/").servers[0]?.entry).toEqual({ command: "x" })
  })
})

describe("Gemini CLI", () => {
  it("names variables as a shell does, and leaves servers out by a list", () => {
    const { id, servers } = fixture("gemini.json")
    expect(id).toBe("gemini")
    expect(entries(servers)).toEqual({
      pythonTools: {
        command: "python",
        args: ["-m", "my_mcp_server", "--port", "8080"],
        cwd: "./mcp-servers/python",
        env: { DATABASE_URL: "${DB_CONNECTION_STRING}", API_KEY: "${EXTERNAL_API_KEY}" },
        timeout: 15000,
        includeTools: ["safe_tool"],
        disabled: true
      },
      httpServer: { type: "http", url: "http://localhost:3000/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
      sseServer: { type: "http", url: "http://localhost:8080/sse", oauth: { scopes: ["a"] } },
      google: { type: "http", url: "https://my-service.run.app/mcp" }
    })
    expect(notesOf(servers.pythonTools)).toMatch(/trust[\s\S]*"cwd" is relative/)
    expect(notesOf(servers.google)).toContain("authProviderType")
  })
})

describe("Codex", () => {
  it("is TOML, with times in seconds and the names of variables", () => {
    const { id, servers } = fixture("codex.toml")
    expect(id).toBe("codex")
    expect(entries(servers)).toEqual({
      context7: {
        command: "npx",
        args: ["-y", "@upstash/context7-mcp"],
        env: { LOCAL_TOKEN: "${LOCAL_TOKEN:-}", REMOTE_TOKEN: "${REMOTE_TOKEN:-}", MY_ENV_VAR: "MY_ENV_VALUE" },
        connectTimeout: 20000
      },
      figma: {
        type: "http",
        url: "https://mcp.figma.com/mcp",
        bearerTokenEnv: "FIGMA_OAUTH_TOKEN",
        headers: { "X-Figma-Region": "us-east-1", "X-Trace": "${TRACE_ID}" },
        timeout: 45500,
        includeTools: ["open", "screenshot"],
        excludeTools: ["screenshot"]
      },
      "chrome.devtools": { command: "chrome-devtools-mcp", disabled: true, required: true }
    })
    expect(notesOf(servers.context7)).toBe("")
  })

  it("tells the place of a mistake, and nothing of the text", () => {
    const { message } = Either.getOrThrow(Either.flip(Host.parse('a = 1\ntoken = "s3cret', "/config.toml")))
    expect(message).toMatch(/\/config\.toml is no TOML \(line 2, column \d+\)$/)
  })
})

describe("OpenCode", () => {
  it("has a command as a list, and texts from files", () => {
    const { id, servers } = fixture("opencode.jsonc")
    expect(id).toBe("opencode")
    expect(entries(servers)).toEqual({
      everything: {
        command: "bun",
        args: ["x", "my-mcp-command"],
        env: { MY_ENV_VAR: "${MY_ENV_VAR}" },
        disabled: true,
        connectTimeout: 5000
      },
      remote: {
        type: "http",
        url: "https://mcp.example.com/mcp",
        headers: { Authorization: "Bearer ${AUTHORIZATION}" }
      },
      sentry: {
        type: "http",
        url: "https://mcp.sentry.dev/mcp",
        oauth: { clientId: "${ID}", scopes: "tools:read" }
      },
      "from-organisation": undefined
    })
    expect(notesOf(servers.remote)).toContain("~/.secrets/example")
  })

  it("has them one level deeper in newer versions", () => {
    const { id, servers } = fixture("opencode2.jsonc")
    expect(id).toBe("opencode")
    expect(servers.everything?.entry).toEqual({
      command: "npx",
      args: ["-y", "@modelcontextprotocol/server-everything"],
      cwd: ".",
      disabled: true,
      connectTimeout: 20000,
      timeout: 90000
    })
  })
})

describe("a host's files", () => {
  const files = (id: string, platform: NodeJS.Platform, env = {}) =>
    Host.hosts
      .find((host) => host.id === id)
      ?.files({ platform, env, home: platform === "win32" ? "C:\\Users\\ada" : "/home/ada", cwd: "/work/shop" })

  it("lie where each system keeps them", () => {
    expect(files("claude-desktop", "linux")).toEqual(["/home/ada/.config/Claude/claude_desktop_config.json"])
    expect(files("claude-desktop", "darwin")).toEqual([
      "/home/ada/Library/Application Support/Claude/claude_desktop_config.json"
    ])
    expect(files("claude-desktop", "win32", { APPDATA: "C:\\Users\\ada\\AppData\\Roaming" })).toEqual([
      "C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json"
    ])
    expect(files("vscode", "win32")).toContain("C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json")
    expect(files("vscode", "linux")?.[0]).toBe("/work/shop/.vscode/mcp.json")
    expect(files("cursor", "linux")).toEqual(["/work/shop/.cursor/mcp.json", "/home/ada/.cursor/mcp.json"])
    expect(files("gemini", "darwin")).toContain("/home/ada/.gemini/settings.json")
  })

  it("lie where the host's own variables say", () => {
    expect(files("claude-code", "linux", { CLAUDE_CONFIG_DIR: "/c" })).toEqual([
      "/c/.claude.json",
      "/work/shop/.mcp.json"
    ])
    expect(files("codex", "linux", { CODEX_HOME: "/x" })).toContain("/x/config.toml")
    expect(files("opencode", "linux", { XDG_CONFIG_HOME: "/g" })).toContain("/g/opencode/opencode.json")
  })
})

describe("any file", () => {
  const detected = (document: Parameters<typeof Host.detect>[0], path = "/some.json") =>
    Either.map(Host.detect(document, path), ({ id }) => id)

  it("is known by what is in it", () => {
    expect(detected({ mcpServers: { a: { command: "x" } } })).toEqual(Either.right("claude-code"))
    expect(detected({ mcpServers: { a: { env: { K: "$K" } } } })).toEqual(Either.right("gemini"))
    expect(detected({ mcpServers: { a: { command: "${workspaceFolder}/x" } } })).toEqual(Either.right("cursor"))
    expect(detected({ mcpServers: {} }, "/home/ada/.gemini/settings.json")).toEqual(Either.right("gemini"))
  })

  it("without servers is refused", () => {
    expect(Either.isLeft(detected({ context_servers: {} }))).toBe(true)
    expect(Either.isLeft(Host.parse("[]", "/some.json"))).toBe(true)
  })

  it("may hold anything: what is no server is told", () => {
    for (const raw of [5, "x", [], true, { command: null }, {}, { url: "", type: 7 }]) {
      const { servers } = Host.hosts[0]?.read({ mcpServers: { a: raw, __proto__: raw } }, "/") ?? { servers: [] }
      for (const { entry, notes } of servers) expect(entry === undefined ? notes.length : 1).toBeGreaterThan(0)
    }
  })
})
