/**
 * The YAML front matter of a `SKILL.md`.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isObject, type JsonObject } from "../JsonRpc.ts"
import * as CanonicalJson from "./CanonicalJson.ts"

/** More than this is not read. */
const longest = 64 * 1024

/** Whether the text's front matter holds these fields and no others. */
export const says = (markdown: string, fields: JsonObject): Effect.Effect<boolean> => {
  const yaml = block(markdown)
  if (yaml === undefined) return Effect.succeed(false)
  const expected = CanonicalJson.stringify(fields)
  // Which YAML a server's own reader speaks is not said: `on` is a text in one version and a truth value in the other.
  return Effect.map(
    Effect.promise(() => import("yaml")),
    ({ parse }) =>
      (["1.2", "1.1"] as const).some((version) => {
        const found = Either.try(() => asJson(parse(yaml, { version, logLevel: "silent" })))
        return Either.isRight(found) && isObject(found.right) && CanonicalJson.stringify(found.right) === expected
      })
  )
}

const block = (markdown: string): string | undefined => {
  const yaml = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(markdown)?.[1]
  return yaml === undefined || yaml.length > longest ? undefined : yaml
}

/** As JSON has it: a date is a text there. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null")
