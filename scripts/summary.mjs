/**
 * Prints `N passed, N failed` from vitest's JSON report. What failed before there was a report, or beside its tests, counts as one failure.
 */
import { readFileSync } from "node:fs"

const [file = "", status = "0"] = process.argv.slice(2)
const text = readFileSync(file, "utf8")
const { numFailedTests = 0, numPassedTests = 0 } = text === "" ? {} : JSON.parse(text)
const failed = numFailedTests === 0 && status !== "0" ? 1 : numFailedTests

console.log(`${numPassedTests} passed, ${failed} failed`)
