/**
 * The shape of one server's entry and of the whole file, as they are written: what a JSON Schema of the file says.
 *
 * Other spellings of a field are resolved before an entry meets this schema. A message never holds the value that it is about: it may be a secret.
 */
import * as Schema from "effect/Schema"
import { DurationText } from "../../DurationText.ts"
import { Settings } from "../../Limits.ts"
import * as ProtocolVersion from "../../ProtocolVersion.ts"
import { OAuthEntry } from "./OAuthEntry.ts"

/** What a value that does not fit should have been; what is wrong inside of it is told of the part that is wrong. */
const expected = (message: string) => ({ message: () => message })

/** The same, whatever is wrong inside: for alternatives, whose parts say little. */
const expectedWhole = (message: string) => ({ message: () => ({ message, override: true }) })

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Text = Schema.NonEmptyString.annotations(expectedWhole("must be a text that is not empty"))

const Flag = Schema.Boolean.annotations(expected("must be true or false"))

const Texts = Schema.Array(Text).annotations(expected("must be a list of texts"))

/** A text, or a number or boolean that becomes one. */
const Scalar = Schema.transform(
  Schema.Union(Schema.String, Schema.Number, Schema.Boolean).annotations(expectedWhole("must be a text")),
  Schema.String,
  { strict: true, decode: String, encode: (text) => text }
)

const ScalarMap = Schema.Record({ key: Schema.String, value: Scalar })

/** `KEY=VALUE` each; of a key that is there twice the later counts. */
const AssignmentList = Schema.transform(
  Schema.Array(Schema.String),
  Schema.Record({ key: Schema.String, value: Schema.String }),
  {
    strict: true,
    decode: (list) =>
      Object.fromEntries(
        list.map((assignment) => [assignment.split("=", 1).join(), assignment.slice(assignment.indexOf("=") + 1)])
      ),
    encode: (map) => Object.entries(map).map(([key, value]) => `${key}=${value}`)
  }
)

const types = ["stdio", "local", "http", "streamable-http", "streamable_http", "streamableHttp", "sse"] as const

const Sandbox = Schema.Union(
  Flag,
  Schema.Struct({
    network: optional(Flag.annotations({ description: "Whether the program may use the network. Without it: no." })),
    writable: optional(
      Texts.annotations({
        description: "What it may change; relative to the folder of this file. Without it: nothing."
      })
    )
  }).annotations({ parseOptions: { onExcessProperty: "error" } })
)

export const ServerEntry = Schema.Struct({
  type: optional(
    Schema.Literal(...types).annotations({
      description: "How the server is spoken to. Without it: stdio if there is a command, http if there is a url.",
      ...expectedWhole(`must be one of ${types.join(", ")}`)
    })
  ),
  command: optional(
    Schema.Union(Text, Schema.NonEmptyArray(Text)).annotations({
      description: "The program to start; as a list, the program and its first arguments. No shell reads it.",
      ...expectedWhole("must be the name of a program, or a list of the program and its arguments")
    })
  ),
  args: optional(
    Schema.Array(Scalar).annotations({
      description: "The program's arguments.",
      ...expected("must be a list of texts")
    })
  ),
  env: optional(
    Schema.Union(ScalarMap, AssignmentList).annotations({
      description: "Variables for the program, on top of the few that it inherits; as a list, KEY=VALUE each.",
      ...expectedWhole("must be an object of texts, or a list of KEY=VALUE")
    })
  ),
  cwd: optional(Text.annotations({ description: "Where the program starts; relative to the folder of this file." })),
  inheritEnv: optional(
    Flag.annotations({ description: "Gives the program the whole environment instead of the few variables it needs." })
  ),
  sandbox: optional(
    Sandbox.annotations({
      description:
        "Confines the program: true, or what it may do. On Linux, with bubblewrap; elsewhere it is not started.",
      ...expectedWhole('must be true, false, or an object with "network" and "writable"')
    })
  ),
  url: optional(Text.annotations({ description: "The address of a server that is reached over HTTP." })),
  headers: optional(
    ScalarMap.annotations({
      description: "Sent with every HTTP request to the server.",
      ...expected("must be an object of texts")
    })
  ),
  ca: optional(
    Text.annotations({
      description:
        "A PEM file with certificate authorities to trust besides the usual; relative to the folder of this file."
    })
  ),
  bearerTokenEnv: optional(
    Text.annotations({ description: "The name of the variable with the token that is sent as Authorization: Bearer." })
  ),
  headersHelper: optional(
    Schema.Union(Text, Schema.NonEmptyArray(Text)).annotations({
      description:
        "A program that prints headers as a JSON object; as a list, the program and its arguments. No shell reads it.",
      ...expectedWhole("must be the name of a program, or a list of the program and its arguments")
    })
  ),
  oauth: optional(OAuthEntry),
  disabled: optional(Flag.annotations({ description: "Lists the server, and never starts or contacts it." })),
  enabled: optional(Flag.annotations({ description: "false is the same as disabled: true. Off wins." })),
  required: optional(Flag.annotations({ description: "Ends a run when this server cannot be connected." })),
  timeout: optional(
    DurationText.annotations({ description: "How long a tool call may take: milliseconds, or a text such as 90s." })
  ),
  connectTimeout: optional(
    DurationText.annotations({ description: "How long connecting may take: milliseconds, or a text such as 90s." })
  ),
  includeTools: optional(
    Texts.annotations({ description: "Patterns over the server's own tool names: only these tools are offered." })
  ),
  excludeTools: optional(
    Texts.annotations({ description: "Patterns over the server's own tool names: these tools are not offered." })
  ),
  limits: optional(Settings),
  defer: optional(
    Schema.Literal(true, false, "auto").annotations({
      description:
        "Whether a model has to search for the tools of this server before it is offered them; auto, the default: when there are more tools than it has room for.",
      ...expectedWhole('must be true, false or "auto"')
    })
  ),
  protocolVersion: optional(
    Schema.Literal(...ProtocolVersion.modern, ...ProtocolVersion.legacy).annotations({
      description: "Speaks this revision of MCP and no other.",
      ...expectedWhole(`must be one of ${[...ProtocolVersion.modern, ...ProtocolVersion.legacy].join(", ")}`)
    })
  )
})

export type ServerEntry = typeof ServerEntry.Type

/** The names that an entry's fields may have. */
export const fields: ReadonlySet<string> = new Set(Object.keys(ServerEntry.fields))

/** The whole file. */
export const ConfigDocument = Schema.Struct({
  $schema: optional(Schema.String.annotations({ description: "The JSON Schema of this file, for editors." })),
  mcpServers: optional(
    Schema.Record({ key: Schema.String, value: ServerEntry }).annotations({
      description: "The servers by name: a tool is offered as mcp__{server}__{tool}."
    })
  )
})
