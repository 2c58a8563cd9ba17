/**
 * `npm start`: builds, then opens harness9 on the example configuration. Without a terminal it runs one prompt through two real
 * servers instead, and prints the answer.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const demonstration = "echo the text 'hello from harness9', then list the allowed directories"

const node = (...args) => {
  const { signal, status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" })
  return signal === null ? (status ?? 1) : 130
}

const built = node("scripts/build.mjs")
if (built !== 0) process.exit(built)

const words = process.argv.slice(2)
const isTerminal = process.stdin.isTTY && process.stdout.isTTY
if (!isTerminal && words.length === 0) {
  console.error(`harness9 run "${demonstration}" --yes`)
  words.push("run", demonstration, "--yes", "--model", "offline")
}
process.exit(node("dist/cli/main.js", ...words, "--config", ".mcp.json.example"))
