/**
 * Lets the suites start on Node 20 (`node --import ./node20.mjs …`): their bundles import `globSync`, which Node has from 22 on, for a
 * sub-command that no client run uses.
 */
import fs from "node:fs"
import { register } from "node:module"

const source = (text) => `data:text/javascript,${encodeURIComponent(text)}`

if (fs.globSync === undefined) {
  const stub = source(`export * from "node:fs"
export { default } from "node:fs"
export const globSync = () => { throw new Error("globSync needs Node 22") }`)
  register(
    source(`export const resolve = (specifier, context, next) =>
  /^(node:)?fs$/.test(specifier) && /[\\\\/]conformance(-legacy)?[\\\\/]/.test(context.parentURL ?? "")
    ? { url: ${JSON.stringify(stub)}, shortCircuit: true }
    : next(specifier, context)`)
  )
}
