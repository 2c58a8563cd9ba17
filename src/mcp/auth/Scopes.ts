/**
 * Which scopes a login asks for.
 */

const offline = "offline_access"

export const union = (...sets: ReadonlyArray<ReadonlyArray<string> | undefined>): ReadonlyArray<string> => [
  ...new Set(sets.flatMap((set) => set ?? []))
]

/** `undefined`: the parameter is left out, and the authorization server decides. */
export const select = (from: {
  /** Those of the configuration. */
  readonly configured: ReadonlyArray<string> | undefined
  /** Those of the refusal: what the operation under way needs. */
  readonly challenged: ReadonlyArray<string> | undefined
  /** Those of earlier logins that are to be kept. */
  readonly earlier: ReadonlyArray<string> | undefined
  /** All that the server names in its metadata. */
  readonly supported: ReadonlyArray<string> | undefined
  /** A refresh token is wanted, and this is what the authorization server knows. */
  readonly offered: ReadonlyArray<string> | undefined
}): ReadonlyArray<string> | undefined => {
  const { challenged, configured, earlier, offered, supported } = from
  const asked = union(earlier, configured, challenged)
  const chosen = asked.length > 0 ? asked : union(supported)
  const all = offered?.includes(offline) === true ? union(chosen, [offline]) : chosen
  return all.length === 0 ? undefined : all
}

/** OpenID Connect gives `offline_access` only where the person is asked for it. */
export const needsConsent = (scopes: ReadonlyArray<string> | undefined): boolean => scopes?.includes(offline) === true

export const ofText = (text: string | undefined): ReadonlyArray<string> | undefined =>
  text?.split(/\s+/).filter((scope) => scope !== "")
