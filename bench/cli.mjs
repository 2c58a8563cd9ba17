/**
 * The built program as a whole process: a word, and the tools of one server.
 */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { program } from "./peers.mjs"
import { atMost, cost, info, medians, publish } from "./report.mjs"
import { amount, rounds } from "./rounds.mjs"

const folder = await mkdtemp(join(tmpdir(), "harness9-bench-"))
await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { raw: program() } }))
const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))
const bareTools = fileURLToPath(new URL("bare-tools.mjs", import.meta.url))
const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder }
const run = promisify(execFile)
const node = (...args) => run(process.execPath, args, { cwd: folder, env })

const found = await rounds(
  {
    "node -e 0": () => node("-e", "0"),
    "harness9 --version": () => node(main, "--version"),
    "the bare loop": () => node(bareTools),
    "harness9 mcp tools": () => node(main, "mcp", "tools", "--json", "--trust")
  },
  amount(3, 11)
)
await rm(folder, { recursive: true })

const version = { ...found, harness9: found["harness9 --version"] }
const limit = 1.3 * found["the bare loop"] + found["harness9 --version"]
publish([
  cost("harness9 --version", version, "node -e 0", 2.5),
  atMost(
    "harness9 mcp tools --json, of 1.3 × the bare loop + --version",
    found["harness9 mcp tools"] / limit,
    1,
    "of it"
  ),
  info("the Inspector's CLI", "it does not run on this Node version"),
  medians("whole processes", found, "ms")
])
