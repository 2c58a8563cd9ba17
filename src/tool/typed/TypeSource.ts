/**
 * The type of a definition that needs itself, as source text. Objects within it are definitions of their own.
 */
import * as ForeignText from "./ForeignText.ts"
import { width } from "./Layout.ts"
import * as Remarks from "./Remarks.ts"
import type { Definition, Element, Field, Shape } from "./Shape.ts"

/** `interface Name { … }`, or `type Name = …`. */
export const declaration = ({ name, shape }: Definition): string =>
  shape._tag === "Struct"
    ? `export interface ${name} ${fields(shape)}`
    : withRoom(`export type ${name} =`, alternatives(shape), 0)

const fields = ({ fields, isOpen }: Extract<Shape, { readonly _tag: "Struct" }>): string =>
  ["{", ...fields.flatMap(field), ...(isOpen ? ["  readonly [x: string]: unknown"] : []), "}"].join("\n")

const field = ({ doc, isOptional, key, shape }: Field): ReadonlyArray<string> => [
  ...ForeignText.docComment(Remarks.text(doc), 2).map((line) => `  ${line}`),
  withRoom(
    `  readonly ${ForeignText.key(key)}${isOptional ? "?" : ""}:`,
    [...alternatives(shape), ...(isOptional && shape._tag !== "Unknown" ? ["undefined"] : [])],
    2
  )
]

/** In one line where that has room, else a line for each alternative. */
const withRoom = (start: string, types: ReadonlyArray<string>, indent: number): string => {
  const line = `${start} ${types.join(" | ")}`
  return line.length <= width || types.length === 1
    ? line
    : [start, ...types.map((type) => `${" ".repeat(indent + 2)}| ${type}`)].join("\n")
}

const alternatives = (shape: Shape): ReadonlyArray<string> => {
  switch (shape._tag) {
    case "Union":
      return shape.members.flatMap(alternatives)
    case "Literals":
      return shape.values.map((value) => (typeof value === "string" ? ForeignText.quote(value) : String(value)))
    default:
      return [single(shape)]
  }
}

const single = (shape: Exclude<Shape, { readonly _tag: "Union" | "Literals" }>): string => {
  switch (shape._tag) {
    case "Unknown":
      return "unknown"
    case "Never":
      return "never"
    case "Scalar":
      return shape.name === "Int" ? "number" : shape.name.toLowerCase()
    case "List":
      return `ReadonlyArray<${inner(shape.item)}>`
    case "Tuple":
      return `readonly [${[
        ...shape.elements.map(element),
        ...(shape.rest === undefined ? [] : [`...Array<${inner(shape.rest)}>`])
      ].join(", ")}]`
    case "Struct":
      return fields(shape)
    case "Dictionary":
      return `{ readonly [x: string]: ${inner(shape.value)} }`
    case "Reference":
      return shape.name
  }
}

const element = ({ isOptional, shape }: Element): string => {
  const type = inner(shape)
  if (!isOptional) return type
  return alternatives(shape).length > 1 ? `(${type})?` : `${type}?`
}

const inner = (shape: Shape): string => alternatives(shape).join(" | ")
