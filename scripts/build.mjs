/**
 * Builds dist/: the library as modules with their types, and the CLI as one bundle, split so that a command loads what it uses.
 * The old dist/ stays until the new one is whole.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { inkInBundle } from "./inkInBundle.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = join(root, "dist")
const staging = join(root, `node_modules/.cache/harness9-build-${process.pid}`)

process.on("exit", () => rmSync(staging, { recursive: true, force: true }))
mkdirSync(staging, { recursive: true })

const tsc = spawnSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", join(staging, "lib")],
  { cwd: root, stdio: "inherit" }
)
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

/** One program for Node, whatever it imports. */
const program = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // Modules that import each other, not the bundles for other loaders that some packages name first.
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"' },
  plugins: [inkInBundle],
  // Packages in CommonJS form ask for Node's modules by `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);'
  }
}

await build({
  ...program,
  entryPoints: ["src/cli/main.ts"],
  outdir: join(staging, "cli"),
  splitting: true,
  chunkNames: "chunks/[name]-[hash]"
})
chmodSync(join(staging, "cli/main.js"), 0o755)

// Not published: what the official conformance suites start.
await build({
  ...program,
  entryPoints: ["test/conformance/driver.ts"],
  outdir: join(staging, "conformance"),
  splitting: true
})

rmSync(dist, { recursive: true, force: true })
renameSync(staging, dist)
