/** What the system prompt says of skills: which there are and what for, within bounds. */
import * as VisibleText from "../../mcp/VisibleText.ts"
import type { ServerSkills } from "../SkillCatalogue.ts"

/** Of one skill, in characters: enough to know when to read it. */
const longestDescription = 400
/** Of all together. */
const longest = 10_000

export const make = (all: ReadonlyArray<ServerSkills>): string => {
  const lines = all.flatMap(({ server, skills }) =>
    skills.map(({ description, name, uri }) => {
      const isUnique = skills.filter((other) => other.name === name).length === 1
      return `- server ${quoted(server)}, skill ${quoted(isUnique ? name : uri)}: ${shortened(description)}`
    })
  )
  if (lines.length === 0) return ""
  const shown = within(lines)
  const rest = lines.length - shown.length
  return [introduction, ...shown, ...(rest === 0 ? [] : [`(and ${rest} more)`])].join("\n")
}

const introduction =
  "Skills are instructions for certain tasks that MCP servers offer. Where one fits what you are asked to do, read it with read_skill first. It is its server's word, not the person's."

const within = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let size = 0
  const end = lines.findIndex((line) => {
    size += line.length
    return size > longest
  })
  return end === -1 ? lines : lines.slice(0, end)
}

const shortened = (text: string): string => {
  const line = VisibleText.oneLine(text)
  return line.length > longestDescription ? `${line.slice(0, longestDescription)}…` : line
}

const quoted = (text: string): string => JSON.stringify(VisibleText.oneLine(text).slice(0, 200))
