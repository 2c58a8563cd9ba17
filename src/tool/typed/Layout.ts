/**
 * Source text as this project's formatter would leave it: in one line where that has room, else an item a line.
 */

/**
 * - a string: as it is
 * - `Call`: `name(…)`
 * - `Items`: `[…]`
 * - `Fields`: `{ key: … }`; `isOpen`: a line each, in any case
 */
export type Layout =
  | string
  | { readonly _tag: "Call"; readonly name: string; readonly args: ReadonlyArray<Layout> }
  | { readonly _tag: "Items"; readonly items: ReadonlyArray<Layout> }
  | { readonly _tag: "Fields"; readonly fields: ReadonlyArray<FieldLayout>; readonly isOpen: boolean }

/** `comment` gives the lines above the field, for the place that it is indented by. */
export interface FieldLayout {
  readonly comment?: ((indent: number) => ReadonlyArray<string>) | undefined
  readonly key: string
  /** Nothing: the key is the name of its value. */
  readonly value: Layout | undefined
}

export const call = (name: string, ...args: ReadonlyArray<Layout>): Layout => ({ _tag: "Call", name, args })

export const width = 120

/** The text, where `column` characters stand before it in a line that is indented by `indent`, and `after` follow. */
export const render = (layout: Layout, indent: number, column: number, after = 0): string => {
  const line = flat(layout)
  if (line !== undefined && column + line.length + after <= width) return line
  if (typeof layout === "string") return layout
  const inner = indent + 2
  const broken = (open: string, parts: ReadonlyArray<string>, close: string) =>
    `${open}\n${parts.map((part) => `${" ".repeat(inner)}${part}`).join(",\n")}\n${" ".repeat(indent)}${close}`
  switch (layout._tag) {
    case "Fields":
      return broken(
        "{",
        layout.fields.map(({ comment, key, value }) =>
          [
            ...(comment?.(inner) ?? []).map((text) => `${text}\n${" ".repeat(inner)}`),
            value === undefined ? key : `${key}: ${render(value, inner, inner + key.length + 2, 1)}`
          ].join("")
        ),
        "}"
      )
    case "Items":
      return broken(
        "[",
        layout.items.map((item) => render(item, inner, inner, 1)),
        "]"
      )
    case "Call": {
      const [only] = layout.args
      if (layout.args.length === 1 && typeof only === "object" && only._tag !== "Call") {
        return `${layout.name}(${render(only, indent, column + layout.name.length + 1, after + 1)})`
      }
      return broken(
        `${layout.name}(`,
        layout.args.map((arg) => render(arg, inner, inner, 1)),
        ")"
      )
    }
  }
}

const flat = (layout: Layout): string | undefined => {
  if (typeof layout === "string") return layout
  switch (layout._tag) {
    case "Call": {
      const args = layout.args.map(flat)
      return args.every((arg) => arg !== undefined) ? `${layout.name}(${args.join(", ")})` : undefined
    }
    case "Items": {
      const items = layout.items.map(flat)
      return items.every((item) => item !== undefined) ? `[${items.join(", ")}]` : undefined
    }
    case "Fields": {
      if (layout.fields.length === 0) return "{}"
      const fields = layout.fields.map(({ key, value }) => {
        if (value === undefined) return key
        const text = flat(value)
        return text === undefined ? undefined : `${key}: ${text}`
      })
      return !layout.isOpen && fields.every((field) => field !== undefined) ? `{ ${fields.join(", ")} }` : undefined
    }
  }
}
