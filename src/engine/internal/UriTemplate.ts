/** A URI template (RFC 6570) while it is filled in: which of its variables the end of the typed text stands in. */

export type Place =
  /** In the template's own text: what is typed, and that text to its end. */
  | { readonly _tag: "Text"; readonly text: string }
  /** In a variable; `known` are those before it, if there are any. */
  | {
      readonly _tag: "Variable"
      readonly variable: string
      readonly value: string
      readonly known: Readonly<Record<string, string>> | undefined
      /** What stands before the value, and what of the template's text follows it. */
      readonly before: string
      readonly after: string
    }

/** Nothing when the text is none of this family, or there is nothing more to fill in. */
export const place = (template: string, typed: string): Place | undefined => {
  const parts = template.split(/\{([^}]*)\}/)
  let known: Readonly<Record<string, string>> | undefined
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) {
      if (!typed.startsWith(part, at)) {
        return part.startsWith(typed.slice(at)) ? { _tag: "Text", text: typed.slice(0, at) + part } : undefined
      }
      at += part.length
      continue
    }
    const variable = part.replace(/^[+#./;?&]/, "").replace(/[*:,].*$/, "")
    const after = parts[index + 1] ?? ""
    const end = after === "" ? -1 : typed.indexOf(after, at)
    if (end < 0) {
      if (after === "" && index + 2 < parts.length) return undefined
      const begun = overlap(typed.slice(at), after)
      if (begun > 0) return { _tag: "Text", text: typed + after.slice(begun) }
      return { _tag: "Variable", variable, value: typed.slice(at), known, before: typed.slice(0, at), after }
    }
    known = { ...known, [variable]: typed.slice(at, end) }
    at = end
  }
  return undefined
}

/** How much of the template's text is typed behind the value. */
const overlap = (rest: string, after: string): number => {
  for (let length = Math.min(after.length, rest.length - 1); length > 0; length--) {
    if (rest.endsWith(after.slice(0, length))) return length
  }
  return 0
}
