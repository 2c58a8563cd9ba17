/**
 * The tools of a server as a TypeScript module: a `Schema` for what each takes and gives, and a typed Effect function.
 *
 * The same tools give the same text, in whatever order the server lists them. At its end the module holds the definitions that it
 * was written from, so that it can be told later what has changed.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as CanonicalJson from "../../mcp/internal/CanonicalJson.ts"
import * as ShellWord from "../../mcp/internal/ShellWord.ts"
import { isObject, type JsonObject } from "../../mcp/JsonRpc.ts"
import type { McpTool } from "../../mcp/McpSchema.ts"
import * as VisibleText from "../../mcp/VisibleText.ts"
import * as ToolDrift from "../ToolDrift.ts"
import * as ForeignText from "./ForeignText.ts"
import { type Layout, render } from "./Layout.ts"
import * as Names from "./Names.ts"
import * as SchemaSource from "./SchemaSource.ts"
import type { Definition } from "./Shape.ts"
import * as ShapeReader from "./ShapeReader.ts"

/**
 * The text of the module.
 *
 * @since 0.1.0
 * @category encoding
 */
export const write = (server: string, tools: ReadonlyArray<McpTool>): string => {
  const names = Names.make()
  const sorted = distinct(tools)
  const functions = sorted.map(({ name }) => names.take(Names.camel(name)))
  const title = `The tools of the MCP server ${JSON.stringify(server)}, typed.`
  const origin = `Written by \`harness9 generate ${ShellWord.quote(server)}\`, which writes it anew: changes do not stay.`
  return [
    ["/**", ...[title, origin].map((line) => ` * ${ForeignText.inComment(line)}`), " */"],
    sorted.length === 0
      ? ["export {}"]
      : [
          'import * as Schema from "effect/Schema"',
          'import { TypedTool } from "harness9"',
          "",
          `const server = ${ForeignText.quote(server)}`
        ],
    ...sorted.flatMap((tool, index) => sectionsOf(tool, functions[index] ?? "", names)),
    ["/*", ` * ${manifestTitle}`, ...sorted.map((tool) => ` * ${line(ToolDrift.lock(tool).definition)}`), " */"]
  ]
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n")
}

/**
 * The definitions that a module was written from, by tool; `undefined` when the text is no such module.
 *
 * @since 0.1.0
 * @category decoding
 */
export const read = (text: string): ReadonlyMap<string, ToolDrift.LockedTool> | undefined => {
  const [, manifest] = text.split(`\n * ${manifestTitle}\n`)
  if (manifest === undefined) return undefined
  const definitions = manifest.split("\n").flatMap((line) => Option.toArray(parse(line.slice(3))))
  return new Map(
    definitions.flatMap((definition) =>
      isObject(definition) && typeof definition.name === "string"
        ? [[definition.name, { digest: CanonicalJson.digest(definition), definition }]]
        : []
    )
  )
}

const manifestTitle = "What the server says of its tools, for harness9 generate --check:"

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** JSON in which no comment ends, and nothing is hidden. */
const line = (definition: JsonObject): string =>
  VisibleText.rewrite(CanonicalJson.stringify(definition), escaped).replaceAll("*/", "*\\/")

const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, unit) => `\\u${char.charCodeAt(unit).toString(16).padStart(4, "0")}`).join("")

const distinct = (tools: ReadonlyArray<McpTool>): ReadonlyArray<McpTool> =>
  [...new Map(tools.map((tool) => [tool.name, tool])).values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0
  )

const sectionsOf = (
  { description, inputSchema, name, outputSchema }: McpTool,
  functionName: string,
  names: Names.Names
): ReadonlyArray<ReadonlyArray<string>> => {
  const pascal = Names.pascal(name)
  const input = ShapeReader.read(inputSchema, `${pascal}Input`, names)
  const output = outputSchema && ShapeReader.read(outputSchema, `${pascal}Output`, names)
  const start = `export const ${functionName} = `
  const made: Layout = {
    _tag: "Call",
    name: output === undefined ? "TypedTool.make" : "TypedTool.structured",
    args: [
      {
        _tag: "Fields",
        isOpen: false,
        fields: [
          { key: "server", value: undefined },
          { key: "tool", value: ForeignText.quote(name) },
          { key: "input", value: nameOf(input) },
          ...(output === undefined ? [] : [{ key: "output", value: nameOf(output) }])
        ]
      }
    ]
  }
  return [
    ...input.all.map((definition) =>
      SchemaSource.of(definition === input.all.at(-1) ? asArguments(definition) : definition, input.isRecursive)
    ),
    ...(output?.all ?? []).map((definition) => SchemaSource.of(definition, output?.isRecursive === true)),
    [...ForeignText.docComment(description, 0), `${start}${render(made, 0, start.length)}`]
  ]
}

const nameOf = ({ all }: ShapeReader.Definitions): string => all.at(-1)?.name ?? "Schema.Unknown"

/** Arguments are an object, even where no type says what is in it. */
const asArguments = (definition: Definition): Definition =>
  definition.shape._tag === "Unknown"
    ? { ...definition, shape: { _tag: "Dictionary", value: definition.shape } }
    : definition
