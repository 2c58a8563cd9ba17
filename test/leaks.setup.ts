import { afterAll, expect } from "vitest"
import * as Leaks from "./leaks.ts"

afterAll(() => {
  expect(Leaks.found(), "secrets that harness9 has said").toEqual([])
})
