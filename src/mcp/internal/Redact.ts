/**
 * Secrets masked by value, wherever text is about to be shown: a server that repeats a token does not make it public.
 */
import * as Effect from "effect/Effect"
import { McpError } from "../McpError.ts"
import type { Diagnostics } from "../McpTransport.ts"

/** What stands in a secret's place. */
const mark = "***"

/** A shorter value is found in any text by chance, and masking it would hide more than it protects. */
const shortest = 4

export interface Redaction {
  readonly text: (text: string) => string
  readonly error: (error: McpError) => McpError
  /** Masks the failure of an effect; costs nothing where there is no secret. */
  readonly failure: <A, R>(effect: Effect.Effect<A, McpError, R>) => Effect.Effect<A, McpError, R>
  readonly diagnostics: (diagnostics: Diagnostics) => Diagnostics
}

/** The text with every one of the secrets masked, also where it is URL-encoded or stands in a JSON text. */
export const mask = (text: string, secrets: ReadonlyArray<string>): string => redaction(secrets).text(text)

export const redaction = (secrets: ReadonlyArray<string>): Redaction => {
  const needles = spellings(secrets)
  const text = (value: string): string => needles.reduce((rest, needle) => rest.replaceAll(needle, mark), value)
  const optional = (value: string | undefined) => (value === undefined ? undefined : text(value))
  const masked = (error: McpError) =>
    new McpError({
      server: error.server,
      phase: error.phase,
      kind: error.kind,
      message: text(error.message),
      hint: optional(error.hint),
      stderr: optional(error.stderr),
      code: error.code,
      data: maskedJson(error.data, text),
      status: error.status,
      challenge: optional(error.challenge)
    })
  return {
    text,
    error: needles.length === 0 ? (error) => error : masked,
    failure: needles.length === 0 ? (effect) => effect : Effect.mapError(masked),
    diagnostics: (diagnostics) => ({
      ...diagnostics,
      stderr: text(diagnostics.stderr),
      skipped: diagnostics.skipped.map(text)
    })
  }
}

/** Longest first, so that a secret inside another one does not leave the rest of it standing. */
const spellings = (secrets: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret.replace(/\p{Cs}/gu, "\ufffd")),
      JSON.stringify(secret).slice(1, -1)
    ])
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

/** A JSON value with every string in it masked, keys included. */
const maskedJson = (value: unknown, text: (text: string) => string): unknown => {
  if (typeof value === "string") return text(value)
  if (Array.isArray(value)) return value.map((item) => maskedJson(item, text))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), maskedJson(item, text)]))
}
