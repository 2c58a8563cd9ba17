/**
 * Whether a program says what it said when it was recorded: by meaning, not by text.
 *
 * Left out is what differs between any two runs: tokens of progress, ids of traces, the name and version of the asking program.
 * Masked places match whatever stands there now, and the directory of the recording is that of the replay.
 */
import type { Field } from "../../Cassette.ts"
import { isObject, type JsonObject } from "../../JsonRpc.ts"

/** What stands in a secret's place. */
export const mask = "***"

const volatile: ReadonlySet<string> = new Set([
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
  "io.modelcontextprotocol/clientInfo"
])

/** A message to a server, without what differs from run to run. */
export const ofServer = (message: JsonObject): JsonObject => {
  const { params: given, ...rest } = message
  if (!isObject(given)) return message
  const { _meta, clientInfo: _, ...others } = given
  const meta = isObject(_meta) ? Object.entries(_meta).filter(([key]) => !volatile.has(key)) : []
  const params = meta.length === 0 ? others : { ...others, _meta: Object.fromEntries(meta) }
  return Object.keys(params).length === 0 ? rest : { ...rest, params }
}

/** As JSON, and with the directories by one name. */
export const inPlace = (value: unknown, directories: ReadonlyArray<string>): unknown => {
  const places = directories.filter((directory) => directory.length > 1).sort((a, b) => b.length - a.length)
  const text = (value: string) => places.reduce((rest, place) => rest.replaceAll(place, "{directory}"), value)
  return mapped(JSON.parse(JSON.stringify(value) ?? "null"), text)
}

const mapped = (value: unknown, text: (value: string) => string): unknown => {
  if (typeof value === "string") return text(value)
  if (Array.isArray(value)) return value.map((item) => mapped(item, text))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, text)]))
}

/** The fields in which two JSON values differ. */
export const fields = (expected: unknown, got: unknown, path = ""): ReadonlyArray<Field> => {
  if (Array.isArray(expected) && Array.isArray(got)) {
    return Array.from({ length: Math.max(expected.length, got.length) }, (_, index) =>
      fields(expected[index], got[index], `${path}[${index}]`)
    ).flat()
  }
  if (isObject(expected) && isObject(got)) {
    return [...new Set([...Object.keys(expected), ...Object.keys(got)])].flatMap((key) =>
      fields(expected[key], got[key], path === "" ? key : `${path}.${key}`)
    )
  }
  return Object.is(expected, got) || isMasked(expected, got) ? [] : [{ path, expected, got }]
}

const isMasked = (expected: unknown, got: unknown): boolean => {
  if (typeof expected !== "string" || !expected.includes(mask)) return false
  if (expected === mask) return got !== undefined
  if (typeof got !== "string") return false
  const parts = expected.split(mask)
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index === 0 && !got.startsWith(part)) return false
    if (index === parts.length - 1) return got.length - part.length >= at && got.endsWith(part)
    const found = got.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return true
}

/** The fields for a person: the recorded value above the present one. */
export const describe = (found: ReadonlyArray<Field>): string =>
  [
    ...found.slice(0, maxFields).flatMap(({ expected, got, path }) => {
      const start = Math.max(0, commonLength(shown(expected), shown(got)) - 40)
      return [
        `  ${path === "" ? "message" : path}`,
        `    expected  ${excerpt(shown(expected), start)}`,
        `    got       ${excerpt(shown(got), start)}`
      ]
    }),
    ...(found.length > maxFields ? [`  and ${found.length - maxFields} more fields`] : [])
  ].join("\n")

const maxFields = 10
const maxShown = 240

export const shown = (value: unknown): string => (value === undefined ? "(nothing)" : JSON.stringify(value))

export const excerpt = (text: string, start = 0): string =>
  text.length <= maxShown
    ? text
    : `${start === 0 ? "" : "…"}${text.slice(start, start + maxShown)}${start + maxShown < text.length ? "…" : ""}`

const commonLength = (a: string, b: string): number => {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
