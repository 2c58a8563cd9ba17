/**
 * What the doctor found, for people.
 *
 * @since 0.1.0
 */
import type { Step } from "../../mcp/Diagnosis.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import type { ToolVerdict } from "../../tool/ToolVerdict.ts"
import { moreOn } from "../CliError.ts"
import type { ServerReport } from "../Doctor.ts"
import { quoted } from "./quoted.ts"
import type { Style } from "./Style.ts"

/** A longer description costs more than it tells. */
const longDescription = 2000

/**
 * A server with its steps, and the tools of which there is something to know.
 *
 * @since 0.1.0
 * @category formatting
 */
export const lines = (report: ServerReport, style: Style): string => {
  const { ok, server, status, steps, tools, transport } = report
  const title = [`${ok ? style.green("✓") : style.red("✗")} ${style.bold(oneLine(server))}`, transport ?? "", status]
  return [
    title.filter((part) => part !== "").join("  "),
    ...steps.flatMap((step) => stepLines(step, style)),
    ...tools.flatMap((tool) => toolLines(tool, style)),
    ...size(tools)
  ].join("\n")
}

const indentation = " ".repeat(16)

const stepLines = (
  { hint, kind, message, noise = [], status, step, stderr }: Step,
  style: Style
): ReadonlyArray<string> => [
  `  ${mark(status, style)} ${step.padEnd(11)} ${status === "skipped" ? style.dim(oneLine(message)) : oneLine(message)}`,
  ...(hint === undefined ? [] : [`${indentation}→ ${oneLine(hint)}`]),
  ...(kind === undefined ? [] : [style.dim(`${indentation}→ ${moreOn(kind)}`)]),
  ...quoted(stderr ?? "", `${indentation}stderr `, style),
  ...quoted(noise.join("\n"), `${indentation}stdout `, style)
]

const mark = (status: Step["status"], style: Style): string => {
  switch (status) {
    case "ok":
      return style.green("✓")
    case "warning":
      return style.yellow("!")
    case "failed":
      return style.red("✗")
    case "skipped":
      return style.dim("·")
  }
}

/** What there is to know of a tool: nothing of most. */
const toolLines = (verdict: ToolVerdict, style: Style): ReadonlyArray<string> => {
  const { descriptionLength, modelName, name, repairs, skipped } = verdict
  const facts = [
    ...(skipped === undefined ? [] : [style.red(`not offered: ${oneLine(skipped)}`)]),
    ...(modelName === undefined ? [] : [`models are given the name ${modelName}`]),
    ...repairs.map(({ note, providers }) => `${oneLine(note)} (${providers.join(", ")})`),
    ...(descriptionLength > longDescription ? [`a description of ${descriptionLength} characters`] : [])
  ]
  return facts.length === 0 ? [] : [`    ${style.cyan(oneLine(name))}`, ...facts.map((fact) => `      ${fact}`)]
}

const size = (tools: ReadonlyArray<ToolVerdict>): ReadonlyArray<string> => {
  const offered = tools.filter(({ skipped }) => skipped === undefined)
  const characters = offered.reduce((sum, tool) => sum + tool.descriptionLength + tool.schemaLength, 0)
  return offered.length === 0
    ? []
    : [`    its tools take about ${Math.ceil(characters / 4)} tokens of each request to a model`]
}
