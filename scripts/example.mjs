/**
 * Runs an example: npm run example http-service. Node 20 runs no TypeScript, so it is made JavaScript first, on the built package.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const [name = ""] = process.argv.slice(2)
const source = join(root, "examples", `${name}.ts`)

if (name === "" || basename(name) !== name || !existsSync(source)) {
  const names = readdirSync(join(root, "examples")).filter((file) => /^[^.]+\.(ts|sh)$/.test(file))
  process.stderr.write(`npm run example NAME, where NAME is one of ${names.join(", ")} without its ending\n`)
  process.exit(2)
}

// Where `harness9` is this package.
mkdirSync(join(root, "dist"), { recursive: true })
const folder = mkdtempSync(join(root, "dist/example-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const outfile = join(folder, `${name}.mjs`)
await build({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm", packages: "external" })
await import(pathToFileURL(outfile).href)
