import { spawnSync } from "node:child_process"
import { expect, it } from "@effect/vitest"

it("docs/faults.md says what these tests say", () => {
  const script = `${import.meta.dirname}/../../scripts/faults.mjs`
  const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" })
  expect(stderr).toBe("")
  expect(status).toBe(0)
})
