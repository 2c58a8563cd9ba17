/**
 * The published servers of `package.json` beside this file, installed once for each state of the lock file in a folder that
 * outlives the run. No script of a package runs.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

const here = fileURLToPath(new URL(".", import.meta.url))
const files = ["package.json", "package-lock.json"]

/** The folder that the servers are installed in. */
export const installed = Effect.suspend(() => {
  const digest = createHash("sha256")
    .update(readFileSync(join(here, "package-lock.json")))
    .digest("hex")
  const home = join(tmpdir(), `harness9-peers-${digest.slice(0, 16)}`)
  return existsSync(home) ? Effect.succeed(home) : Effect.as(install(home), home)
})

/** Beside its place first: a run that is stopped midway, or another one at the same time, leaves no half of it there. */
const install = (home: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(`${home}-`)),
    (staging) =>
      Effect.gen(function* () {
        for (const file of files) copyFileSync(join(here, file), join(staging, file))
        yield* npmCi(staging)
        if (!existsSync(home)) renameSync(staging, home)
      }),
    (staging) => Effect.sync(() => rmSync(staging, { recursive: true, force: true }))
  )

const npmCi = (cwd: string) =>
  Effect.async<void, Error>((resume, signal) => {
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-bin-links", "--prefer-offline"]
    execFile("npm", args, { cwd, signal }, (error, _, stderr) =>
      resume(
        error === null
          ? Effect.void
          : Effect.fail(new Error(`the published servers could not be installed: ${stderr.trim() || error.message}`))
      )
    )
  })
