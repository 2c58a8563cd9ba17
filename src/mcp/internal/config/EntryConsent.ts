/**
 * What a person is asked to agree to when an entry comes along with a project.
 */
import type { JsonObject } from "../../JsonRpc.ts"
import type { Consent } from "../../ServerConfig.ts"
import * as CanonicalJson from "../CanonicalJson.ts"
import * as MaskedEntry from "../MaskedEntry.ts"

/** The consent to an entry as it is written. Whether it is switched on is nothing to agree to. */
export const make = (project: string, { disabled: _, enabled: __, ...entry }: JsonObject): Consent => ({
  project,
  digest: CanonicalJson.digest(entry),
  entry: MaskedEntry.mask(entry, [])
})
