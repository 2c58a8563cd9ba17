/**
 * `npm start`: builds what has changed, then opens harness9 on the example configuration. Without a terminal it runs one prompt
 * through two real servers instead, and prints the answer.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const main = join(root, "dist/cli/main.js")
const demonstration = "echo the text 'hello from harness9', then list the allowed directories"

const node = (...args) => {
  const { signal, status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" })
  return signal === null ? (status ?? 1) : 130
}

const isStale = () => {
  if (!existsSync(main)) return true
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).map((path) => join("src", path))
  const built = statSync(main).mtimeMs
  return [...sources, "scripts/build.mjs", "package-lock.json"].some(
    (path) => statSync(join(root, path)).mtimeMs > built
  )
}

const built = isStale() ? node("scripts/build.mjs") : 0
if (built !== 0) process.exit(built)

const words = process.argv.slice(2)
const isTerminal = process.stdin.isTTY && process.stdout.isTTY
if (!isTerminal && words.length === 0) {
  console.error(`harness9 run "${demonstration}" --yes`)
  words.push("run", demonstration, "--yes", "--model", "offline")
}
process.exit(node(main, ...words, "--config", ".mcp.json.example"))
