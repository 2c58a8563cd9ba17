/**
 * `harness9 mcp serve`: all servers of the configuration as one MCP server.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type CliError, ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as GatewayApp from "../GatewayApp.ts"
import * as options from "../options.ts"
import { Output } from "../output/Output.ts"
import * as Servers from "../Servers.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "mcp serve",
  summary: "Serves all servers of the configuration as one MCP server, on stdin and stdout or over HTTP",
  flags: {
    ...options.connecting,
    toolTimeout: options.toolTimeout,
    http: Flag.text("http", "[HOST:]PORT", "Serve over streamable HTTP, at /mcp; default HOST: 127.0.0.1"),
    tokenEnv: Flag.text("token-env", "NAME", "Clients must send the token that this variable holds"),
    allowHost: Flag.texts("allow-host", "NAME", "A further name that clients may know the gateway by"),
    prefix: Flag.choice(
      "prefix",
      ["server", "none"],
      "How tools and prompts are named; none: by their own names where unique"
    ),
    search: Flag.toggle("search", "Offer search_tools and call_tool in place of all tools"),
    audit: Flag.text("audit", "FILE", "Add a line of JSON to FILE for each call of a tool")
  },
  args: {},
  examples: [
    ["harness9 mcp serve", "for a host that starts it"],
    ["harness9 mcp serve --http 8787 --audit calls.ndjson", "for the programs of this machine"],
    ["harness9 mcp serve --http 0.0.0.0:8787 --token-env GATEWAY_TOKEN", "for others too"]
  ],
  handler: (input) =>
    Effect.gen(function* () {
      const address = input.http === undefined ? undefined : yield* readAddress(input.http)
      const token = input.tokenEnv === undefined ? undefined : yield* readToken(input.tokenEnv)
      const { servers } = yield* Servers.load(input)
      const app = GatewayApp.layer(servers, { ...input, prefix: input.prefix ?? "server" })
      const serve = address === undefined ? onStdio : overHttp({ ...address, token, hosts: input.allowHost })
      return yield* Effect.provide(serve, app)
    })
})

const onStdio = Effect.gen(function* () {
  const StdioGateway = yield* Effect.promise(() => import("../../serve/StdioGateway.ts"))
  yield* StdioGateway.serve(yield* GatewayApp.start)
  return ExitCode.Done
})

const overHttp = (options: {
  readonly host: string
  readonly port: number
  readonly token: string | undefined
  readonly hosts: ReadonlyArray<string>
}) =>
  Effect.gen(function* () {
    const HttpGateway = yield* Effect.promise(() => import("../../serve/HttpGateway.ts"))
    const { note } = yield* Output
    yield* yield* GatewayApp.start
    const url = yield* Effect.mapError(HttpGateway.make(options), ({ hint, message }) => usage(message, hint))
    yield* note(`Serving at ${url}`)
    return yield* Effect.never
  })

const readAddress = (text: string): Effect.Effect<{ readonly host: string; readonly port: number }, CliError> =>
  Effect.suspend(() => {
    const match = /^(?:(.+):)?(\d{1,5})$/.exec(text)
    const port = Number(match?.[2])
    if (match === null || port > 65_535) return usage(`--http: "${text}" is no [HOST:]PORT`)
    return Effect.succeed({ host: (match[1] ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1"), port })
  })

const readToken = (name: string): Effect.Effect<string, CliError> =>
  Effect.suspend(() => {
    const token = process.env[name]
    return token === undefined || token === ""
      ? usage(`--token-env: the variable ${name} is not set`, `export ${name}=$(openssl rand -hex 32)`)
      : Effect.succeed(token)
  })
