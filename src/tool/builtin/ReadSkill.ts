/**
 * `read_skill`: a file of a server's skill, verified.
 *
 * What a skill says is untrusted, and may have the model run things here: reading one is allowed by a person, not by itself. It is
 * read from the server that serves it and from no other, and the model is told whose word it is.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as McpClient from "../../mcp/McpClient.ts"
import type { McpError } from "../../mcp/McpError.ts"
import type { ResourceContents } from "../../mcp/McpSchema.ts"
import * as Skills from "../../mcp/Skills.ts"
import * as VisibleText from "../../mcp/VisibleText.ts"
import * as OutputBudget from "../OutputBudget.ts"
import { type Tool, type ToolResult, text } from "../Tool.ts"
import * as BuiltinTool from "./BuiltinTool.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly client: (server: string) => Effect.Effect<McpClient.Service, McpError>
  /** The skills that a server lists. */
  readonly listed: (server: string) => ReadonlyArray<Skills.Skill>
}

const parameters = Schema.Struct({
  server: BuiltinTool.required(Schema.NonEmptyString, "The MCP server that offers the skill."),
  skill: BuiltinTool.required(Schema.NonEmptyString, "Its name, or its URI (skill://…/SKILL.md)."),
  file: BuiltinTool.optional(
    Schema.NonEmptyString,
    "A file that belongs to the skill, by its path within it: references/FORMS.md. Default: the instructions themselves."
  )
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ client, listed }: Options): Tool =>
  BuiltinTool.make({
    name: "read_skill",
    description: "Reads a skill of an MCP server: its instructions, or a file that belongs to them.",
    parameters,
    hints: { readOnly: false, destructive: false, idempotent: true },
    run: Effect.fnUntraced(function* ({ file, server, skill: wanted }) {
      const connected = yield* Effect.mapError(client(server), refusal)
      const skill = yield* find(connected, listed(server), wanted)
      const read = (skill: Skills.Skill) =>
        Effect.map(Skills.read(connected, skill, uriOf(skill, file)), (contents) => shown(server, skill, contents))
      const result = yield* read(skill).pipe(
        // It may have changed since it was listed: what the server says of it now decides.
        Effect.catchTag("Unverified", () => Effect.flatMap(Skills.get(connected, skill.uri), read)),
        Effect.mapError(refusal)
      )
      return yield* OutputBudget.apply(result)
    })
  })

const find = (
  client: McpClient.Service,
  listed: ReadonlyArray<Skills.Skill>,
  wanted: string
): Effect.Effect<Skills.Skill, BuiltinTool.Refusal> => {
  const found = listed.filter(({ name, uri }) => name === wanted || uri === wanted)
  if (found.length > 1) {
    return BuiltinTool.refuse(`There are several of that name; name one by its URI: ${urisOf(found)}.`)
  }
  if (found[0] !== undefined) return Effect.succeed(found[0])
  // A listing need not be complete: a server may point to a skill in its instructions alone.
  if (wanted.includes("://")) return Effect.mapError(Skills.get(client, wanted), refusal)
  const names = listed.length === 0 ? "" : ` Its skills: ${listed.map(({ name }) => shownName(name)).join(", ")}.`
  return BuiltinTool.refuse(`The server ${JSON.stringify(client.server)} lists no skill of that name.${names}`)
}

const refusal = ({ message }: { readonly message: string }) =>
  new BuiltinTool.Refusal({ message: `The skill could not be read: ${VisibleText.oneLine(message)}.` })

const rootOf = ({ uri }: Skills.Skill): string => uri.replace(/SKILL\.md$/, "")

const uriOf = (skill: Skills.Skill, file: string | undefined): string => {
  if (file === undefined) return skill.uri
  return file.includes("://") ? file : `${rootOf(skill)}${file.replace(/^\.?\//, "")}`
}

const shown = (server: string, skill: Skills.Skill, contents: ResourceContents): ToolResult => {
  const { blob, mimeType = "", text: content, uri } = contents
  const path = VisibleText.oneLine(uri.replace(rootOf(skill), ""))
  const head = `[${path} of the skill ${shownName(skill.name)}, as the MCP server ${JSON.stringify(server)} serves it]`
  if (content !== undefined) return text([head, content, ...others(skill, uri)].join("\n"))
  const data = blob ?? ""
  const binary = text(`${head}\n[${Buffer.from(data, "base64").length} bytes that are no text]`)
  return mimeType.startsWith("image/")
    ? { ...binary, content: [...binary.content, { type: "image", data, mimeType }] }
    : binary
}

/** What else there is to read, told with the instructions. */
const others = (skill: Skills.Skill, uri: string): ReadonlyArray<string> => {
  if (uri !== skill.uri) return []
  if (skill.files === undefined) return ["[this skill lists no files, so that none of it can be verified]"]
  const paths = skill.files.filter((file) => file.uri !== uri).map((file) => file.uri.replace(rootOf(skill), ""))
  return paths.length === 0 ? [] : [`[its other files: ${paths.map(VisibleText.oneLine).join(", ")}]`]
}

const urisOf = (skills: ReadonlyArray<Skills.Skill>): string => skills.map(({ uri }) => shownName(uri)).join(", ")

const shownName = (name: string): string => JSON.stringify(VisibleText.oneLine(name).slice(0, 200))
