/**
 * A JSON Schema of a server (2020-12 unless it says draft-07 or another), ready to check values. Nothing is fetched, whatever it
 * refers to, and no schema can keep the program busy: what could take long is stopped after a while.
 */
import { type Context, createContext, Script } from "node:vm"
import { type SchemaDraft, Validator } from "@cfworker/json-schema"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type { JsonObject } from "../../JsonRpc.ts"
import * as VisibleText from "../../VisibleText.ts"

/** Whether a value fits. `Unusable`: the schema itself is at fault, and will be so for any value. */
export type Finding =
  | { readonly _tag: "Fits" }
  | { readonly _tag: "Misfit"; readonly reason: string }
  | { readonly _tag: "Unusable"; readonly reason: string }

export type Check = (value: unknown) => Finding

/** Of a check, in milliseconds. */
const longest = 250
/** More than this, of the schema's text or the value's parts, may take long. */
const manyCharacters = 16 * 1024
const manyParts = 1000

export const compile = (schema: JsonObject): Check => {
  const validator = Either.try(() => new Validator(structuredClone(schema), draftOf(schema), true))
  if (Either.isLeft(validator)) {
    const finding = unusable(validator.left)
    return () => finding
  }
  const { right } = validator
  const isQuick = !mayTakeLong(schema)
  return (value) => {
    const validate = () => right.validate(value)
    return Either.match(
      Either.try(() => (isQuick && isSmall(value) ? validate() : within(longest, validate))),
      { onLeft: unusable, onRight: finding }
    )
  }
}

const draftOf = ({ $schema }: JsonObject): SchemaDraft => {
  const dialect = String($schema)
  if (/draft-0[67]/.test(dialect)) return "7"
  if (dialect.includes("draft-04")) return "4"
  return dialect.includes("2019-09") ? "2019-09" : "2020-12"
}

/** Patterns, references to itself and comparisons of each with each make a small schema slow. */
const mayTakeLong = (schema: JsonObject): boolean => {
  const text = JSON.stringify(schema)
  return text.length > manyCharacters || /"(?:pattern|patternProperties|uniqueItems|\$\w*[rR]ef)"/.test(text)
}

const isSmall = (value: unknown): boolean => {
  let parts = 0
  const open = [value]
  while (open.length > 0 && parts <= manyParts) {
    const part = open.pop()
    parts += 1
    if (typeof part === "object" && part !== null) open.push(...Object.values(part).slice(0, manyParts))
  }
  return parts <= manyParts
}

/** Runs it, and throws when it is not done in time: the one way to stop code that does not yield, a regular expression too. */
const within = <A>(milliseconds: number, run: () => A): A => {
  stage ??= { context: createContext({}), script: new Script("run()") }
  const { context, script } = stage
  context.run = run
  return script.runInContext(context, { timeout: milliseconds })
}

let stage: { readonly context: Context; readonly script: Script } | undefined

type Result = ReturnType<Validator["validate"]>

const finding = ({ errors, valid }: Result): Finding => {
  if (valid) return { _tag: "Fits" }
  // From the outside to the place itself, where the last says only that a schema is `false`.
  const causes = errors.filter(({ keyword }) => keyword !== "false")
  const { error = "", instanceLocation = "#" } = causes.at(-1) ?? {}
  return { _tag: "Misfit", reason: `${shown(instanceLocation)}: ${shown(error)}` }
}

const unusable = (error: unknown): Finding => ({ _tag: "Unusable", reason: reason(error) })

const reason = (error: unknown): string => {
  if (error instanceof RangeError) return "it goes too deep"
  if (Predicate.hasProperty(error, "code") && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
    return `a check takes more than ${longest} ms`
  }
  return shown(error instanceof Error ? String(error.message.split("\n", 1)[0]) : String(error))
}

const shown = (text: string): string => {
  const line = VisibleText.oneLine(text)
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
