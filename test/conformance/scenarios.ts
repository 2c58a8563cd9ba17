/**
 * What a host does with the server of each scenario outside `auth/`: connect, look at what there is, use it.
 */
import * as Effect from "effect/Effect"
import { ClientFeatures, HttpTransport, type JsonRpc, McpClient, type McpError, Skills } from "harness9"

/** What the suite gives to the client under test. */
export interface Scenario {
  readonly name: string
  readonly url: string
  /** Told for some scenarios. */
  readonly context: unknown
}

type Use = (client: McpClient.Service, context: unknown) => Effect.Effect<unknown, McpError.McpError>

/** Connects as a program that can be asked for everything, and does what the scenario is about. */
export const run = ({ context, name, url }: Scenario): Effect.Effect<void, McpError.McpError> =>
  Effect.gen(function* () {
    const client = yield* McpClient.McpClient
    const use = Object.hasOwn(uses, name) ? uses[name] : undefined
    yield* (use ?? callEveryTool)(client, context)
  }).pipe(
    Effect.provide(McpClient.layer()),
    Effect.provide(HttpTransport.layer({ server: "conformance", url })),
    Effect.provideService(ClientFeatures.ClientFeatures, features)
  )

/** A user who agrees to everything and fills in nothing that is not asked for. */
const features: ClientFeatures.Service = {
  roots: { list: Effect.succeed([]) },
  sampling: {
    createMessage: () => Effect.succeed({ model: "conformance", content: [{ type: "text", text: "an answer" }] })
  },
  elicitation: {
    form: ({ fields }) =>
      Effect.succeed({
        action: "accept",
        content: Object.fromEntries(
          fields.flatMap((field) =>
            field.default === undefined && field.type === "boolean" ? [[field.name, true]] : []
          )
        )
      })
  }
}

const callEveryTool: Use = (client) =>
  Effect.flatMap(client.tools, (tools) =>
    Effect.forEach(tools, ({ inputSchema, name }) => client.callTool(name, exampleOf(inputSchema)), { discard: true })
  )

const useEverything: Use = (client, context) =>
  Effect.gen(function* () {
    yield* callEveryTool(client, context)
    for (const { uri } of yield* client.listResources) yield* client.readResource(uri)
    yield* client.listResourceTemplates
    for (const { name } of yield* client.listPrompts) yield* client.getPrompt(name)
  })

/** Connecting lists the tools, and with them schemas that point elsewhere; the suite watches whether anybody follows. */
const list: Use = (client) => client.tools

/** The calls that the suite prescribes. */
const callAsTold: Use = (client, context) =>
  Effect.forEach(toolCalls(context), ({ name, arguments: args }) => client.callTool(name, args), { discard: true })

/** A tool that asks back, while another one is called beside it, and a few that do it in other ways. */
const roundTrips: Use = (client) =>
  Effect.all(
    ["test_mrtr_echo_state", "test_mrtr_unrelated", "test_mrtr_no_state", "test_mrtr_no_result_type"].map((tool) =>
      client.callTool(tool, {})
    ),
    { concurrency: "unbounded" }
  )

/** Sends back the schema of a tool as it was received. */
const echoSchema: Use = (client) =>
  Effect.flatMap(client.tools, (tools) => {
    const focal = tools.find(({ name }) => name === "json_schema_2020_12_tool")
    return client.callTool("json_schema_echo", { schema: focal?.inputSchema })
  })

const listSkills: Use = (client) => Skills.list(client)

/** Reads every skill, and each one's other files only if its `SKILL.md` is what it was listed as. */
const readSkills: Use = (client) =>
  Effect.flatMap(Skills.list(client), ({ skills }) =>
    Effect.forEach(skills, (skill) =>
      Effect.forEach(skill.files ?? [skill], ({ uri }) => Skills.read(client, skill, uri)).pipe(
        Effect.catchTag("Unverified", ({ message }) => Effect.logInfo(message))
      )
    )
  )

const uses: Readonly<Record<string, Use>> = {
  "http-custom-headers": callAsTold,
  "http-standard-headers": useEverything,
  "json-schema-2020-12-preservation": echoSchema,
  "json-schema-ref-no-deref": list,
  "sep-2322-client-request-state": roundTrips,
  "sep-2640-client-no-prefetch": listSkills,
  "sep-2640-client-verify-digest": readSkills,
  "sep-2640-client-verify-frontmatter": readSkills,
  "sep-2640-client-verify-size": readSkills
}

interface ToolCall {
  readonly name: string
  readonly arguments: JsonRpc.JsonObject
}

const toolCalls = (context: unknown): ReadonlyArray<ToolCall> => {
  const { toolCalls } = context as { readonly toolCalls?: ReadonlyArray<ToolCall> } // the suite's contract
  return toolCalls ?? []
}

/** A value for each property that a schema requires. */
const exampleOf = ({ properties = {}, required = [] }: JsonRpc.JsonObject): JsonRpc.JsonObject => {
  const types = properties as Readonly<Record<string, { readonly type?: string }>> // the suite's own schemas are well-formed
  return Object.fromEntries(
    (required as ReadonlyArray<string>).map((name) => [name, examples[types[name]?.type ?? ""]])
  )
}

const examples: Readonly<Record<string, unknown>> = {
  array: [],
  boolean: true,
  integer: 1,
  null: null,
  number: 1,
  object: {},
  string: "text"
}
