/**
 * JSON as no honest server would send it: wrong types everywhere, names that mean something to JavaScript, numbers out of range, half
 * characters, terminal escapes, and nesting without end. It is made as text, since a program could not write some of it down.
 */
import * as fc from "fast-check"

/** How each check is run: a failure is told with its seed. */
export const runs = (numRuns: number) => ({ numRuns })

const words = [
  ..."type name text data uri content resource mimeType blob description inputSchema outputSchema properties required".split(
    " "
  ),
  ..."items anyOf oneOf allOf enum const $ref $defs if then else not patternProperties additionalProperties title".split(
    " "
  ),
  ..."annotations _meta icons src arguments messages role contents uriTemplate structuredContent isError method id".split(
    " "
  ),
  ..."params result error code message jsonrpc progressToken progress total requestId reason cursor nextCursor ttlMs".split(
    " "
  ),
  ..."taskId status mode requestedSchema url elicitationId maxTokens systemPrompt values".split(" "),
  ..."__proto__ constructor prototype toString valueOf hasOwnProperty length then toJSON".split(" ")
]

const scalars = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1",
    "123456789012345678901234567890",
    "2147483648"
  ],
  ...[
    '""',
    '"\\ud800"',
    '"\\udfff x"',
    '"\\u0000"',
    '"\\u001b[2J\\u001b]52;c;eA==\\u0007"',
    '"\\u202e\\u2066\\u200b"',
    '"\\u2028"'
  ],
  ...['"text"', '"object"', '"string"', '"array"', '"image"', '"audio"', '"resource"', '"resource_link"', '"user"'],
  ...[
    '"#"',
    '"#/"',
    '"#/$defs/a"',
    '"#/properties/text"',
    '"#/allOf/0"',
    '"#/%zz"',
    '"http://127.0.0.1:1/x"',
    '"file:///etc/passwd"'
  ],
  ...['"(a+)+$"', '"[" ', '"https://x/{?y*}"', '"data:,x"', '"AAAA"', '"=?base64?AA?="'],
  `"${"x".repeat(5000)}"`,
  `"${" ".repeat(5000)}"`
]

const key = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.string() })

const closing = (open: string): string =>
  [...open.replaceAll(/"[^"]*"/g, "")]
    .reverse()
    .map((char) => ({ "{": "}", "[": "]" })[char] ?? "")
    .join("")

const nested = fc
  .tuple(
    fc.constantFrom('{"properties":{"a":', "[", '{"anyOf":[', '{"items":', '{"__proto__":'),
    fc.integer({ min: 2, max: 400 })
  )
  .map(([open, levels]) => `${open.repeat(levels)}1${closing(open).repeat(levels)}`)

const members = (value: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(key, value), { maxLength: 5 })
    .map((entries) => `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`)

/** Any text of a JSON value. */
export const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small", withCrossShrink: true },
    { weight: 6, arbitrary: fc.constantFrom(...scalars) },
    { weight: 2, arbitrary: fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)) },
    { weight: 3, arbitrary: fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`) },
    { weight: 6, arbitrary: members(tie("value")) },
    { weight: 1, arbitrary: nested }
  )
})).value

/** The text of an object with these fields, each of them anything or not there. */
export const object = (fields: ReadonlyArray<string>, fixed: Readonly<Record<string, fc.Arbitrary<string>>> = {}) =>
  fc
    .tuple(
      fc.subarray([...fields]),
      fc.array(json, { minLength: fields.length, maxLength: fields.length }),
      fc.tuple(...Object.values(fixed))
    )
    .map(([present, values, own]) => {
      const loose = present.map((name, index) => `${JSON.stringify(name)}:${values[index]}`)
      const tight = Object.keys(fixed).map((name, index) => `${JSON.stringify(name)}:${own[index]}`)
      return `{${[...loose, ...tight].join(",")}}`
    })

/** One of these words, as JSON text. */
export const word = (...choices: ReadonlyArray<string>) =>
  fc.constantFrom(...choices).map((text) => JSON.stringify(text))

export const parse = (text: string): unknown => JSON.parse(text)
