/**
 * Patterns over tool names: `*` is any text, `?` any one character, everything else itself.
 */

/** Whether a name fits one of the patterns. */
export const matcher = (patterns: ReadonlyArray<string>): ((name: string) => boolean) => {
  const expressions = patterns.map(expression)
  return (name) => expressions.some((pattern) => pattern.test(name))
}

const expression = (pattern: string): RegExp => {
  const source = pattern
    .replace(/\*+/g, "*")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
  return new RegExp(`^${source}$`, "su")
}
