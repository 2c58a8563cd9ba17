/**
 * All servers of the configuration as one: what a client asks finds its server, and comes back as the server said it.
 *
 * It knows no transport: `StdioGateway` and `HttpGateway` bring clients to it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as ServerInstructions from "../engine/ServerInstructions.ts"
import { ErrorCode, type ErrorObject, isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import type { McpError } from "../mcp/McpError.ts"
import * as McpManager from "../mcp/McpManager.ts"
import type { Tool } from "../tool/Tool.ts"
import * as ToolRegistry from "../tool/ToolRegistry.ts"
import * as Answer from "./Answer.ts"
import type * as Audit from "./Audit.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Clients from "./Clients.ts"
import * as FirstThatKnows from "./internal/FirstThatKnows.ts"
import * as ListChanges from "./internal/ListChanges.ts"
import * as Progress from "./internal/Progress.ts"
import * as Rounds from "./internal/Rounds.ts"
import * as SearchTools from "./internal/SearchTools.ts"
import type { Rules } from "./Rules.ts"
import * as Upstreams from "./Upstreams.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly prefix: Catalogue.Prefix
  /** Offer `search_tools` and `call_tool` in place of all tools. */
  readonly search: boolean
  readonly rules: Rules
  readonly audit: Audit.Audit
  /** How many requests a client may have open. Default: 200. */
  readonly maxOpen?: number | undefined
}

/**
 * A request, with what its transport knows of it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Request extends Omit<Clients.Call, "ask"> {
  readonly method: string
  readonly params: JsonObject
  /** How the client is asked in the middle of the request; a client of the stateless revision cannot be. */
  readonly ask: Clients.Call["ask"] | undefined
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly handle: (request: Request) => Effect.Effect<Answer.Answer, ErrorObject>
  /** What the servers that are connected say about their use. */
  readonly instructions: Effect.Effect<string>
  /** The client wants to be told when the resource changes. Whether a server was found that tells. */
  readonly subscribe: (client: Clients.Client, uri: string) => Effect.Effect<void, ErrorObject>
  readonly unsubscribe: (client: Clients.Client, uri: string) => Effect.Effect<void>
  /** The client is gone: nothing is told to it any more, and what it alone wanted to know is not asked for any longer. */
  readonly leave: (client: Clients.Client) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Gateway extends Context.Tag("harness9/serve/Gateway")<Gateway, Service>() {}

/**
 * What clients are told that the gateway can do.
 *
 * @since 0.1.0
 * @category constants
 */
export const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {}
}

/** What all servers together may say to a client. */
const longestInstructions = 20_000

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Service, never, McpManager.McpManager | ToolRegistry.ToolRegistry | Clients.Clients | Scope.Scope> {
  const manager = yield* McpManager.McpManager
  const registry = yield* ToolRegistry.ToolRegistry
  const clients = yield* Clients.Clients
  const upstreams = yield* Upstreams.make(manager)
  const rounds = yield* Rounds.make
  const { audit, maxOpen = 200, rules } = options
  const catalogue = Catalogue.make(upstreams, options.prefix)
  const open = new WeakMap<Clients.Client, number>()

  const offered = Effect.map(registry.snapshot, (set) => {
    const tools = set.tools.filter(rules.isOffered)
    return tools.length === set.tools.length ? set : { ...set, tools }
  })

  /** Works for the client: what is asked meanwhile is asked of it, during the request or as the request's result. */
  const working = (
    request: Request,
    work: (call: Clients.Call) => Effect.Effect<Answer.Answer, ErrorObject>
  ): Effect.Effect<Answer.Answer, ErrorObject> => {
    const { ask, notify, params } = request
    if (ask !== undefined) return work({ ...request, ask })
    const responses = isObject(params.inputResponses) ? params.inputResponses : {}
    return (
      rounds.resume(params.requestState, responses, notify) ??
      rounds.run(notify, (asking) => work({ ...request, ...asking }))
    )
  }

  const attempt = (
    server: string,
    method: string,
    params: JsonObject,
    call: Clients.Call,
    repeatable = true
  ): Effect.Effect<Answer.Answer, McpError> => {
    const onProgress = Progress.telling(params, call.notify)
    const sent = upstreams.forward(server, method, params, call, { repeatable, onProgress })
    return Effect.map(clients.during(call, server, sent), ({ client, result }) =>
      Answer.make(result, { server: client.negotiation.era, client: call.client.era })
    )
  }

  const forward = (...args: Parameters<typeof attempt>) => Effect.mapError(attempt(...args), Answer.ofError)

  const callTool = (request: Request) =>
    Effect.flatMap(offered, (set): Effect.Effect<Answer.Answer, ErrorObject> => {
      const all = catalogue.offered(set)
      const params = options.search ? SearchTools.unwrapped(request.params) : request.params
      const args = isObject(params.arguments) ? params.arguments : {}
      if (options.search && params.name === SearchTools.search) {
        return Effect.map(SearchTools.find(args, all), Answer.own)
      }
      const name = String(params.name)
      const found = all.get(name)
      const reason = found === undefined ? absence(name, set) : rules.forbids(found.tool, args)
      const subject = {
        client: request.client.name(),
        tool: found?.own ?? name,
        server: found?.server,
        arguments: args
      }
      if (found === undefined || reason !== undefined) {
        return audit.recorded(subject, invalid(`Unknown tool: ${name}${reason === undefined ? "" : `: ${reason}`}`))
      }
      const { own, server, tool } = found
      const sent = working(request, (call) =>
        forward(server, "tools/call", { ...params, name: own }, call, isRepeatable(tool))
      )
      return audit.recorded(
        subject,
        Effect.map(sent, (answer) => ({ ...answer, outputSchema: tool.outputSchema }))
      )
    })

  const getPrompt = (request: Request) =>
    Effect.flatMap(catalogue.findPrompt(String(request.params.name)), (found) =>
      found === undefined
        ? invalid(`Unknown prompt: ${String(request.params.name)}`)
        : working(request, (call) => forward(found.server, "prompts/get", { ...request.params, name: found.own }, call))
    )

  /** A server that does not know the resource leaves it to the next. */
  const readResource = (request: Request) =>
    Effect.flatMap(catalogue.findResource(String(request.params.uri)), (servers) =>
      working(request, (call) =>
        firstThatKnows(servers, String(request.params.uri), (server) =>
          attempt(server, "resources/read", request.params, call)
        )
      )
    )

  const complete = (request: Request) =>
    Effect.gen(function* () {
      const { ref } = request.params
      const reference = isObject(ref) ? ref : {}
      const prompt = typeof reference.name === "string" ? yield* catalogue.findPrompt(reference.name) : undefined
      const server = prompt?.server ?? (yield* catalogue.findTemplate(String(reference.uri)))
      if (server === undefined) return yield* invalid("nothing to complete is known by this reference")
      const params =
        prompt === undefined ? request.params : { ...request.params, ref: { ...reference, name: prompt.own } }
      return yield* working(request, (call) => forward(server, "completion/complete", params, call))
    })

  const subscribe: Service["subscribe"] = (client, uri) =>
    client.subscriptions.has(uri)
      ? Effect.void
      : Effect.flatMap(catalogue.findResource(uri), (servers) =>
          firstThatKnows(servers, uri, (server) =>
            Effect.map(upstreams.subscribe(server, uri), () => {
              client.subscriptions.set(uri, server)
            })
          )
        )

  const unsubscribe: Service["unsubscribe"] = (client, uri) =>
    Effect.suspend(() => {
      const server = client.subscriptions.get(uri)
      client.subscriptions.delete(uri)
      return server === undefined ? Effect.void : Effect.ignore(upstreams.unsubscribe(server, uri))
    })

  const listed = (field: string, entries: Effect.Effect<ReadonlyArray<JsonObject>>) =>
    Effect.map(entries, (all) => Answer.own({ [field]: all }))

  const tools = Effect.flatMap(offered, (set) =>
    options.search ? Effect.succeed(SearchTools.tools(catalogue.offered(set).size)) : catalogue.tools(set)
  )

  const route = (request: Request): Effect.Effect<Answer.Answer, ErrorObject> => {
    const { client, params } = request
    switch (request.method) {
      case "tools/list":
        return listed("tools", tools)
      case "tools/call":
        return callTool(request)
      case "prompts/list":
        return listed("prompts", catalogue.prompts)
      case "prompts/get":
        return getPrompt(request)
      case "resources/list":
        return listed("resources", catalogue.resources)
      case "resources/templates/list":
        return listed("resourceTemplates", catalogue.templates)
      case "resources/read":
        return readResource(request)
      case "resources/subscribe":
        return Effect.as(subscribe(client, String(params.uri)), Answer.own({}))
      case "resources/unsubscribe":
        return Effect.as(unsubscribe(client, String(params.uri)), Answer.own({}))
      case "completion/complete":
        return complete(request)
      case "logging/setLevel":
        client.logLevel = params.level
        return Effect.as(upstreams.wantLogs(params.level), Answer.own({}))
      default:
        return Effect.fail({ code: ErrorCode.MethodNotFound, message: "Method not found" })
    }
  }

  yield* ListChanges.tell(clients, registry, upstreams)

  return {
    handle: (request) =>
      Effect.suspend(() => {
        const { client, logLevel } = request
        const count = open.get(client) ?? 0
        if (count >= maxOpen) return Effect.fail(tooMany(maxOpen))
        open.set(client, count + 1)
        const made =
          logLevel === undefined ? route(request) : Effect.zipRight(upstreams.wantLogs(logLevel), route(request))
        return Effect.ensuring(
          made,
          Effect.sync(() => open.set(client, (open.get(client) ?? 1) - 1))
        )
      }),
    instructions: Effect.map(manager.statuses, (all) =>
      all.flatMap(ServerInstructions.of).join("\n\n").slice(0, longestInstructions)
    ),
    subscribe,
    unsubscribe,
    leave: (client) =>
      Effect.suspend(() => {
        clients.remove(client)
        return Effect.forEach([...client.subscriptions.keys()], (uri) => unsubscribe(client, uri), { discard: true })
      })
  }
})

/**
 * A gateway to the Manager's servers.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options) => Layer.scoped(Gateway, make(options))

/** The answer of the first of the servers that knows the resource. */
const firstThatKnows = <A>(
  [first, ...others]: ReadonlyArray<string>,
  uri: string,
  request: (server: string) => Effect.Effect<A, McpError>
): Effect.Effect<A, ErrorObject> =>
  first === undefined
    ? invalid(`no server has the resource ${uri}`)
    : Effect.mapError(FirstThatKnows.ask([first, ...others], request), Answer.ofError)

const isRepeatable = ({ hints }: Tool): boolean => hints.readOnly || hints.idempotent

/** Why a tool that there is is not offered. */
const absence = (name: string, { skipped }: ToolRegistry.ToolSet): string | undefined =>
  skipped.find(({ tool }) => tool.name === name)?.reason

const invalid = (message: string): Effect.Effect<never, ErrorObject> =>
  Effect.fail({ code: ErrorCode.InvalidParams, message })

const tooMany = (maxOpen: number): ErrorObject => ({
  code: ErrorCode.InternalError,
  message: `more than ${maxOpen} requests of this client are open`
})
