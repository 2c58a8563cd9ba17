/**
 * Writes the JSON Schemas of .mcp.json and harness9.json, made from the schemas that read the files.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, `node_modules/.cache/harness9-schema-${process.pid}`)

const sources = {
  mcp: "src/mcp/internal/config/JsonSchema.ts",
  harness9: "src/engine/internal/SettingsSchema.ts"
}

process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
await build({
  absWorkingDir: root,
  entryPoints: sources,
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  logLevel: "warning"
})

mkdirSync(join(root, "schema"), { recursive: true })
for (const name of Object.keys(sources)) {
  const { make } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href)
  writeFileSync(join(root, `schema/${name}.schema.json`), `${JSON.stringify(make(), null, 2)}\n`)
}
