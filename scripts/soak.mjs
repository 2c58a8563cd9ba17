/**
 * `npm run soak -- --minutes N [--servers N]`: bundles test/soak and runs it with a garbage collector that can be called.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, `node_modules/.cache/harness9-soak-${process.pid}`)

process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
mkdirSync(folder, { recursive: true })
await build({
  absWorkingDir: root,
  entryPoints: ["test/soak/main.ts"],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  logLevel: "warning"
})
const { signal, status } = spawnSync(
  process.execPath,
  ["--expose-gc", join(folder, "main.mjs"), "--root", root, ...process.argv.slice(2)],
  { cwd: root, stdio: "inherit" }
)
if (signal !== null) console.error(`the run was ended by ${signal}`)
process.exit(status ?? 1)
