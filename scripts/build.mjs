/**
 * Builds dist/: the library as modules with their types, and the CLI as one bundle, split so that a command loads what it uses.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))

rmSync(`${root}/dist`, { recursive: true, force: true })

const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit"
})
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

await build({
  absWorkingDir: root,
  entryPoints: ["src/cli/main.ts"],
  outdir: "dist/cli",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: "chunks/[name]-[hash]",
  legalComments: "none",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"' },
  // Packages in CommonJS form ask for Node's modules by `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);'
  }
})
chmodSync(`${root}/dist/cli/main.js`, 0o755)
