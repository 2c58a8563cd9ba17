/**
 * The public bug reports against other MCP hosts, as tests. `docs/faults.md` is made from what is said here: see
 * `scripts/faults.mjs`, which reads the calls of `fault` and the names of the tests inside as they stand in the source.
 */
import { describe } from "vitest"

/**
 * What harness9 does about the item of that number, with the tests that show it. `see` names files with more tests of the
 * same.
 */
export const fault = (
  item: number,
  behaviour: string,
  tests: () => void,
  _options?: { readonly see: ReadonlyArray<string> }
): void => {
  describe(`${String(item).padStart(2, "0")} ${behaviour}`, tests)
}
