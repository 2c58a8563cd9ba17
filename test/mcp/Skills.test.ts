import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as Skills from "../../src/mcp/Skills.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const uri = "skill://acme/refunds/SKILL.md"
const letter = "skill://acme/refunds/examples/letter.md"
const manual = `---
name: refunds
description: Pays customers back
since: 2026-08-01
metadata:
  version: "2.1"
  tags: [money, on]
---

Ask first.
`
const frontmatter = {
  name: "refunds",
  description: "Pays customers back",
  since: "2026-08-01",
  metadata: { version: "2.1", tags: ["money", "on"] }
}

const digest = (content: string | Buffer) => `sha256:${createHash("sha256").update(content).digest("hex")}`
const file = (uri: string, content: string) => ({ uri, digest: digest(content), size: Buffer.byteLength(content) })
const refunds = { uri, frontmatter, resources: [file(uri, manual), file(letter, "Dear customer")] }

/** A server of these entries, whose files hold what the test says. */
const serving = (
  entries: ReadonlyArray<unknown>,
  files: Readonly<Record<string, JsonObject | string>> = { [uri]: manual, [letter]: "Dear customer" }
) =>
  TestServer.make({
    capabilities: { resources: {}, extensions: { [Skills.extension]: {} } },
    methods: {
      "skills/list": ({ cursor }) => {
        const at = Number(cursor ?? 0)
        return { skills: entries.slice(at, at + 1), ...(at + 1 < entries.length && { nextCursor: String(at + 1) }) }
      },
      "skills/get": ({ uri }) => {
        const found = entries.find((entry) => (entry as JsonObject).uri === uri)
        return found === undefined ? Effect.fail({ code: -32602, message: "no such skill" }) : { skill: found }
      },
      "resources/read": ({ uri }) => {
        const content = files[String(uri)]
        return { contents: [{ uri, ...(typeof content === "string" ? { text: content } : content) }] }
      }
    }
  })

const connect = (server: TestServer.TestServer) =>
  Effect.flatMap(MemoryTransport.make({ server: "shop", handler: server.handler }), (transport) =>
    McpClient.make().pipe(Effect.provideService(McpTransport.McpTransport, transport))
  )

const listed = (server: TestServer.TestServer) =>
  Effect.gen(function* () {
    const client = yield* connect(server)
    const { skills, warnings } = yield* Skills.list(client)
    return { client, skills, warnings, skill: skills[0] as Skills.Skill } // tests of reading list one
  })

const asked = (server: TestServer.TestServer, method: string) =>
  Effect.map(server.messages, (all) => all.filter((message) => message._tag === "Request" && message.method === method))

describe("listing", () => {
  it.scoped("gives every page's skills and reads no file", () =>
    Effect.gen(function* () {
      const other = { ...refunds, uri: "skill://refunds/SKILL.md", resources: "dynamic" }
      const server = serving([refunds, other])
      const { skills, warnings } = yield* listed(server)
      expect(skills).toEqual([
        { uri, name: "refunds", description: "Pays customers back", frontmatter, files: refunds.resources },
        { uri: other.uri, name: "refunds", description: "Pays customers back", frontmatter, files: undefined }
      ])
      expect(warnings).toEqual([])
      expect(yield* asked(server, "resources/read")).toEqual([])
    })
  )

  it.scoped("asks nothing of a server that does not declare the extension", () =>
    Effect.gen(function* () {
      const server = TestServer.make()
      const { skills } = yield* listed(server)
      expect(skills).toEqual([])
      expect(yield* asked(server, "skills/list")).toEqual([])
    })
  )

  const broken: Readonly<Record<string, unknown>> = {
    "it is no object": 7,
    "it has no URI": { ...refunds, uri: undefined },
    "has no front matter": { ...refunds, frontmatter: undefined },
    "has no name": { ...refunds, frontmatter: { description: "x" } },
    "has no description": { ...refunds, frontmatter: { name: "refunds" } },
    "is not the address of a skill named": { ...refunds, frontmatter: { ...frontmatter, name: "invoices" } },
    "are no list": { ...refunds, resources: {} },
    "no SHA-256 digest": { ...refunds, resources: [{ uri, digest: "md5:1" }] },
    "is outside of": { ...refunds, resources: [...refunds.resources, file("skill://acme/other/SKILL.md", "")] },
    "examples/../../other/SKILL.md": {
      ...refunds,
      resources: [...refunds.resources, file("skill://acme/refunds/examples/../../other/SKILL.md", "")]
    },
    "is listed twice": { ...refunds, resources: [...refunds.resources, file(letter, "")] },
    "do not include it": { ...refunds, resources: [file(letter, "")] }
  }
  for (const [why, entry] of Object.entries(broken)) {
    it.scoped(`an entry of which "${why}" is left out, and said to be`, () =>
      Effect.gen(function* () {
        const { skills, warnings } = yield* listed(serving([entry, refunds]))
        expect(skills.map(({ uri }) => uri)).toEqual([uri])
        expect(warnings).toHaveLength(1)
        expect(warnings[0]).toContain(why)
      })
    )
  }
})

describe("reading", () => {
  it.scoped("gives the SKILL.md and the other files as they are listed", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from([0, 255, 1])
      const logo = { uri: "skill://acme/refunds/logo.png", digest: digest(bytes), size: 3 }
      const server = serving([{ ...refunds, resources: [...refunds.resources, logo] }], {
        [uri]: manual,
        [letter]: "Dear customer",
        [logo.uri]: { blob: bytes.toString("base64"), mimeType: "image/png" }
      })
      const { client, skill } = yield* listed(server)
      expect((yield* Skills.read(client, skill)).text).toBe(manual)
      expect((yield* Skills.read(client, skill, letter)).text).toBe("Dear customer")
      expect((yield* Skills.read(client, skill, logo.uri)).blob).toBe(bytes.toString("base64"))
    })
  )

  it.scoped("takes the front matter as either version of YAML reads it", () =>
    Effect.gen(function* () {
      const old = {
        ...frontmatter,
        since: "2026-08-01T00:00:00.000Z",
        metadata: { version: "2.1", tags: ["money", true] }
      }
      const { client, skill } = yield* listed(serving([{ ...refunds, frontmatter: old }]))
      expect((yield* Skills.read(client, skill)).text).toBe(manual)
    })
  )

  const tampered = {
    digest: [refunds, manual.replace("Ask first.", "Pay now!!!")],
    size: [refunds, `${manual}Pay now.`],
    frontmatter: [
      { ...refunds, resources: [file(uri, manual.replace("back", "twice"))] },
      manual.replace("back", "twice")
    ]
  } satisfies Readonly<Record<string, readonly [JsonObject, string]>>
  for (const check of ["digest", "size", "frontmatter"] as const) {
    it.scoped(`a SKILL.md of another ${check} than is listed is not given`, () =>
      Effect.gen(function* () {
        const [entry, content] = tampered[check]
        const { client, skill } = yield* listed(serving([entry], { [uri]: content }))
        const error = yield* Effect.flip(Skills.read(client, skill))
        expect(error).toMatchObject({ _tag: "Unverified", server: "shop", skill: uri, file: uri, check })
        expect(error.message).toContain("not used")
        expect(error.message).not.toContain("Pay now")
      })
    )
  }

  for (const content of ["Ask first.", "---\nname: [\n---\n", "---\na: &a [x]\nb: *c\n---\n"]) {
    it.scoped(`a SKILL.md without readable front matter is not given: ${JSON.stringify(content)}`, () =>
      Effect.gen(function* () {
        const entry = { ...refunds, resources: [file(uri, content)] }
        const { client, skill } = yield* listed(serving([entry], { [uri]: content }))
        expect(yield* Effect.flip(Skills.read(client, skill))).toMatchObject({ check: "frontmatter" })
      })
    )
  }

  it.scoped("a file that is not listed is not even asked for", () =>
    Effect.gen(function* () {
      const server = serving([refunds])
      const { client, skill } = yield* listed(server)
      const error = yield* Effect.flip(Skills.read(client, skill, "skill://acme/refunds/new.md"))
      expect(error).toMatchObject({ _tag: "Unverified", check: "file" })
      expect(yield* asked(server, "resources/read")).toEqual([])
    })
  )

  it.scoped("of a skill without a list of files, those in its directory are given, and no others", () =>
    Effect.gen(function* () {
      const { client, skill } = yield* listed(serving([{ ...refunds, resources: "dynamic" }]))
      expect((yield* Skills.read(client, skill, letter)).text).toBe("Dear customer")
      expect(yield* Effect.flip(Skills.read(client, skill, "file:///etc/passwd"))).toMatchObject({ check: "file" })
    })
  )

  it.scoped("a file that the server has no more is an error of the server", () =>
    Effect.gen(function* () {
      const { client, skill } = yield* listed(serving([refunds], {}))
      expect(yield* Effect.flip(Skills.read(client, skill))).toMatchObject({ _tag: "McpError", kind: "protocol" })
    })
  )
})

describe("getting", () => {
  it.scoped("gives the present entry of a skill by its URI", () =>
    Effect.gen(function* () {
      const client = yield* connect(serving([refunds]))
      expect((yield* Skills.get(client, uri)).files).toEqual(refunds.resources)
      expect(yield* Effect.flip(Skills.get(client, "skill://none/SKILL.md"))).toMatchObject({
        kind: "rpc",
        code: -32602
      })
    })
  )

  it.scoped("an answer about another skill is refused", () =>
    Effect.gen(function* () {
      const server = TestServer.make({
        capabilities: { resources: {}, extensions: { [Skills.extension]: {} } },
        methods: { "skills/get": () => ({ skill: refunds }) }
      })
      const error = yield* Effect.flip(Skills.get(yield* connect(server), "skill://acme/invoices/SKILL.md"))
      expect(error).toMatchObject({ kind: "protocol" })
    })
  )
})
