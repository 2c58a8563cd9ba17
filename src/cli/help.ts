/**
 * Help for people: of a command, and of the program.
 *
 * @since 0.1.0
 */
import type { Kind } from "../mcp/McpError.ts"
import type { Command } from "./Command.ts"
import type { Entry } from "./commands.ts"
import type { Flag } from "./Flag.ts"
import type { Style } from "./output/Style.ts"
import { table } from "./output/table.ts"
import type { Trouble } from "./troubles.ts"

const program = "harness9"

const about = "connects a language model to every MCP server of .mcp.json"

const section = (style: Style, title: string, lines: string): string => `${style.bold(title)}\n${indented(lines)}`

const indented = (lines: string): string => lines.replace(/^(?=.)/gm, "  ")

/**
 * The list of the commands that begin with `group`; the empty group is the program itself.
 *
 * @since 0.1.0
 * @category formatting
 */
export const ofGroup = (entries: ReadonlyArray<Entry>, group: string, style: Style): string => {
  const rows = entries
    .filter(({ name }) => group === "" || name.startsWith(`${group} `))
    .map(({ name, summary }) => [`${program} ${name}`.trimEnd(), summary])
  const name = `${program} ${group}`.trimEnd()
  return [
    ...(group === "" ? [`${style.bold(program)} ${about}`] : []),
    section(style, "Commands", table(rows)),
    `${name}${group === "" ? " [COMMAND]" : " COMMAND"} --help shows a command's options and examples.`
  ].join("\n\n")
}

/**
 * Everything about one command. What the program does without a command is told together with the list of the others.
 *
 * @since 0.1.0
 * @category formatting
 */
export const ofCommand = (command: Command, entries: ReadonlyArray<Entry>, style: Style): string => {
  const { args, details, examples, flags, name, summary } = command
  const line = [program, name, ...args.map(({ label }) => label), "[OPTIONS]"].filter((word) => word !== "")
  return [
    name === "" ? `${style.bold(program)} ${about}` : summary,
    section(style, "Usage", line.join(" ")),
    ...(details === undefined ? [] : [details]),
    ...(name === ""
      ? [
          section(
            style,
            "Commands",
            table(entries.map((entry) => [`${program} ${entry.name}`.trimEnd(), entry.summary]))
          )
        ]
      : []),
    ...(args.length === 0 ? [] : [section(style, "Arguments", table(args.map((arg) => [arg.label, arg.summary])))]),
    section(
      style,
      "Options",
      table([
        ...flags.map(flagRow),
        ["--help", "Show this"],
        ...(name === "" ? [["--version", "Show the version"]] : [])
      ])
    ),
    section(style, "Examples", table(examples.map(([example, meaning]) => [example, style.dim(`# ${meaning}`)])))
  ].join("\n\n")
}

/**
 * A kind of failure: what it means, and a remedy under each of its causes.
 *
 * @since 0.1.0
 * @category formatting
 */
export const ofTrouble = (kind: Kind, { causes, meaning }: Trouble, style: Style): string =>
  [
    `${style.bold(kind)}  ${meaning}`,
    ...causes.map(([cause, remedy]) => `${cause}\n${indented(`→ ${remedy}`)}`),
    style.dim(`${program} mcp doctor SERVER walks a server step by step.`)
  ].join("\n\n")

const flagRow = ({ name, repeatable, summary, value }: Flag<unknown>): ReadonlyArray<string> => [
  value === undefined ? `--${name}` : `--${name} ${value}`,
  repeatable ? `${summary}; may be repeated` : summary
]
