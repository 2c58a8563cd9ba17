/**
 * Writes the pages of docs/ that are made from the program.
 */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Effect } from "effect"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const outfile = join(root, `node_modules/.cache/harness9-pages-${process.pid}.mjs`)

process.on("exit", () => rmSync(outfile, { force: true }))
await build({
  absWorkingDir: root,
  entryPoints: ["scripts/pages.ts"],
  outfile,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  logLevel: "warning"
})
const { pages } = await import(pathToFileURL(outfile).href)
for (const [path, text] of Object.entries(await Effect.runPromise(pages))) writeFileSync(join(root, path), text)
