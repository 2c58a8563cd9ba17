/**
 * How each host names variables in texts, rewritten to `${VAR}`.
 *
 * @since 0.1.0
 */
import type { Dialect } from "./ForeignServer.ts"

/**
 * `${VAR}` and `${VAR:-default}`, as here.
 *
 * @since 0.1.0
 * @category dialects
 */
export const same: Dialect = (text) => text

/**
 * No variables: what looks like one here is a text there.
 *
 * @since 0.1.0
 * @category dialects
 */
export const literal: Dialect = (text, note, field) => {
  for (const [reference] of text.matchAll(/\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/g)) {
    note(`${reference} in ${field} was a text there, and is a variable here`)
  }
  return text
}

/**
 * `$VAR` and `${VAR}`, as in a shell.
 *
 * @since 0.1.0
 * @category dialects
 */
export const shell: Dialect = (text) => text.replace(/\$([A-Za-z_]\w*)/g, "${$1}")

/**
 * `${env:VAR}`, `${input:id}` and the folders of an editor.
 *
 * @since 0.1.0
 * @category dialects
 */
export const editor =
  (input: (id: string, note: (note: string) => void) => string): Dialect =>
  (text, note, field) =>
    text.replace(/\$\{([^}]*)\}/g, (written, reference: string) => {
      const [kind = "", name] = reference.split(/:(.*)/s)
      if (kind === "env" && name !== undefined && /^[A-Za-z_]\w*$/.test(name)) return `\${${name}}`
      if (kind === "input" && name !== undefined) return input(name, note)
      switch (reference) {
        case "userHome":
          return "${HOME}"
        case "pathSeparator":
        case "/":
          return "/"
        case "workspaceFolder":
          note(`\${workspaceFolder} in ${field} became ".", the folder that harness9 runs in`)
          return "."
      }
      note(`${written} in ${field} is not known here: replace it`)
      return written
    })

/**
 * `{env:VAR}` and `{file:path}`.
 *
 * @since 0.1.0
 * @category dialects
 */
export const braces: Dialect = (text, note, field) =>
  text.replace(/\{(env|file):([^}]*)\}/g, (written, kind: string, name: string) => {
    if (kind === "env" && /^[A-Za-z_]\w*$/.test(name)) return `\${${name}}`
    if (kind === "env") return written
    const variable = variableName(field.replace(/^[^.]*\./, ""))
    note(`${field} took a file's content: set ${variable} to that of ${name}`)
    return `\${${variable}}`
  })

/**
 * A variable for something that has a name of its own: `perplexity-key` is `PERPLEXITY_KEY`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const variableName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_")
    .toUpperCase()
