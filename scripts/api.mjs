/**
 * `npm run docs:api`: the reference of the library, a page for each module, from its doc comments into docs/reference/. A name that the
 * reference lacks, or a broken link in a comment, ends it with an error.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const lock = readFileSync(join(root, "scripts/api/package-lock.json"))
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache")
const home = join(cache, "harness9/api", createHash("sha256").update(lock).digest("hex").slice(0, 16))
const typedoc = join(home, "node_modules/typedoc/bin/typedoc")

if (!existsSync(typedoc)) {
  mkdirSync(home, { recursive: true })
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(join(root, "scripts/api", file), join(home, file))
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: home, stdio: "inherit" })
}

const options = [
  ...["src/index.ts", "src/testing.ts", "src/ai.ts"].flatMap((entry) => ["--entryPoints", entry]),
  ...["--plugin", join(home, "node_modules/typedoc-plugin-markdown/dist/index.js")],
  ...["--tsconfig", "tsconfig.json", "--out", "docs/reference", "--name", "harness9", "--readme", "none"],
  // A page for each module.
  ...["--router", "module", "--sort", "source-order"],
  ...["--excludeInternal", "--disableSources", "--disableGit", "--treatWarningsAsErrors"]
]
const { status } = spawnSync(process.execPath, [typedoc, ...options], { cwd: root, stdio: "inherit" })
process.exit(status ?? 1)
