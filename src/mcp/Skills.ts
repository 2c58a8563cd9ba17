/**
 * The skills extension (SEP-2640, `io.modelcontextprotocol/skills`): instructions for a model, with the files that belong to them,
 * served as resources.
 *
 * Listing reads no file. A file is read when it is needed, and used only if it is what its entry says: the listed file of the skill,
 * of the listed size and digest, and for a `SKILL.md` with the listed front matter. That shows that entry and file fit together,
 * not that either can be trusted: what a skill says is a server's word.
 *
 * ```ts
 * const { skills } = yield* Skills.list(client)
 * const manual = yield* Skills.read(client, skills[0])
 * ```
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pages from "./internal/client/Pages.ts"
import { readContents } from "./internal/client/ResourceList.ts"
import * as FrontMatter from "./internal/FrontMatter.ts"
import * as SkillEntry from "./internal/SkillEntry.ts"
import { isObject, type JsonObject } from "./JsonRpc.ts"
import type * as McpClient from "./McpClient.ts"
import { McpError } from "./McpError.ts"
import type { ResourceContents } from "./McpSchema.ts"

/**
 * The id under which a server declares the extension.
 *
 * @since 0.1.0
 * @category constants
 */
export const extension = "io.modelcontextprotocol/skills"

/**
 * A skill as its server lists it (an extension of 2026-07-28). It is known by its URI: names need not be unique.
 *
 * @since 0.1.0
 * @category models
 */
export interface Skill {
  /** Of its `SKILL.md`. */
  readonly uri: string
  /** For people and models; another skill may have the same. */
  readonly name: string
  /** What it is for, and when to use it. */
  readonly description: string
  /** The front matter of its `SKILL.md` as JSON. None of its fields widens what a model may do. */
  readonly frontmatter: JsonObject
  /** Every file of the skill, its `SKILL.md` too; none for a skill that is made when it is asked for, which cannot be verified. */
  readonly files: ReadonlyArray<SkillFile> | undefined
}

/**
 * A file of a skill (an extension of 2026-07-28).
 *
 * @since 0.1.0
 * @category models
 */
export interface SkillFile {
  /** What the file is read by. */
  readonly uri: string
  /** `sha256:` and the digest of the bytes in hexadecimal digits. */
  readonly digest: string
  /** In bytes. Servers of early drafts of the extension leave it out. */
  readonly size?: number | undefined
}

/**
 * The skills of a server: a listing may be empty or partial, and others can be had by their URI.
 *
 * @since 0.1.0
 * @category models
 */
export interface SkillList {
  readonly skills: ReadonlyArray<Skill>
  /** What was left out, and why. */
  readonly warnings: ReadonlyArray<string>
}

/**
 * A file is not what its skill's entry says: changed since, damaged, or exchanged. Its content must not be used. A fresh entry
 * (`get`) tells what the server has now.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unverified extends Data.TaggedError("Unverified")<{
  readonly server: string
  /** The URI of the skill. */
  readonly skill: string
  /** The URI of the file. */
  readonly file: string
  /** What does not fit: the file is none of the skill's, or has another size, digest or front matter. */
  readonly check: "file" | "size" | "digest" | "frontmatter"
  readonly message: string
}> {}

/**
 * Whether the server declares the extension.
 *
 * @since 0.1.0
 * @category getters
 */
export const isSupported = ({ capabilities }: Pick<McpClient.Service, "capabilities">): boolean =>
  capabilities.extensions?.[extension] !== undefined

/**
 * The skills that the server lists, without reading any of them. Empty when it does not declare the extension.
 *
 * @since 0.1.0
 * @category operations
 */
export const list = (client: McpClient.Service): Effect.Effect<SkillList, McpError> => {
  if (!isSupported(client)) return Effect.succeed({ skills: [], warnings: [] })
  const pages = Pages.collect({
    server: client.server,
    method: "skills/list",
    field: "skills",
    request: (method, params) => client.request(method, params, { phase: "list", timeout: listTimeout })
  })
  return Effect.map(pages, ({ entries, warnings }) => {
    const read = entries.map(SkillEntry.read)
    return {
      skills: read.filter((entry) => typeof entry !== "string"),
      warnings: [
        ...warnings,
        ...read.flatMap((entry, at) =>
          typeof entry === "string" ? [`skill ${at + 1} of the list was left out: ${entry}`] : []
        )
      ]
    }
  })
}

/**
 * The present entry of one skill, listed or not, by the URI of its `SKILL.md`.
 *
 * @since 0.1.0
 * @category operations
 */
export const get = Effect.fnUntraced(function* (
  client: McpClient.Service,
  uri: string
): Effect.fn.Return<Skill, McpError> {
  const { server } = client
  if (!isSupported(client)) return yield* broken(server, "the server serves no skills")
  const result = yield* client.request("skills/get", { uri }, { timeout: readTimeout })
  const entry = SkillEntry.read(isObject(result) ? result.skill : undefined)
  if (typeof entry === "string") return yield* broken(server, `the skill cannot be used: ${entry}`)
  return entry.uri === uri ? entry : yield* broken(server, "the server answered with another skill than was asked for")
})

/**
 * Reads a file of the skill, its `SKILL.md` unless another one is named, and verifies it.
 *
 * @since 0.1.0
 * @category operations
 */
export const read = Effect.fnUntraced(function* (
  client: McpClient.Service,
  skill: Skill,
  uri: string = skill.uri
): Effect.fn.Return<ResourceContents, McpError | Unverified> {
  const { server } = client
  const unverified = (check: Unverified["check"], message: string) =>
    new Unverified({ server, skill: skill.uri, file: uri, check, message: `${message}; it is not used` })
  const file = skill.files?.find((file) => file.uri === uri)
  if (file === undefined && (skill.files !== undefined || !SkillEntry.isWithin(skill.uri, uri))) {
    return yield* unverified("file", `"${uri}" is no file of the skill "${skill.name}"`)
  }

  // Not by way of the cache: what is kept may be older than the entry.
  const result = yield* client.request("resources/read", { uri }, { timeout: readTimeout })
  const contents = readContents(result) ?? []
  const found = contents.find((content) => content.uri === uri) ?? (contents.length === 1 ? contents[0] : undefined)
  const bytes = found && bytesOf(found)
  if (found === undefined || bytes === undefined) return yield* broken(server, `reading "${uri}" gave nothing`)

  const { digest, size } = file ?? {}
  if (size !== undefined && size !== bytes.byteLength) {
    return yield* unverified("size", `"${uri}" has ${bytes.byteLength} bytes, and its skill's entry says ${size}`)
  }
  if (digest !== undefined && digest !== `sha256:${createHash("sha256").update(bytes).digest("hex")}`) {
    return yield* unverified("digest", `"${uri}" does not have the digest that its skill's entry says`)
  }
  if (uri === skill.uri && !(yield* FrontMatter.says(bytes.toString("utf8"), skill.frontmatter))) {
    return yield* unverified("frontmatter", `the front matter of "${uri}" is not what its skill's entry says`)
  }
  return found
})

const listTimeout = Duration.seconds(30)
const readTimeout = Duration.seconds(60)

const bytesOf = ({ blob, text }: ResourceContents): Buffer | undefined => {
  if (text !== undefined) return Buffer.from(text, "utf8")
  return blob === undefined ? undefined : Buffer.from(blob, "base64")
}

const broken = (server: string, message: string): McpError =>
  new McpError({ server, phase: "call", kind: "protocol", message })
