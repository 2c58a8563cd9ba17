/**
 * Before and after each test file. The files of a worker share their modules: what one of them did to those must not reach the next.
 */
import { it, makeMethods } from "@effect/vitest"
import { afterAll, expect } from "vitest"
import * as Leaks from "./leaks.ts"

// `layer` of @effect/vitest puts its own clock and services into this very `it`.
makeMethods(it)

afterAll(() => {
  const leaks = Leaks.found()
  Leaks.forget()
  expect(leaks, "secrets that harness9 has said").toEqual([])
})
