/**
 * What client and server know of each other once they have agreed on a revision.
 */
import { isObject, type JsonObject } from "../../JsonRpc.ts"
import { McpError } from "../../McpError.ts"
import type { Implementation, ServerCapabilities } from "../../McpSchema.ts"
import type { Negotiation, ProtocolVersion } from "../../ProtocolVersion.ts"
import * as Field from "../Field.ts"
import * as Icons from "./Icons.ts"

export interface Agreement {
  readonly protocolVersion: ProtocolVersion
  readonly negotiation: Negotiation
  readonly serverInfo: Implementation
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
}

/** What the client says of itself. */
export interface Offer {
  readonly clientInfo: Implementation
  readonly capabilities: JsonObject
}

/** More of a name or a version tells nobody anything. */
const maxLabel = 200

/** The name and version of a server. */
export const readImplementation = (value: unknown): Implementation => {
  const info = Field.object(value) ?? {}
  const label = (field: unknown) => Field.string(field)?.slice(0, maxLabel)
  return {
    name: label(info.name) ?? "(unnamed)",
    version: label(info.version) ?? "(no version)",
    title: label(info.title),
    description: Field.string(info.description),
    websiteUrl: Field.string(info.websiteUrl),
    icons: Icons.read(info.icons)
  }
}

export const readCapabilities = (value: unknown): ServerCapabilities => {
  const declared = Field.object(value) ?? {}
  const tools = declaration(declared.tools)
  const resources = declaration(declared.resources)
  const prompts = declaration(declared.prompts)
  return {
    tools: tools && { listChanged: Field.boolean(tools.listChanged) },
    resources: resources && {
      listChanged: Field.boolean(resources.listChanged),
      subscribe: Field.boolean(resources.subscribe)
    },
    prompts: prompts && { listChanged: Field.boolean(prompts.listChanged) },
    logging: declaration(declared.logging),
    completions: declaration(declared.completions),
    tasks: Field.object(declared.tasks),
    extensions: Field.object(declared.extensions),
    experimental: Field.object(declared.experimental)
  }
}

/** A capability is declared by being there; some servers write `true` for `{}`. */
const declaration = (value: unknown): JsonObject | undefined => (value === true ? {} : Field.object(value))

/** The revisions that an error or result lists. */
export const listedVersions = (data: unknown, field: string): ReadonlyArray<unknown> => {
  const listed = isObject(data) ? data[field] : undefined
  return Array.isArray(listed) ? listed : []
}

/** No revision can be agreed on. */
export const failure = (server: string, message: string): McpError =>
  new McpError({ server, phase: "handshake", kind: "protocol", message })

/** A foreign version inside a sentence. */
export const shown = (version: unknown): string =>
  typeof version === "string" ? `revision ${version.slice(0, 40)}` : "no revision that can be read"
