import { defineConfig } from "vitest/config"

const report = process.env.HARNESS9_TEST_REPORT

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx", "examples/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    // Half of the time went into loading Effect anew for each file.
    isolate: false,
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
