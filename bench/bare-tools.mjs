/**
 * The least that a program does which prints the tools of a server.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const server = spawn(process.execPath, [fileURLToPath(new URL("server.mjs", import.meta.url))], {
  stdio: ["pipe", "pipe", "inherit"]
})
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
const clientInfo = { name: "bare", version: "1" }

createInterface(server.stdout).on("line", (line) => {
  const { id, result } = JSON.parse(line)
  if (id === 1) return send({ id: 2, method: "tools/list", params: {} })
  console.log(JSON.stringify(result.tools))
  server.stdin.end()
})
send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } })
