/**
 * The path that the README leads a newcomer along, as it stands there: its marked blocks, in their order, in an empty folder.
 * `harness9` is the packed package.
 */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
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
export const type = (home: string, cwd: string, node: string, command: string): Effect.Effect<string, Error> =>
  Effect.async((resume) => {
    const options = { cwd, env: environment(home, node) }
    const child = execFile("bash", ["-euo", "pipefail", "-c", command], options, (error, stdout, stderr) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.fail(new Error(`${command}\n${stdout}${stderr}`)))
    )
    child.stdin?.end()
    return Effect.sync(() => child.kill())
  })

/** Walks the path in a new folder of `home`; gives the folder and all that was printed. */
export const walk = (home: string, tarball: string, node: string) =>
  Effect.gen(function* () {
    const cwd = join(home, "project")
    mkdirSync(cwd)
    yield* type(home, cwd, node, "npm init -y")
    const output = yield* Effect.forEach(steps(), ({ code, file }) => {
      if (file === undefined)
        return type(home, cwd, node, code.replace(/^npm install harness9$/m, `npm install ${tarball}`))
      writeFileSync(join(cwd, file), code)
      return Effect.succeed("")
    })
    return { cwd, output: output.join("") }
  })
