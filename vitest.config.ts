import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Folders of tests that take long, the longest first. */
const long = ["conformance", "soak", "peers", "e2e"]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((folder) => moduleId.includes(`/test/${folder}/`))
  return at === -1 ? long.length : at
}

/** What takes long comes first, so that no worker is left with it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const sorted = await super.sort(files)
    return sorted.toSorted((left, right) => rank(left) - rank(right))
  }
}

const report = process.env.HARNESS9_TEST_REPORT

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx", "examples/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    // Half of the time went into loading Effect anew for each file.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most tests wait for processes: on two cores one worker would leave one of them idle.
    maxWorkers: 2,
    maxConcurrency: 2,
    // Real processes on a shared machine may be late; what is wrong fails each time.
    retry: process.env.CI === undefined ? 0 : 2,
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]]
  }
})
