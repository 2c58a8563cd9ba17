/**
 * The published servers whose tool lists the search is measured on. None needs a network or a real account to list its tools.
 */

export interface PublishedServer {
  /** What a person calls it in a configuration. */
  readonly name: string
  readonly package: string
  /** Pinned: the labels of `requests.ts` are about these versions. */
  readonly version: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Files that it does not start without, by name. */
  readonly files?: Readonly<Record<string, string>>
}

const kubeconfig = {
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "none", cluster: { server: "http://127.0.0.1:1" } }],
  users: [{ name: "none", user: {} }],
  contexts: [{ name: "none", context: { cluster: "none", user: "none" } }],
  "current-context": "none"
}

export const servers: ReadonlyArray<PublishedServer> = [
  { name: "everything", package: "@modelcontextprotocol/server-everything", version: "2026.8.31", args: ["stdio"] },
  { name: "filesystem", package: "@modelcontextprotocol/server-filesystem", version: "2026.8.31", args: ["."] },
  { name: "memory", package: "@modelcontextprotocol/server-memory", version: "2026.8.31" },
  { name: "thinking", package: "@modelcontextprotocol/server-sequential-thinking", version: "2026.8.31" },
  { name: "github", package: "@modelcontextprotocol/server-github", version: "2025.4.8" },
  {
    name: "postgres",
    package: "@modelcontextprotocol/server-postgres",
    version: "0.6.2",
    args: ["postgresql://127.0.0.1:1/x"]
  },
  { name: "context7", package: "@upstash/context7-mcp", version: "4.1.1" },
  { name: "playwright", package: "@playwright/mcp", version: "0.0.83", args: ["--headless", "--isolated"] },
  {
    name: "chrome-devtools",
    package: "chrome-devtools-mcp",
    version: "1.11.0",
    args: ["--headless", "--isolated", "--no-usage-statistics"],
    env: { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: "1" }
  },
  { name: "notion", package: "@notionhq/notion-mcp-server", version: "2.5.2", env: { NOTION_TOKEN: "x" } },
  {
    name: "clock",
    package: "@modelcontextprotocol/server-basic-vanillajs",
    version: "2.0.3",
    args: ["--stdio"]
  },
  { name: "pdf", package: "@modelcontextprotocol/server-pdf", version: "2.0.4", args: ["--stdio"] },
  { name: "firecrawl", package: "firecrawl-mcp", version: "3.22.2", env: { FIRECRAWL_API_KEY: "x" } },
  { name: "sentry", package: "@sentry/mcp-server", version: "0.36.0", args: ["--access-token=x"] },
  { name: "figma", package: "figma-developer-mcp", version: "0.13.2", args: ["--stdio", "--figma-api-key=x"] },
  { name: "mongodb", package: "mongodb-mcp-server", version: "3.0.4", args: ["--telemetry", "disabled"] },
  { name: "exa", package: "exa-mcp-server", version: "3.4.1", env: { EXA_API_KEY: "x" } },
  { name: "tavily", package: "tavily-mcp", version: "0.2.22", env: { TAVILY_API_KEY: "x" } },
  { name: "eslint", package: "@eslint/mcp", version: "0.3.13" },
  { name: "desktop", package: "@wonderwhy-er/desktop-commander", version: "0.2.52" },
  { name: "chart", package: "@antv/mcp-server-chart", version: "0.9.10" },
  {
    name: "kubernetes",
    package: "kubernetes-mcp-server",
    version: "0.0.67",
    env: { KUBECONFIG: "kubeconfig.json" },
    files: { "kubeconfig.json": JSON.stringify(kubeconfig) }
  },
  {
    name: "azure",
    package: "@azure/mcp",
    version: "2.0.5",
    args: ["server", "start"],
    env: { AZURE_MCP_COLLECT_TELEMETRY: "false" }
  },
  { name: "mastra", package: "@mastra/mcp-docs-server", version: "0.13.31" },
  { name: "shadcn", package: "shadcn", version: "4.23.1", args: ["mcp"] },
  { name: "git", package: "@cyanheads/git-mcp-server", version: "2.15.3" },
  { name: "n8n", package: "n8n-mcp", version: "2.87.0", env: { MCP_MODE: "stdio", DISABLE_CONSOLE_OUTPUT: "true" } },
  { name: "hello", package: "mcp-hello-world", version: "1.1.2" }
]
