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
import { beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"

const here = dirname(fileURLToPath(import.meta.url))
const driver = join(here, "../../dist/conformance/driver.js")

/** How long a scenario may take on a busy machine. */
const limit = 60_000

export interface Suite {
  /** The package's name in the development dependencies. */
  readonly name: "conformance" | "conformance-legacy"
  /** Scenarios of these names alone. */
  readonly only: RegExp
  /** Scenarios that measure time, and so run when nothing else does. */
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

/** A test for each scenario, several at a time. */
export const scenarios = ({ alone = /^$/, name, only }: Suite): void => {
  const program = packageOf(name)
  const expected = expectedFailures(name)
  const names = list(program).filter((scenario) => only.test(scenario))

  describe(`${name} ${program.version}`, () => {
    beforeAll(() => {
      expect(existsSync(driver), "npm run build makes the driver").toBe(true)
    })

    it("has scenarios, and a file of expected failures that names no others", () => {
      expect(names).not.toEqual([])
      expect(expected.filter((scenario) => !list(program).includes(scenario))).toEqual([])
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
      it(`${scenario}, by itself`, test(scenario), limit)
    }
  })
}

interface Program {
  readonly version: string
  readonly args: ReadonlyArray<string>
}

const packageOf = (name: Suite["name"]): Program => {
  const file = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { version } = JSON.parse(readFileSync(file, "utf8"))
  return { version, args: ["--import", join(here, "node20.mjs"), join(dirname(file), "dist/index.js")] }
}

/** The names of all client scenarios. */
const list = ({ args }: Program): ReadonlyArray<string> =>
  execFileSync(process.execPath, [...args, "list", "--client"], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => /^\s+- (\S+)/.exec(line)?.[1] ?? [])

/** In the suite's own format: `client:` and the names of scenarios. */
const expectedFailures = (name: Suite["name"]): ReadonlyArray<string> =>
  parse(readFileSync(join(here, `expected-failures.${name}.yml`), "utf8")).client ?? []

const run = (program: Program, scenario: string): Promise<Outcome> =>
  new Promise((resolve) => {
    const folder = mkdtempSync(join(tmpdir(), "harness9-conformance-"))
    const args = ["client", "--command", `${process.execPath} ${driver}`, "--scenario", scenario, "-o", folder]
    execFile(process.execPath, [...program.args, ...args], { encoding: "utf8" }, (error) => {
      const checks = checksIn(folder)
      rmSync(folder, { recursive: true, force: true })
      const faults = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING").map(described)
      const succeeded = checks.some(({ status }) => status === "SUCCESS")
      resolve({ passed: error === null && succeeded, faults: succeeded ? faults : [...faults, "no check succeeded"] })
    })
  })

const checksIn = (folder: string): ReadonlyArray<Check> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("checks.json"))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")))

const described = ({ errorMessage, id, status }: Check): string => `${status} ${id}: ${errorMessage ?? ""}`
