/**
 * `npm run bench`: runs every benchmark, one after another, and writes bench/RESULTS.md and bench/recorded.json. Build first.
 *
 * - `--short`: fewer rounds, and nothing is written.
 * - `--check`: the short form, held against bench/recorded.json. A ratio that is a quarter worse is measured again, and fails when
 *   it is so three times.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { table } from "./report.mjs"

const programs = ["stdio", "http", "stack", "tools", "results", "start", "status", "memory", "cli", "import"]
const isCheck = process.argv.includes("--check")
const isShort = isCheck || process.argv.includes("--short")
const tolerance = 1.25
const attempts = 3

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const json = (name) => JSON.parse(readFileSync(path(name), "utf8"))
const versionOf = (name) => json(`../node_modules/${name}/package.json`).version
const load = () => loadavg()[0].toFixed(1)

const measured = (name) => {
  console.error(`bench/${name}.mjs`)
  // A peer hangs a listener on one signal for each request that is open.
  const flags = ["--disable-warning=MaxListenersExceededWarning"]
  const args = [...flags, path(`${name}.mjs`), "--json", ...(isShort ? ["--short"] : [])]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 300_000
  })
  return status === 0 ? JSON.parse(stdout) : [{ what: `bench/${name}.mjs`, measured: "did not run", met: false }]
}

const key = ({ against = "", what }) => `${what} ${against}`.trim()

const check = () => {
  const recorded = json("recorded.json")
  const isWorse = (row) => {
    const { against, goal = "", met, value } = row
    if (met === false && value === undefined) return true
    // Only ratios say the same on another machine.
    const before = against === undefined ? undefined : recorded[key(row)]
    if (before === undefined) return false
    return goal.startsWith("≥") ? value * tolerance < before : value > before * tolerance
  }
  const worse = programs.flatMap((name) => {
    let rows = measured(name).filter(isWorse)
    for (let attempt = 1; attempt < attempts && rows.length > 0; attempt += 1) {
      const again = new Map(measured(name).map((row) => [key(row), row]))
      rows = rows.map((row) => again.get(key(row)) ?? row).filter(isWorse)
    }
    return rows
  })
  console.log(worse.length === 0 ? "No ratio is a quarter worse than the recorded one." : table(worse))
  process.exitCode = worse.length === 0 ? 0 : 1
}

const record = () => {
  const before = load()
  const rows = programs.flatMap(measured)
  const results = `# Results of the benchmarks

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Ratios count, absolute times do not.

- ${cpus().length} × ${cpus()[0].model}, ${process.platform}, load ${before} before and ${load()} after
- Node ${process.versions.node}, effect ${versionOf("effect")}
- SDK 1.32: @modelcontextprotocol/sdk ${versionOf("@modelcontextprotocol/sdk")}; SDK 2.4: @modelcontextprotocol/client ${versionOf("@modelcontextprotocol/client")}

${table(rows)}
`
  if (!isShort) {
    const values = rows
      .filter(({ value }) => value !== undefined)
      .map((row) => [key(row), Number(row.value.toFixed(3))])
    writeFileSync(path("RESULTS.md"), results)
    writeFileSync(path("recorded.json"), `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`)
  }
  console.log(results)
  process.exitCode = rows.some(({ met }) => met === false) ? 1 : 0
}

if (isCheck) check()
else record()
