/**
 * What a server asks for in `WWW-Authenticate`: schemes with their parameters, and of them what OAuth needs.
 */

export interface Scheme {
  /** In small letters. */
  readonly scheme: string
  /** Names in small letters; of a name that is there twice, the first. */
  readonly parameters: ReadonlyMap<string, string>
}

/** What a refusal says about the login that is wanted. */
export interface Wanted {
  /** Where the server describes itself as a protected resource (RFC 9728). */
  readonly resourceMetadata: string | undefined
  readonly scopes: ReadonlyArray<string> | undefined
  readonly error: string | undefined
  /** The server takes tokens that are bound to a key. */
  readonly dpop: boolean
}

const token = /[\w!#$%&'*+.^`|~-]+/y
const separator = /[\s,]*/y
const equals = /\s*=\s*/y
const quoted = /"((?:[^"\\]|\\.)*)"?/y
/** Credentials of another kind (`Negotiate abc==`), or a value that should have been quoted. */
const bare = /[^\s,"]+/y
const token68 = /[ \t]+[A-Za-z0-9._~+/-]+=*(?=\s*(?:,|$))/y

export const parse = (header: string | undefined): ReadonlyArray<Scheme> => {
  const schemes: Array<{ scheme: string; parameters: Map<string, string> }> = []
  const text = header ?? ""
  let at = 0
  const read = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at += match[0].length
    return match ?? undefined
  }
  for (read(separator); at < text.length; read(separator)) {
    const name = read(token)?.[0]
    if (name === undefined) {
      at += 1
      continue
    }
    const current = schemes.at(-1)
    if (current !== undefined && read(equals) !== undefined) {
      const inQuotes = read(quoted)
      const value = inQuotes === undefined ? (read(bare)?.[0] ?? "") : (inQuotes[1] ?? "").replace(/\\(.)/g, "$1")
      const key = name.toLowerCase()
      if (!current.parameters.has(key)) current.parameters.set(key, value)
      continue
    }
    schemes.push({ scheme: name.toLowerCase(), parameters: new Map() })
    read(token68)
  }
  return schemes
}

/** What the schemes of OAuth, Bearer and DPoP, ask for. */
export const wanted = (header: string | undefined): Wanted => {
  const schemes = parse(header).filter(({ scheme }) => scheme === "bearer" || scheme === "dpop")
  const first = (name: string) => schemes.map(({ parameters }) => parameters.get(name)).find((value) => value)
  return {
    resourceMetadata: first("resource_metadata"),
    scopes: first("scope")
      ?.split(" ")
      .filter((scope) => scope !== ""),
    error: first("error"),
    dpop: schemes.some(({ scheme }) => scheme === "dpop")
  }
}
