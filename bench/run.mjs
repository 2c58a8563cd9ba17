/**
 * `npm run bench`: runs every benchmark, one after another, and writes bench/RESULTS.md. With `--short`: fewer rounds. Build first.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { table } from "./report.mjs"

const programs = ["stdio", "http", "stack", "tools", "results", "start", "status", "memory", "cli", "import"]
const isShort = process.argv.includes("--short")
const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const versionOf = (name) => JSON.parse(readFileSync(path(`../node_modules/${name}/package.json`), "utf8")).version

const load = () => loadavg()[0].toFixed(1)
const before = load()
const rows = programs.flatMap((name) => {
  console.error(`bench/${name}.mjs`)
  const args = [path(`${name}.mjs`), "--json", ...(isShort ? ["--short"] : [])]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 300_000
  })
  return status === 0 ? JSON.parse(stdout) : [{ what: `bench/${name}.mjs`, measured: "did not run", met: false }]
})

const results = `# Results of the benchmarks

Made by \`npm run bench${isShort ? " -- --short" : ""}\` on ${new Date().toISOString().slice(0, 10)}. Ratios count, absolute times do not.

- ${cpus().length} × ${cpus()[0].model}, ${process.platform}, load ${before} before and ${load()} after
- Node ${process.versions.node}, effect ${versionOf("effect")}
- SDK 1.32: @modelcontextprotocol/sdk ${versionOf("@modelcontextprotocol/sdk")}; SDK 2.4: @modelcontextprotocol/client ${versionOf("@modelcontextprotocol/client")}

${table(rows)}
`
writeFileSync(path("RESULTS.md"), results)
console.log(results)
process.exitCode = rows.some(({ met }) => met === false) ? 1 : 0
