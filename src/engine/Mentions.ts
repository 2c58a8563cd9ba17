/**
 * Resources that a prompt mentions: `@server:uri`. What they hold is put before the prompt, within the budget of a tool's output.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as McpClient from "../mcp/McpClient.ts"
import type { McpError } from "../mcp/McpError.ts"
import type * as McpManager from "../mcp/McpManager.ts"
import type { ResourceContents } from "../mcp/McpSchema.ts"
import { oneLine } from "../mcp/VisibleText.ts"
import * as ResultText from "../tool/internal/ResultText.ts"
import * as OutputBudget from "../tool/OutputBudget.ts"
import * as Tool from "../tool/Tool.ts"
import * as UriTemplate from "./internal/UriTemplate.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Mention {
  readonly server: string
  readonly uri: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Attached {
  readonly texts: ReadonlyArray<string>
  /** What could not be read, and why. */
  readonly problems: ReadonlyArray<string>
}

/**
 * The mentions of a text, each once. `servers` are the names that count: `@user:password` is none.
 *
 * @since 0.1.0
 * @category parsing
 */
export const find = (text: string, servers: ReadonlyArray<string>): ReadonlyArray<Mention> => {
  const found = new Map<string, Mention>()
  for (const [, words = ""] of text.matchAll(/(?<=^|[\s("'])@(\S+)/g)) {
    const server = servers.find((name) => words.startsWith(`${name}:`))
    if (server === undefined) continue
    // A mention may end a sentence, or stand in brackets.
    const uri = words.slice(server.length + 1).replace(/[.,;:!?)"'\]]+$/, "")
    if (uri !== "") found.set(`${server}:${uri}`, { server, uri })
  }
  return [...found.values()]
}

/**
 * Reads what the text mentions.
 *
 * @since 0.1.0
 * @category operations
 */
export const read = Effect.fnUntraced(function* (manager: McpManager.Service, text: string) {
  const mentions = text.includes("@") ? find(text, yield* serversOf(manager)) : []
  const [problems, texts] = yield* Effect.partition(mentions, (mention) => readOne(manager, mention), {
    concurrency: "unbounded"
  })
  const attached: Attached = { texts, problems }
  return attached
})

const serversOf = (manager: McpManager.Service): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(manager.statuses, (statuses) =>
    statuses.flatMap((status) =>
      status._tag === "Connected" && status.capabilities.resources !== undefined ? [status.name] : []
    )
  )

const readOne = (manager: McpManager.Service, { server, uri }: Mention): Effect.Effect<string, string> =>
  Effect.flatMap(manager.client(server), (client) => client.readResource(uri)).pipe(
    Effect.mapError(({ message }) => `@${server}:${uri} could not be read: ${message}`),
    Effect.flatMap((contents) => OutputBudget.apply(Tool.text(contents.map(textOf).join("\n")))),
    Effect.map(({ text }) => `The resource @${server}:${uri} holds:\n${text}`)
  )

const textOf = (resource: ResourceContents): string =>
  ResultText.toToolResult({ isError: false, text: "", content: [{ type: "resource", resource }], raw: [] }).text

/**
 * What can be mentioned.
 *
 * @since 0.1.0
 * @category models
 */
export interface Candidate {
  /** Without the `@`. */
  readonly text: string
  readonly help: string
}

/** More than a person looks through. */
const limit = 200

/**
 * The mentions that begin like what is typed behind the `@`: first servers, then their resources and families of resources.
 *
 * @since 0.1.0
 * @category operations
 */
export const complete = Effect.fnUntraced(function* (manager: McpManager.Service, prefix: string) {
  const servers = yield* serversOf(manager)
  const server = servers.find((name) => prefix.startsWith(`${name}:`))
  if (server === undefined) {
    const begun = servers.filter((name) => name.startsWith(prefix))
    return begun.map((name): Candidate => ({ text: `${name}:`, help: "resources of the server" }))
  }
  const uri = prefix.slice(server.length + 1)
  const found = yield* Effect.flatMap(manager.client(server), (client) => resources(client, uri)).pipe(
    Effect.orElseSucceed((): ReadonlyArray<Candidate> => [])
  )
  return found.slice(0, limit).map(({ help, text }): Candidate => ({ text: `${server}:${text}`, help: oneLine(help) }))
})

const resources = Effect.fnUntraced(function* (client: McpClient.Service, typed: string) {
  const listed = yield* client.listResources
  const begun = listed.filter(({ uri }) => uri.startsWith(typed) && !/\s/.test(uri))
  const families = yield* Effect.orElseSucceed(client.listResourceTemplates, () => [])
  const filled = yield* Effect.forEach(families, ({ description, name, title, uriTemplate }) =>
    Effect.map(uris(client, uriTemplate, typed), (texts) =>
      texts.map((text): Candidate => ({ text, help: title ?? description ?? name }))
    )
  )
  const single = begun.map(
    ({ description, name, title, uri }): Candidate => ({ text: uri, help: title ?? description ?? name })
  )
  const known = new Set(single.map(({ text }) => text))
  return [...single, ...filled.flat().filter(({ text }) => !known.has(text))]
})

/** The template filled in as far as is typed, and one step further: by its own text, or by what the server proposes. */
const uris = (
  client: McpClient.Service,
  template: string,
  typed: string
): Effect.Effect<ReadonlyArray<string>, McpError> => {
  const place = UriTemplate.place(template, typed)
  if (place === undefined) return Effect.succeed([])
  if (place._tag === "Text") return Effect.succeed([place.text])
  return Effect.map(
    client.complete({ type: "ref/resource", uri: template }, { name: place.variable, value: place.value }, place.known),
    ({ values }) => values.map((value) => `${place.before}${value}${place.after}`)
  )
}
