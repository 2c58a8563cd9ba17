/**
 * The official conformance suites, run against the driver: each scenario is a test. One passes when the suite says so and
 * at least one check succeeded; one that is listed in the suite's file of expected failures must fail.
 */
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"

const here = dirname(fileURLToPath(import.meta.url))
const driver = join(here, "../../dist/conformance/driver.js")

/** On a busy machine: how long the client of a scenario may take, and the scenario with all that is started for it. */
const clientLimit = 60_000
const limit = 90_000

export interface Suite {
  /** The package's name in the development dependencies. */
  readonly name: "conformance" | "conformance-legacy"
  /** How many client scenarios it has. */
  readonly size: number
  /** Scenarios that measure time, and so run when no other does. */
  readonly alone?: RegExp
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

interface Outcome {
  readonly passed: boolean
  /** What the suite found fault with. */
  readonly faults: ReadonlyArray<string>
}

/** A test for each scenario, as many at a time as `maxConcurrency` of vitest allows. */
export const scenarios = async ({ alone = /^$/, name, size }: Suite): Promise<void> => {
  const program = await bundled(name)
  const expected = expectedFailures(name)
  const names = list(program)

  describe(`${name} ${program.version}`, () => {
    beforeAll(() => {
      expect(existsSync(driver), "npm run build makes the driver").toBe(true)
    })
    afterAll(() => rmSync(program.folder, { recursive: true, force: true }))

    it(`has ${size} scenarios, and a file of expected failures that names no others`, () => {
      expect(names).toHaveLength(size)
      expect(expected.filter((scenario) => !names.includes(scenario))).toEqual([])
    })

    const test = (scenario: string) => async () => {
      const { faults, passed } = await run(program, scenario)
      if (expected.includes(scenario)) expect(passed, "it passes now: take it off the expected failures").toBe(false)
      else expect({ passed, faults }).toEqual({ passed: true, faults: [] })
    }
    describe("side by side", { concurrent: true, timeout: limit }, () => {
      for (const scenario of names.filter((scenario) => !alone.test(scenario))) it(scenario, test(scenario))
    })
    for (const scenario of names.filter((scenario) => alone.test(scenario))) {
      // Other tests' processes may hold it up all the same.
      it(`${scenario}, by itself`, { timeout: limit, retry: 2 }, test(scenario))
    }
  })
}

interface Program {
  readonly version: string
  readonly folder: string
  readonly main: string
}

/**
 * The suite in one file: it is started for each scenario, and looks for hundreds of modules each time otherwise. Node 20 lacks
 * `fs.globSync`, which the suites import for a sub-command that no client run uses.
 */
const bundled = async (name: Suite["name"]): Promise<Program> => {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const folder = mkdtempSync(join(tmpdir(), `harness9-${name}-`))
  const main = join(folder, "main.mjs")
  await build({
    entryPoints: [join(dirname(manifest), "dist/index.js")],
    outfile: main,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    alias: { fs: join(here, "fs.mjs") },
    logLevel: "error",
    // Packages in CommonJS form ask for Node's modules by `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);'
    }
  })
  const { version } = JSON.parse(readFileSync(manifest, "utf8"))
  return { version, folder, main }
}

/** The names of all client scenarios. */
const list = ({ main }: Program): ReadonlyArray<string> =>
  execFileSync(process.execPath, [main, "list", "--client"], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => /^\s+- (\S+)/.exec(line)?.[1] ?? [])

/** In the suite's own format: `client:` and the names of scenarios. */
const expectedFailures = (name: Suite["name"]): ReadonlyArray<string> =>
  parse(readFileSync(join(here, `expected-failures.${name}.yml`), "utf8")).client ?? []

const run = ({ folder, main }: Program, scenario: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const output = mkdtempSync(join(folder, "scenario-"))
    const command = ["--command", `${process.execPath} ${driver}`, "--timeout", `${clientLimit}`]
    const args = [main, "client", ...command, "--scenario", scenario, "-o", output]
    execFile(process.execPath, args, { encoding: "utf8" }, (error) => {
      const checks = checksIn(output)
      const faults = [
        ...checks.filter(({ status }) => status === "FAILURE" || status === "WARNING").map(described),
        ...(secret.test(saidIn(output)) ? ["the client said a secret"] : [])
      ]
      const succeeded = checks.some(({ status }) => status === "SUCCESS")
      resolve({ passed: error === null && succeeded, faults: succeeded ? faults : [...faults, "no check succeeded"] })
    })
  })

const checksIn = (folder: string): ReadonlyArray<Check> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("checks.json"))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")))

/** Codes, tokens and secrets of the suites' authorization servers. */
const secret = /test-auth-code|test-token|test-client-secret|\beyJ[\w-]{8}/

/** What the client printed and logged. */
const saidIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /std(?:out|err)\.txt$/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n")

const described = ({ errorMessage, id, status }: Check): string => `${status} ${id}: ${errorMessage ?? ""}`
