/**
 * Walks the README's path on each line of Node that is supported. The programs come from the registry, into a folder that outlives the run.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "harness9/node")
const lines = ["20", "22", "24"]

const nodes = lines.map((line) => {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(cache, line)
  const node = join(folder, "node_modules", name, "bin/node")
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true })
    const words = [
      "install",
      "--prefix",
      folder,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--no-save",
      `${name}@${line}`
    ]
    execFileSync("npm", words, { cwd: folder, stdio: "inherit" })
  }
  return node
})

const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "test/e2e/package.test.ts"], {
  cwd: root,
  env: { ...process.env, HARNESS9_NODES: nodes.join(delimiter) },
  stdio: "inherit"
})
process.exit(status ?? 1)
