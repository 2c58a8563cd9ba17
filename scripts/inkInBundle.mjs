/**
 * Ink as it goes into the bundle: without React's developer tools, which it loads when DEV is set and which are no part of a
 * build; and with what it has worked out about a line kept for the next frame, where it would forget it after each. A frame
 * of which one line has changed then costs half.
 */
import { readFile } from "node:fs/promises"

/** Lines beyond this are forgotten, all at once. */
const mostLines = 5_000

const perFrame = "    caches = new OutputCaches();\n"
const kept = `    caches = kept.styledChars.size < ${mostLines} ? kept : (kept = new OutputCaches());\n`

export const inkInBundle = {
  name: "ink-in-bundle",
  setup: ({ onLoad }) => {
    onLoad({ filter: /ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: "" }))
    onLoad({ filter: /ink[\\/]build[\\/]output\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      if (!source.includes(perFrame)) throw new Error(`${path} is not the Ink that this was written for`)
      return {
        contents: source
          .replace(perFrame, kept)
          .replace("export default", "let kept = new OutputCaches();\nexport default")
      }
    })
  }
}
