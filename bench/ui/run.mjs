/**
 * `npm run bench:ui`: the first frame of harness9 beside Ink's hello-world, and what a key costs in a long conversation and in
 * a panel of very many tools. It runs the built CLI: build first.
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { inkInBundle } from "../../scripts/inkInBundle.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const rounds = Number(process.argv[2] ?? 11)
const mostTimes = 2.5
const mostMs = 16

// Inside the checkout, where Ink and React are found.
const cache = join(root, "node_modules/.cache")
mkdirSync(cache, { recursive: true })
const place = mkdtempSync(join(cache, "harness9-bench-ui-"))
const home = mkdtempSync(join(tmpdir(), "harness9-bench-ui-"))
process.on("exit", () => {
  for (const folder of [place, home]) rmSync(folder, { recursive: true, force: true })
})

const quoted = (words) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")

/** A program in a terminal of its own, as `script` gives it: the milliseconds until it shows the text, or else until it ends. */
const timed = (words, text) =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const command = `stty rows 40 columns 120; exec ${quoted([process.execPath, ...words])}`
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: home,
      env: { ...process.env, HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home, NODE_ENV: "production" },
      stdio: ["pipe", "pipe", "inherit"]
    })
    let seen = ""
    let shownAt
    child.stdout.on("data", (chunk) => {
      seen += chunk
      if (shownAt !== undefined || text === undefined || !seen.includes(text)) return
      shownAt = performance.now()
      child.stdin.write("\x03")
    })
    child.on("error", reject)
    child.on("exit", () => {
      if (text !== undefined && shownAt === undefined) reject(new Error(`never shown: ${text}\n${seen}`))
      else resolve((shownAt ?? performance.now()) - start)
    })
  })

const median = (times) => times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)]

const firstFrame = async () => {
  const hello = join(place, "hello.mjs")
  writeFileSync(
    hello,
    'import { createElement } from "react"\nimport { render, Text } from "ink"\nrender(createElement(Text, null, "Hello World"))\n'
  )
  const config = join(home, "mcp.json")
  writeFileSync(config, JSON.stringify({ mcpServers: { slow: { command: "sleep", args: ["60"] } } }))
  const ui = [join(root, "dist/cli/main.js"), "--config", config]
  const times = { node: [], hello: [], ui: [] }
  // Side by side: what else the machine does meets all three.
  for (let round = 0; round < rounds; round++) {
    times.node.push(await timed(["-e", "0"]))
    times.hello.push(await timed([hello], "Hello World"))
    times.ui.push(await timed(ui, "Ctrl+C"))
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

const keys = async () => {
  const module = join(place, "keys.mjs")
  await build({
    absWorkingDir: root,
    entryPoints: ["bench/ui/keys.ts"],
    outfile: module,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [inkInBundle],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);'
    }
  })
  // Where CI is set, Ink draws nothing.
  const { CI, CONTINUOUS_INTEGRATION, ...others } = process.env
  const env = { ...others, FORCE_COLOR: "1" }
  const child = spawn(process.execPath, ["--expose-gc", module], {
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  let printed = ""
  child.stdout.on("data", (chunk) => {
    printed += chunk
  })
  const code = await new Promise((resolve) => child.on("exit", resolve))
  if (code !== 0) throw new Error(`the benchmark of keys ended with ${code}`)
  return JSON.parse(printed)
}

const ms = (value) => `${value.toFixed(1)} ms`
const verdict = (isMet) => (isMet ? "met" : "MISSED")

const frame = await firstFrame()
const ratio = frame.ui / (frame.node + frame.hello)
console.log(`first frame, median of ${rounds}, side by side`)
console.log(`  node -e 0 ${ms(frame.node)}   Ink hello-world ${ms(frame.hello)}   harness9 ${ms(frame.ui)}`)
console.log(`  ${ratio.toFixed(2)} × their sum (at most ${mostTimes}: ${verdict(ratio <= mostTimes)})`)

const names = {
  chat: "typing, with 5,000 messages",
  scrolling: "scrolling, in a panel of 10,000 tools",
  filtering: "finding, in a panel of 10,000 tools"
}
console.log(`a key, from its bytes to its frame (95th percentile, at most ${mostMs} ms)`)
for (const [name, { cpu, keys: count, wall }] of Object.entries(await keys())) {
  console.log(`  ${names[name]}: ${ms(wall.p95)} (${verdict(wall.p95 <= mostMs)}), median ${ms(wall.p50)}`)
  console.log(`    of it the processor ${ms(cpu.p95)}, median ${ms(cpu.p50)}; ${count} keys`)
}
