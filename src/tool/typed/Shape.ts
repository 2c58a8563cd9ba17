/**
 * What a JSON Schema says of a value, as far as a type can say it.
 *
 * @since 0.1.0
 */

/**
 * What a person is told of a value: the words of the server, and what the type does not say.
 *
 * @since 0.1.0
 * @category models
 */
export interface Doc {
  readonly description: string | undefined
  readonly notes: ReadonlyArray<string>
}

/**
 * @since 0.1.0
 * @category models
 */
export type Value = string | number | boolean | null

/**
 * @since 0.1.0
 * @category models
 */
export interface Field {
  readonly key: string
  readonly shape: Shape
  readonly isOptional: boolean
  readonly doc: Doc
}

/**
 * The element of a tuple.
 *
 * @since 0.1.0
 * @category models
 */
export interface Element {
  readonly shape: Shape
  readonly isOptional: boolean
}

/**
 * - `Struct`: `isOpen` when fields that are not named may be there
 * - `Tuple`: `rest` is what may follow the elements
 * - `Reference`: to a definition by its name; `isLater` when that one is not complete where the reference stands
 *
 * @since 0.1.0
 * @category models
 */
export type Shape =
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Never" }
  | { readonly _tag: "Scalar"; readonly name: "String" | "Number" | "Int" | "Boolean" }
  | { readonly _tag: "Literals"; readonly values: ReadonlyArray<Value> }
  | { readonly _tag: "Union"; readonly members: ReadonlyArray<Shape> }
  | { readonly _tag: "List"; readonly item: Shape }
  | { readonly _tag: "Tuple"; readonly elements: ReadonlyArray<Element>; readonly rest: Shape | undefined }
  | { readonly _tag: "Struct"; readonly fields: ReadonlyArray<Field>; readonly isOpen: boolean }
  | { readonly _tag: "Dictionary"; readonly value: Shape }
  | { readonly _tag: "Reference"; readonly name: string; readonly isLater: boolean }

/**
 * A shape with a name: that of a whole schema, or of a part that it refers to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Definition {
  readonly name: string
  readonly doc: Doc
  readonly shape: Shape
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const unknown: Shape = { _tag: "Unknown" }

/**
 * One of these: nested unions are opened, literals are put together, and what is there twice is there once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const union = (shapes: ReadonlyArray<Shape>): Shape => {
  const flat = shapes.flatMap((shape) => (shape._tag === "Union" ? shape.members : [shape]))
  if (flat.some(({ _tag }) => _tag === "Unknown")) return unknown
  const values = [...new Set(flat.flatMap((shape) => (shape._tag === "Literals" ? shape.values : [])))]
  const others = flat.filter(({ _tag }) => _tag !== "Literals" && _tag !== "Never")
  const distinct = [...new Map(others.map((shape) => [JSON.stringify(shape), shape])).values()]
  const members: ReadonlyArray<Shape> = values.length === 0 ? distinct : [...distinct, { _tag: "Literals", values }]
  const [only] = members
  if (only === undefined) return { _tag: "Never" }
  return members.length === 1 ? only : { _tag: "Union", members }
}
