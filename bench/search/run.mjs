/**
 * `npm run bench:search`: bundles the benchmark of the tool search and runs it.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("../..", import.meta.url))
const module = join(root, `node_modules/.cache/harness9-bench-search-${process.pid}.mjs`)

process.on("exit", () => rmSync(module, { force: true }))
await build({
  absWorkingDir: root,
  entryPoints: ["bench/search/main.ts"],
  outfile: module,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning"
})
await import(pathToFileURL(module).href)
