/**
 * What a server offers beside tools: resources, prompts, completion, logging. A server that does not declare a feature
 * is not asked for it.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { ErrorCode, isObject, type JsonObject } from "../../JsonRpc.ts"
import type { Limits } from "../../Limits.ts"
import type * as McpClient from "../../McpClient.ts"
import { McpError } from "../../McpError.ts"
import type { ServerCapabilities } from "../../McpSchema.ts"
import type * as McpTransport from "../../McpTransport.ts"
import type { ProtocolVersion } from "../../ProtocolVersion.ts"
import * as Field from "../Field.ts"
import type { Announcements } from "./Announcements.ts"
import type { Cache } from "./Cache.ts"
import * as Pages from "./Pages.ts"
import * as PromptList from "./PromptList.ts"
import * as ResourceList from "./ResourceList.ts"

export interface Options {
  readonly server: string
  readonly protocolVersion: ProtocolVersion
  readonly capabilities: ServerCapabilities
  readonly request: McpTransport.Service["request"]
  readonly callOptions: (options: McpClient.CallOptions | undefined) => McpTransport.RequestOptions
  readonly listTimeout: Duration.Duration
  readonly limits: Limits
  readonly announcements: Announcements
  readonly cache: Cache
  readonly warn: (subject: string, warnings: ReadonlyArray<string>) => void
}

export type ServerFeatures = Pick<
  McpClient.Service,
  | "listResources"
  | "listResourceTemplates"
  | "readResource"
  | "resourceUpdates"
  | "resourcesChanged"
  | "listPrompts"
  | "promptsChanged"
  | "getPrompt"
  | "complete"
  | "logMessages"
  | "notifications"
>

export const make = (options: Options): ServerFeatures => {
  const { announcements, cache, callOptions, capabilities, limits, listTimeout, protocolVersion, request, server } =
    options
  // The first revision has no word for it.
  const mayComplete = capabilities.completions !== undefined || protocolVersion === "2024-11-05"

  /** Every entry of a list that can be used. */
  const list = <A>(
    declared: unknown,
    method: string,
    field: string,
    read: (entry: JsonObject) => A | undefined
  ): Effect.Effect<ReadonlyArray<A>, McpError> => {
    if (declared === undefined) return Effect.succeed([])
    const pages = Pages.collect({
      server,
      method,
      field,
      limits,
      request: (method, params) => request(method, params, { phase: "list", timeout: listTimeout })
    })
    return cache.through(
      method,
      Effect.map(pages, (pages) => {
        const { entries, unusable } = readEntries(pages.entries, read)
        const leftOut = unusable === 0 ? [] : [`${method}: ${unusable} of ${pages.entries.length} could not be read`]
        options.warn(method, [...pages.warnings, ...leftOut])
        return { value: entries, ttlMs: pages.ttlMs }
      })
    )
  }

  const needed = <A>(method: string, field: string, value: A | undefined): Effect.Effect<A, McpError> => {
    const message = `the answer to ${method} has no ${field}`
    return value === undefined
      ? Effect.fail(new McpError({ server, phase: "call", kind: "protocol", message }))
      : Effect.succeed(value)
  }

  const told = (method: string) => Stream.map(announcements.of(method), () => undefined)

  return {
    listResources: list(capabilities.resources, "resources/list", "resources", ResourceList.readResource),
    listResourceTemplates: list(
      capabilities.resources,
      "resources/templates/list",
      "resourceTemplates",
      ResourceList.readTemplate
    ),
    readResource: (uri, options) =>
      cache.through(
        `resources/read ${uri}`,
        Effect.flatMap(request("resources/read", { uri }, callOptions(options)), (result) =>
          Effect.map(needed("resources/read", "contents", ResourceList.readContents(result)), (value) => ({
            value,
            ttlMs: isObject(result) ? Field.number(result.ttlMs) : undefined
          }))
        )
      ),
    resourceUpdates: Stream.filterMap(announcements.of("notifications/resources/updated"), ({ params }) =>
      Option.fromNullable(Field.string(params?.uri))
    ),
    resourcesChanged: told("notifications/resources/list_changed"),
    listPrompts: list(capabilities.prompts, "prompts/list", "prompts", PromptList.readPrompt),
    promptsChanged: told("notifications/prompts/list_changed"),
    getPrompt: (name, args = {}, options) =>
      Effect.flatMap(request("prompts/get", { name, arguments: args }, callOptions(options)), (result) =>
        needed("prompts/get", "messages", PromptList.readResult(result))
      ),
    complete: (ref, argument, known) => {
      if (!mayComplete) return Effect.succeed(PromptList.noCompletion)
      const context = known === undefined ? undefined : { context: { arguments: known } }
      return request("completion/complete", { ref, argument, ...context }, { timeout: listTimeout }).pipe(
        Effect.map(PromptList.readCompletion),
        Effect.catchIf(isUnknownMethod, () => Effect.succeed(PromptList.noCompletion))
      )
    },
    logMessages: announcements.logMessages,
    notifications: announcements.all
  }
}

const isUnknownMethod = ({ code }: McpError): boolean => code === ErrorCode.MethodNotFound

/** The entries that can be used, and how many cannot. */
const readEntries = <A>(entries: ReadonlyArray<unknown>, read: (entry: JsonObject) => A | undefined) => {
  const usable: Array<A> = []
  for (const entry of entries) {
    const value = isObject(entry) ? read(entry) : undefined
    if (value !== undefined) usable.push(value)
  }
  return { entries: usable, unusable: entries.length - usable.length }
}
