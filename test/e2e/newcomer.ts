/**
 * The path that the README leads a newcomer along, as it stands there: its marked blocks, in their order, in an empty folder.
 * `harness9` is the packed package.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { root } from "./cli.ts"

const step = /<!-- newcomer(?:: (?<file>\S+))? -->\n```\w+\n(?<code>.*?)```/gs

/** What a person types, and the files that they save, as one script; every block is a step. */
const steps = (): ReadonlyArray<{ readonly file: string | undefined; readonly code: string }> =>
  [...readFileSync(join(root, "README.md"), "utf8").matchAll(step)].map(({ groups }) => ({
    file: groups?.file,
    code: groups?.code ?? ""
  }))

/** The environment of a person who has never used harness9, has no key, and whose `node` is this one. */
const environment = (home: string, node: string) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_API_KEY$|^HARNESS9_/.test(name))),
  PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_STATE_HOME: join(home, "state"),
  NO_COLOR: "1",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error"
})

/** What a command prints in that environment. */
export const type = (home: string, cwd: string, node: string, command: string): string =>
  execFileSync("bash", ["-euo", "pipefail", "-c", command], {
    cwd,
    encoding: "utf8",
    env: environment(home, node),
    stdio: ["ignore", "pipe", "pipe"]
  })

/** Walks the path in a new folder of `home`; gives the folder and all that was printed. */
export const walk = (
  home: string,
  tarball: string,
  node: string
): { readonly cwd: string; readonly output: string } => {
  const cwd = join(home, "project")
  mkdirSync(cwd)
  type(home, cwd, node, "npm init -y")
  const output = steps().map(({ code, file }) => {
    if (file === undefined)
      return type(home, cwd, node, code.replace(/^npm install harness9$/m, `npm install ${tarball}`))
    writeFileSync(join(cwd, file), code)
    return ""
  })
  return { cwd, output: output.join("") }
}
