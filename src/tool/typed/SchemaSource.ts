/**
 * A definition as source text: the `Schema`, and its type under the same name.
 *
 * @since 0.1.0
 */
import * as ForeignText from "./ForeignText.ts"
import { call, type Layout, render } from "./Layout.ts"
import * as Remarks from "./Remarks.ts"
import type { Definition, Shape, Value } from "./Shape.ts"
import * as TypeSource from "./TypeSource.ts"

/**
 * The lines of a definition. `saysType`: its type cannot be told from the schema, since it needs itself.
 *
 * @since 0.1.0
 * @category encoding
 */
export const of = (definition: Definition, saysType: boolean): ReadonlyArray<string> => {
  const { doc, name, shape } = definition
  const start = saysType ? `export const ${name}: Schema.Schema<${name}> = ` : `export const ${name} = `
  return [
    ...ForeignText.docComment(Remarks.text(doc), 0),
    `${start}${render(layout(shape), 0, start.length)}`,
    saysType ? TypeSource.declaration(definition) : `export type ${name} = typeof ${name}.Type`
  ]
}

const layout = (shape: Shape): Layout => {
  switch (shape._tag) {
    case "Unknown":
    case "Never":
      return `Schema.${shape._tag}`
    case "Scalar":
      return `Schema.${shape.name}`
    case "Literals":
      return literals(shape.values)
    case "Union":
      return union(shape.members)
    case "List":
      return call("Schema.Array", layout(shape.item))
    case "Tuple":
      return tuple(shape)
    case "Struct":
      return struct(shape)
    case "Dictionary":
      return dictionary(layout(shape.value))
    case "Reference":
      return shape.isLater ? call("Schema.suspend", `(): Schema.Schema<${shape.name}> => ${shape.name}`) : shape.name
  }
}

const literals = (values: ReadonlyArray<Value>): Layout => {
  const plain = values.filter((value) => value !== null)
  if (plain.length === 0) return "Schema.Null"
  const literal = call("Schema.Literal", ...plain.map(value))
  return plain.length === values.length ? literal : call("Schema.NullOr", literal)
}

const value = (literal: Value): string => (typeof literal === "string" ? ForeignText.quote(literal) : String(literal))

const union = (members: ReadonlyArray<Shape>): Layout => {
  const values = members.flatMap((member) => (member._tag === "Literals" ? member.values : []))
  const others = members.filter(({ _tag }) => _tag !== "Literals").map(layout)
  const plain = values.filter((value) => value !== null)
  const all = plain.length === 0 ? others : [...others, literals(plain)]
  const [only] = all
  const whole = all.length === 1 && only !== undefined ? only : call("Schema.Union", ...all)
  return plain.length === values.length ? whole : call("Schema.NullOr", whole)
}

const tuple = ({ elements, rest }: Extract<Shape, { readonly _tag: "Tuple" }>): Layout => {
  const items = elements.map(({ isOptional, shape }) =>
    isOptional ? call("Schema.optionalElement", layout(shape)) : layout(shape)
  )
  return rest === undefined
    ? call("Schema.Tuple", ...items)
    : call("Schema.Tuple", { _tag: "Items", items }, layout(rest))
}

const struct = ({ fields, isOpen }: Extract<Shape, { readonly _tag: "Struct" }>): Layout => {
  const named: Layout = {
    _tag: "Fields",
    isOpen: true,
    fields: fields.map(({ doc, isOptional, key, shape }) => ({
      comment: (indent) => ForeignText.docComment(Remarks.text(doc), indent),
      key: ForeignText.key(key),
      value: isOptional ? call("Schema.optional", layout(shape)) : layout(shape)
    }))
  }
  return isOpen ? call("Schema.Struct", named, dictionary("Schema.Unknown")) : call("Schema.Struct", named)
}

const dictionary = (value: Layout): Layout =>
  call("Schema.Record", {
    _tag: "Fields",
    isOpen: false,
    fields: [
      { key: "key", value: "Schema.String" },
      { key: "value", value }
    ]
  })
