/**
 * The values of an entry that nobody should see: they are masked, by value, wherever text is shown.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import type { Http, Stdio } from "../../ServerConfig.ts"
import type { Environment } from "./Expansion.ts"
import * as OAuthEntry from "./OAuthEntry.ts"

/** Masking shorter values would mask words and numbers everywhere. */
const shortest = 4

/** Values that are common words: masking them hides meaning, and no secret is one of them. */
const plainWords = new Set(
  "true false null none auto http https stdio node debug info warn error test development production".split(" ")
)

/** Variables that say where and who: an error without them could not name a file. */
const plainVariables = "HOME USER LOGNAME USERNAME USERPROFILE HOSTNAME PWD PATH SHELL LANG TMPDIR TEMP TMP".split(" ")

/** The secrets of a server, the longest first; `expanded` are the values that came from the environment. */
export const collect = (
  transport: Stdio | Http,
  expanded: ReadonlyArray<string>,
  env: Environment
): ReadonlyArray<string> => {
  const plain = new Set([...plainWords, ...plainVariables.map((name) => env[name])])
  const secrets = new Set([...expanded, ...ofTransport(transport)].map((value) => value.trim()))
  return [...secrets]
    .filter((value) => value.length >= shortest && !plain.has(value.toLowerCase()) && !plain.has(value))
    .sort((a, b) => b.length - a.length)
}

const ofTransport = (transport: Stdio | Http): ReadonlyArray<string> =>
  transport._tag === "stdio"
    ? [...Object.values(transport.env), ...ofArguments(transport.args)]
    : [
        ...Object.values(transport.headers).flatMap(ofHeader),
        ...ofUrl(transport.url),
        ...(transport.oauth === undefined ? [] : OAuthEntry.secrets(transport.oauth))
      ]

/** The whole value and, of `Bearer abc`, the part that is the credential. */
const ofHeader = (value: string): ReadonlyArray<string> => [value, ...value.split(/\s+/).slice(1)]

/** The user, the password, both as the header that they are sent in, and the values of the query. */
const ofUrl = (text: string): ReadonlyArray<string> => {
  if (!URL.canParse(text)) return []
  const { password, searchParams, username } = new URL(text)
  const written = [username, password, ...(text.match(/(?<=[?&][^=&#]*=)[^&#]+/g) ?? [])]
  const basic = username === "" ? [] : [Encoding.encodeBase64(`${decoded(username)}:${decoded(password)}`)]
  return [...written, ...written.map(decoded), ...searchParams.values(), ...basic]
}

const decoded = (text: string): string => Either.getOrElse(Encoding.decodeUriComponent(text), () => text)

/** An option whose value is a credential, as far as its name says. */
export const secretFlag = /^--?[\w-]*(?:key|token|secret|password|passwd|credential|auth)[\w-]*/i

/** `--token x`, `--token=x`, and the password and query of an address. */
const ofArguments = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((argument, index) => {
    const [flag] = secretFlag.exec(argument) ?? []
    if (flag === argument) return args[index + 1]?.startsWith("-") === false ? [args[index + 1] ?? ""] : []
    return flag !== undefined && argument[flag.length] === "=" ? [argument.slice(flag.length + 1)] : ofUrl(argument)
  })
