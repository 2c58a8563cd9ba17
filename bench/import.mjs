/**
 * Importing the library, against importing the modules of others that it uses.
 */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { cost, medians, publish } from "./report.mjs"
import { amount, rounds } from "./rounds.mjs"

const library = fileURLToPath(new URL("../dist/lib", import.meta.url))
const cwd = fileURLToPath(new URL("..", import.meta.url))
const importing = (text) => promisify(execFile)(process.execPath, ["--input-type=module", "-e", text], { cwd })

/** The modules that are loaded with a module of the library. */
const outside = async (file, seen = new Set(), found = new Set()) => {
  if (seen.has(file)) return found
  seen.add(file)
  const text = await readFile(file, "utf8")
  for (const [, name] of text.matchAll(/^(?:import|export)[^;]*? from "([^"]+)"/gm)) {
    if (name.startsWith(".")) await outside(fileURLToPath(new URL(name, `file://${file}`)), seen, found)
    else found.add(name)
  }
  return found
}

const modules = await outside(`${library}/index.js`)
const found = await rounds(
  {
    "its modules": () => importing([...modules].map((name) => `import ${JSON.stringify(name)}`).join("\n")),
    harness9: () => importing('import "harness9"')
  },
  amount(3, 11)
)
publish([cost("importing harness9", found, "its modules", 1.1), medians("whole processes", found, "ms")])
