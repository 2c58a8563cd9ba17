/**
 * `fs` for the suites on Node 20, which has no `globSync`.
 */
export * from "node:fs"
export { default } from "node:fs"
export const globSync = () => {
  throw new Error("globSync needs Node 22")
}
