/**
 * `npm run docs:screenshots`: runs the built CLI in tmux, with real servers and a model that plays a script, and draws what the
 * terminal shows into docs/screenshots. Build first.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { terminalSvg } from "./terminalSvg.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const target = join(root, "docs/screenshots")
const columns = 100
const rows = 40

const home = mkdtempSync(join(tmpdir(), "harness9-screenshots-"))
const project = join(home, "shop")
const socket = `harness9-screenshots-${process.pid}`

const tmux = (...words) => {
  const { error, stdout } = spawnSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8" })
  if (error !== undefined) throw new Error(`tmux: ${error.message}`)
  return stdout
}

const shows = async (wanted) => {
  for (let tries = 0; tries < 600; tries++) {
    if (wanted.test(tmux("capture-pane", "-p"))) return
    await setTimeout(50)
  }
  throw new Error(`never shown: ${wanted}\n${tmux("capture-pane", "-p")}`)
}

const type = (text) => tmux("send-keys", "-l", text)
const press = (...keys) => tmux("send-keys", ...keys)

const take = async (name, title) => {
  await setTimeout(300)
  writeFileSync(join(target, `${name}.svg`), terminalSvg(tmux("capture-pane", "-e", "-p"), { columns, title }))
  console.log(`docs/screenshots/${name}.svg`)
}

/** A turn of the model: what it says, or the tools that it calls. */
const says = (content) => [{ content }]
const calls = (...tools) => [
  {
    tool_calls: tools.map(([name, args], index) => ({
      index,
      id: `call_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) }
    }))
  }
]

const answer = `The cart takes **cents for euros**: \`total\` is in cents already when it is multiplied by a hundred.

\`\`\`ts
const total = items.reduce((sum, item) => sum + item.cents, 0)
return total + shipping // was: total * 100 + shipping
\`\`\`

| order | shown | right |
|---|---|---|
| 3 × tea | 1353.90 € | 17.40 € |
| 1 × cup | 593.90 € | 9.80 € |
`

const script = [
  calls(
    ["mcp__files__read_text_file", { path: "cart.ts" }],
    ["mcp__everything__get_sum", { a: 1350, b: 390 }],
    ["grep", { pattern: "shipping", path: "." }]
  ),
  says(answer),
  calls(["bash", { command: "npm test -- cart" }])
]

const model = createServer((request, response) => {
  if (!request.url.endsWith("/chat/completions")) return response.writeHead(404).end()
  const deltas = script.shift() ?? says("Done.")
  const reason = deltas.some(({ tool_calls }) => tool_calls !== undefined) ? "tool_calls" : "stop"
  const chunk = (fields) => ({ id: "1", object: "chat.completion.chunk", created: 0, model: "demo", ...fields })
  const events = [
    ...deltas.map((delta) =>
      chunk({ choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] })
    ),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    chunk({ choices: [], usage: { prompt_tokens: 2_140, completion_tokens: 180, total_tokens: 2_320 } })
  ]
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.end([...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""))
})

const packaged = (name, ...args) => ({
  command: process.execPath,
  args: [join(root, `node_modules/@modelcontextprotocol/${name}/dist/index.js`), ...args]
})

const config = {
  mcpServers: {
    files: {
      ...packaged("server-filesystem", "."),
      includeTools: ["read_text_file", "list_directory", "search_files"]
    },
    everything: { ...packaged("server-everything", "stdio"), includeTools: ["echo", "get-sum", "get-tiny-image"] },
    tickets: {
      command: process.execPath,
      args: [
        "-e",
        'console.error("Error: TICKETS_TOKEN is not set (see https://tickets.example/tokens)"); process.exit(1)'
      ]
    },
    calendar: { command: "sleep", args: ["600"] }
  }
}

const write = () => {
  mkdirSync(project, { recursive: true })
  mkdirSync(target, { recursive: true })
  writeFileSync(join(project, ".mcp.json"), JSON.stringify(config, undefined, 2))
  writeFileSync(
    join(project, "cart.ts"),
    'import { shipping } from "./shipping.ts"\n\nexport const price = (items) => {\n  const total = items.reduce((sum, item) => sum + item.cents, 0)\n  return total * 100 + shipping\n}\n'
  )
}

const open = (url) => {
  const env = {
    ...{ HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") },
    ...{ OPENAI_BASE_URL: url, TERM: "tmux-256color", LANG: "C.UTF-8" }
  }
  const command = [process.execPath, join(root, "dist/cli/main.js"), "--model", "openai/demo", "--trust"]
  const file = join(home, "run.sh")
  const exports = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`)
  const words = command.map((word) => `'${word}'`).join(" ")
  const steps = [
    "unset CI NO_COLOR ANTHROPIC_API_KEY OPENAI_API_KEY HARNESS9_MODEL",
    `cd '${project}'`,
    "echo '$ harness9'",
    words
  ]
  writeFileSync(file, [...exports, ...steps].join("\n"))
  tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), "/bin/sh", file)
}

const session = async () => {
  await shows(/tickets ✗ failed/)
  await shows(/everything ● \d+ tools/)
  await shows(/files ● \d+ tools/)
  await take("start", "harness9: servers connect while you type")

  type("Why are the prices in the cart wrong?")
  press("Enter")
  await shows(/1 × cup/)
  await shows(/· +ready/)
  await take("conversation", "harness9: tools of two servers and a built-in one, in one turn")

  type("/mcp")
  press("Enter")
  await shows(/TICKETS_TOKEN/)
  await take("panel", "harness9: /mcp")
  press("Escape")
  await shows(/Ask anything/)

  type("Then fix it, and run its tests.")
  press("Enter")
  await shows(/Allow this tool to run/)
  await take("approval", "harness9: a tool that asks")
}

write()
model.listen(0, "127.0.0.1")
await new Promise((resolve) => model.once("listening", resolve))
try {
  open(`http://127.0.0.1:${model.address().port}/v1`)
  await session()
} finally {
  tmux("kill-server")
  model.close()
  model.closeAllConnections()
  rmSync(home, { recursive: true, force: true })
}
