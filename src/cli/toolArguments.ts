/**
 * The arguments of a tool call from `key=value` words, each typed by the tool's input schema.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import { type CliError, usage } from "./CliError.ts"
import { didYouMean } from "./suggest.ts"

/**
 * The arguments object: `json` is the whole of it, and the pairs are put over it. A key that is given several times is a list.
 *
 * @since 0.1.0
 * @category parsing
 */
export const parse = (
  pairs: ReadonlyArray<string>,
  json: string | undefined,
  schema: JsonObject
): Either.Either<JsonObject, CliError> =>
  Either.gen(function* () {
    const base = json === undefined ? {} : yield* parseObject(json)
    const given = yield* group(pairs)
    const typed: Array<readonly [string, unknown]> = []
    for (const [key, texts] of given) typed.push([key, yield* typedValue(key, texts, schema)])
    return { ...base, ...Object.fromEntries(typed) }
  })

const parseJson = (text: string): Either.Either<unknown, string> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: (error) => String(error).replace(/^SyntaxError: /, "") })

const parseObject = (text: string): Either.Either<JsonObject, CliError> =>
  parseJson(text).pipe(
    Either.mapLeft((problem) => usage(`--args is no JSON: ${problem}`)),
    Either.filterOrLeft(isObject, () => usage("--args must be a JSON object"))
  )

const group = (pairs: ReadonlyArray<string>): Either.Either<ReadonlyMap<string, ReadonlyArray<string>>, CliError> => {
  const given = new Map<string, ReadonlyArray<string>>()
  for (const pair of pairs) {
    const at = pair.indexOf("=")
    if (at < 1)
      return Either.left(usage(`"${pair}" is no key=value`, "write arguments as key=value, or use --args JSON"))
    const key = pair.slice(0, at)
    given.set(key, [...(given.get(key) ?? []), pair.slice(at + 1)])
  }
  return Either.right(given)
}

const typedValue = (key: string, texts: ReadonlyArray<string>, root: JsonObject): Either.Either<unknown, CliError> => {
  const properties = isObject(root.properties) ? root.properties : {}
  if (!Object.hasOwn(properties, key) && root.additionalProperties === false) {
    const hint = didYouMean(key, Object.keys(properties)) ?? `it takes ${Object.keys(properties).join(", ") || "none"}`
    return Either.left(usage(`the tool has no argument "${key}"`, hint))
  }
  const schema = Object.hasOwn(properties, key) ? properties[key] : root.additionalProperties
  const types = typesOf(schema, root)
  const [text = "", ...more] = texts
  const value = more.length === 0 ? single(text, types) : undefined
  if (value !== undefined) return Either.right(value.value)
  if (types.size === 0 || types.has("array")) return elements(key, texts, schema, root)
  const wanted = [...types].join(" or ")
  if (more.length === 0) return Either.left(usage(`${key}: "${text}" is no ${wanted}`))
  return Either.left(usage(`${key} is given ${texts.length} times and takes one ${wanted}`))
}

const elements = (
  key: string,
  texts: ReadonlyArray<string>,
  schema: unknown,
  root: JsonObject
): Either.Either<unknown, CliError> => {
  const list = resolved(schema, root)
  const types = typesOf(list?.items, root)
  return Either.all(
    texts.map((text) =>
      Either.fromNullable(single(text, types), () => usage(`${key}: "${text}" is no ${[...types].join(" or ")}`)).pipe(
        Either.map(({ value }) => value)
      )
    )
  )
}

/**
 * A text as a value of one of the types; without types, JSON where it is some. A box, since `null` is a value.
 */
const single = (text: string, types: ReadonlySet<string>): { readonly value: unknown } | undefined => {
  const isText = types.has("string")
  if (isText && types.size === 1) return { value: text }
  const value = Either.getOrUndefined(parseJson(text))
  const fits =
    value !== undefined &&
    isExact(text, value) &&
    (types.size === 0 || typeNames(value).some((type) => types.has(type)))
  if (fits) return { value }
  return isText || types.size === 0 ? { value: text } : undefined
}

/** A long number is not silently made another one. */
const isExact = (text: string, value: unknown): boolean =>
  typeof value !== "number" || !/^-?\d+$/.test(text) || Number.isSafeInteger(value)

const typeNames = (value: unknown): ReadonlyArray<string> => {
  if (value === null) return ["null"]
  if (Array.isArray(value)) return ["array"]
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value]
}

/** The types that a schema lets through, as far as it says; an empty set lets everything through. */
const typesOf = (schema: unknown, root: JsonObject, depth = 0): ReadonlySet<string> => {
  const own = resolved(schema, root)
  if (own === undefined || depth > 8) return new Set()
  if (typeof own.type === "string") return new Set([own.type])
  if (Array.isArray(own.type)) return new Set(own.type.filter((type) => typeof type === "string"))
  const choices = [own.anyOf, own.oneOf].find(Array.isArray)
  if (choices !== undefined) return union(choices.map((choice) => typesOf(choice, root, depth + 1)))
  if (Array.isArray(own.enum)) return new Set(own.enum.flatMap(typeNames))
  return "const" in own ? new Set(typeNames(own.const)) : new Set()
}

/** One choice that lets everything through makes the whole do so. */
const union = (sets: ReadonlyArray<ReadonlySet<string>>): ReadonlySet<string> =>
  sets.some((set) => set.size === 0) ? new Set() : new Set(sets.flatMap((set) => [...set]))

/** Follows a reference into the same schema. */
const resolved = (schema: unknown, root: JsonObject, depth = 0): JsonObject | undefined => {
  if (!isObject(schema)) return undefined
  if (typeof schema.$ref !== "string" || depth > 8) return schema
  const path = schema.$ref
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
  const target = path.reduce<unknown>((node, part) => (isObject(node) ? node[part] : undefined), root)
  return resolved(target, root, depth + 1)
}
