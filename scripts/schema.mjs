/**
 * Writes schema/mcp.schema.json: the JSON Schema of .mcp.json, made from the schema that reads the file.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const module = join(root, `node_modules/.cache/harness9-schema-${process.pid}.mjs`)

process.on("exit", () => rmSync(module, { force: true }))
await build({
  absWorkingDir: root,
  entryPoints: ["src/mcp/internal/config/JsonSchema.ts"],
  outfile: module,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  logLevel: "warning"
})
const JsonSchema = await import(pathToFileURL(module).href)

mkdirSync(join(root, "schema"), { recursive: true })
writeFileSync(join(root, "schema/mcp.schema.json"), `${JSON.stringify(JsonSchema.make(), null, 2)}\n`)
