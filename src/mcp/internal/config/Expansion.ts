/**
 * `${VAR}` and `${VAR:-default}` in the texts of a configuration.
 *
 * Only a plain name, alone or with a default, is a reference: shell forms such as `${x%o}` pass untouched, and what a variable
 * holds is not looked at again. As in a shell, the default also stands in for a variable that is set but empty.
 */

export type Environment = Readonly<Record<string, string | undefined>>

export interface Expanded {
  readonly text: string
  /** What the environment put in. */
  readonly values: ReadonlyArray<string>
  /** The variables that are not set and have no default: their references are left as they stand. */
  readonly unset: ReadonlyArray<string>
}

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

export const expand = (text: string, env: Environment): Expanded => {
  const values: Array<string> = []
  const unset: Array<string> = []
  const expanded = text.replace(reference, (written: string, name: string, fallback: string | undefined) => {
    const value = lookUp(env, name)
    if (fallback !== undefined && (value === undefined || value === "")) return fallback
    if (value === undefined) {
      unset.push(name)
      return written
    }
    values.push(value)
    return value
  })
  return { text: expanded, values, unset }
}

/** `env` may be a plain object: what it inherits (`constructor`) is no variable. */
const lookUp = (env: Environment, name: string): string | undefined => {
  const value: unknown = env[name]
  return typeof value === "string" ? value : undefined
}
