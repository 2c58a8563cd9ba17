/**
 * The pages of docs/ that are made from the program itself: its help, and what it says of each kind of failure.
 */
import * as Effect from "effect/Effect"
import { commands } from "../src/cli/commands.ts"
import * as Help from "../src/cli/help.ts"
import { none } from "../src/cli/output/Style.ts"
import { kinds, troubles } from "../src/cli/troubles.ts"

const note = "<!-- Made by `npm run docs:cli`. -->"

const cli = Effect.gen(function* () {
  const loaded = yield* Effect.forEach(commands, ({ load }) => Effect.promise(load))
  const sections = loaded.map(({ command }) =>
    [
      `## ${`harness9 ${command.name}`.trimEnd()}`,
      `\`\`\`text\n${Help.ofCommand(command, commands, none).replace(/ +$/gm, "")}\n\`\`\``
    ].join("\n\n")
  )
  const about = "What `--help` says of every command. [guide-user.md](guide-user.md) says what they are for."
  return `${["# The command line", note, about, ...sections].join("\n\n")}\n`
})

const troubleshooting = Effect.sync(() => {
  const sections = kinds.map((kind) => {
    const { causes, meaning } = troubles[kind]
    const rows = causes.map(([cause, remedy]) => `- ${cause}\n  → ${remedy}.`)
    return [`## ${kind}`, meaning, rows.join("\n")].join("\n\n")
  })
  const about = [
    "Each failure of a server has a kind: `error.kind` in JSON, `McpError.kind` in a program. A message ends with `more: harness9 help KIND`, which",
    "prints its section of this page, without a network. Where to begin when nothing else is known: `harness9 mcp doctor SERVER`, which walks from the entry to",
    "the tools and stops where it goes wrong."
  ].join("\n")
  return `${["# Troubleshooting", note, about, ...sections].join("\n\n")}\n`
})

/** Each page by its path. */
export const pages: Effect.Effect<Readonly<Record<string, string>>> = Effect.all({
  "docs/cli.md": cli,
  "docs/troubleshooting.md": troubleshooting
})
