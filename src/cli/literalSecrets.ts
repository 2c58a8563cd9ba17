/**
 * Secrets that would stand in a file as they are, where a reference such as `${TOKEN}` would do.
 *
 * @since 0.1.0
 */
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"

const secretWord = /key|token|secret|passw|credential|auth|cookie/i

const secretArgument = /^--?[\w-]*(?:key|token|secret|passw|credential|auth)[\w-]*(=|$)/i

/**
 * The fields of an entry that seem to hold one: `env.API_KEY`, `headers.Authorization`. Never the value.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = ({ args, env, headers, url }: JsonObject): ReadonlyArray<string> => [
  ...ofMap("env", env),
  ...ofMap("headers", headers),
  ...(Array.isArray(args) && args.some((argument, index) => isSecretArgument(argument, args[index + 1]))
    ? ["args"]
    : []),
  ...(typeof url === "string" && isSecretUrl(url) ? ["url"] : [])
]

/**
 * What to say of them, as sentences.
 *
 * @since 0.1.0
 * @category formatting
 */
export const notes = (entry: JsonObject): ReadonlyArray<string> =>
  find(entry).map(
    (field) => `the value of ${field} is written to the file as it is: with \${VARIABLE} in its place it stays out`
  )

const ofMap = (field: string, values: unknown): ReadonlyArray<string> =>
  isObject(values)
    ? Object.entries(values).flatMap(([key, value]) =>
        secretWord.test(key) && isLiteral(value) ? [`${field}.${key}`] : []
      )
    : []

const isLiteral = (value: unknown): boolean => typeof value === "string" && value !== "" && !value.includes("${")

const isSecretArgument = (argument: unknown, next: unknown): boolean => {
  if (typeof argument !== "string") return false
  const [, assigned] = secretArgument.exec(argument) ?? []
  if (assigned === "=") return isLiteral(argument)
  return assigned === "" && typeof next === "string" && !next.startsWith("-") && isLiteral(next)
}

const isSecretUrl = (url: string): boolean =>
  /^[a-z]+:\/\/[^/?#@$]+@/i.test(url) ||
  [...url.matchAll(/[?&]([^=&#]+)=([^&#]*)/g)].some(([, key = "", value]) => secretWord.test(key) && isLiteral(value))
