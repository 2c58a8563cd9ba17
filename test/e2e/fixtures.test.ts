/**
 * Every odd server behaves as its header says: through the library and through the built CLI, all of them at once.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { McpError } from "../../src/mcp/McpError.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import type { Tool } from "../../src/tool/Tool.ts"
import { living, registryOf } from "../faults/living.ts"
import * as Http from "../mcp/httpServer.ts"
import { configured, fixture, root, runJson } from "./cli.ts"
import { type Row, rows } from "./fixtureTable.ts"

/** Half a hundred programs start at once, on machines of two processors. */
const testTimeout = 300_000

const nameOf = (row: Row, index: number): string =>
  [`${index + 1}`, row.program, ...(row.args ?? []), ...(row.call?.slice(0, 1) ?? [])].join(" ")

/** The entries of a configuration with every server of the table; those over HTTP run while the Scope is open. */
const entries = Effect.forEach(
  rows,
  (row, index) =>
    Effect.gen(function* () {
      const name = nameOf(row, index)
      const { args = [], connectTimeout = 60_000 } = row
      const [folder = "", program = ""] = row.program.split("/")
      if (folder === "stdio") return [name, { ...fixture(`${row.program}.mjs`, { args }), connectTimeout }] as const
      const { origin } = yield* Http.fixture(program, args[0])
      return [name, { url: `${origin}${row.path}`, connectTimeout }] as const
    }),
  { concurrency: 4 }
)

/** A way of using the servers. */
interface Way {
  /** The server's own names of the tools on offer; fails with the reason why there is no connection. */
  readonly tools: (server: string) => Effect.Effect<ReadonlyArray<string>, string>
  /** The text of the answer; a failure begins with `error: `. */
  readonly call: (server: string, tool: string, args: Readonly<Record<string, unknown>>) => Effect.Effect<string>
}

/** What becomes of each row, in the form of `expected`. */
const outcomes = (way: Way, concurrency: number) =>
  Effect.map(
    Effect.forEach(
      rows,
      (row, index) =>
        Effect.gen(function* () {
          const name = nameOf(row, index)
          const tools = yield* way.tools(name)
          if (row.call === undefined) return [name, { tools: [...tools].sort(), answer: null }] as const
          const [tool, args] = row.call
          const answer = yield* way.call(name, tool === "*" ? (tools[0] ?? "") : tool, args)
          return [name, { tools: [...tools].sort(), answer }] as const
        }).pipe(Effect.catchAll((fails) => Effect.succeed([nameOf(row, index), { fails }] as const))),
      { concurrency }
    ),
    Object.fromEntries
  )

const expected = (answer: (row: Row) => unknown) =>
  Object.fromEntries(
    rows.map((row, index) => [
      nameOf(row, index),
      row.tools === undefined ? { fails: row.fails } : { tools: [...row.tools].sort(), answer: answer(row) ?? null }
    ])
  )

const told = ({ kind, message, stderr = "" }: Pick<McpError, "kind" | "message" | "stderr">) =>
  `${kind}: ${message}\n${stderr}`.trim()

const answerOf = ({ isError, text }: { readonly isError: boolean; readonly text: string }) =>
  isError ? `error: ${text}` : text

/** As an embedder has them: connected by a Manager, called as the model calls them. */
const library = Effect.gen(function* () {
  const configs = (yield* entries).map(([name, entry]) => {
    const connectTimeout = Duration.millis(entry.connectTimeout)
    return "url" in entry
      ? ServerConfig.http(name, { ...entry, connectTimeout })
      : ServerConfig.stdio(name, { ...entry, connectTimeout })
  })
  const manager = yield* living(configs)
  const registry = yield* registryOf(manager)
  const { tools } = yield* registry.snapshot
  const toolsOf = (server: string): ReadonlyArray<readonly [string, Tool]> =>
    tools.flatMap((tool) =>
      tool.origin._tag === "Mcp" && tool.origin.server === server ? [[tool.origin.tool, tool] as const] : []
    )
  return {
    tools: (server) =>
      manager
        .client(server)
        .pipe(Effect.mapBoth({ onFailure: told, onSuccess: () => toolsOf(server).map(([name]) => name) })),
    call: (server, tool, args) =>
      Effect.map(registry.execute(new Map(toolsOf(server)).get(tool)?.name ?? tool, args), answerOf)
  } satisfies Way
})

interface Listed {
  readonly server: string
  readonly tool: string
  readonly skipped?: string
}

/** As a script has them: one command lists them all, and each call is a command. */
const cli = Effect.gen(function* () {
  const config = yield* configured(Object.fromEntries(yield* entries))
  const options = ["--json", "--config", config]
  const { json } = yield* runJson(["mcp", "tools", ...options])
  const listed: ReadonlyArray<Listed> = json.tools
  const statuses = new Map(json.servers.map((server: { readonly name: string }) => [server.name, server]))
  return {
    tools: (server) => {
      const { error } = statuses.get(server) as { readonly error?: McpError }
      return error === undefined
        ? Effect.succeed(
            listed.filter((one) => one.server === server && one.skipped === undefined).map(({ tool }) => tool)
          )
        : Effect.fail(told(error))
    },
    call: (server, tool, args) =>
      Effect.map(runJson(["mcp", "call", server, tool, "--args", JSON.stringify(args), ...options]), ({ json }) =>
        json.error === undefined ? answerOf(json) : `error: ${told(json.error)}`
      )
  } satisfies Way
})

describe("every odd server is what its header says", () => {
  it.scopedLive(
    "through the library",
    () =>
      Effect.gen(function* () {
        const came = yield* outcomes(yield* library, rows.length)
        expect(came).toEqual(expected(({ call }) => call?.[2]))
      }),
    testTimeout
  )

  it.scopedLive(
    "through the built CLI",
    () =>
      Effect.gen(function* () {
        const came = yield* outcomes(yield* cli, 3)
        expect(came).toEqual(expected(({ call, plain }) => plain ?? call?.[2]))
      }),
    testTimeout
  )

  it("and none whose header says what to expect is left out", () => {
    const odd = ["stdio", "http"].flatMap((folder) =>
      readdirSync(join(root, "test/fixtures", folder)).map((file) => `${folder}/${file.replace(".mjs", "")}`)
    )
    const expecting = odd.filter((name) =>
      readFileSync(join(root, `test/fixtures/${name}.mjs`), "utf8").includes("\n// Expect")
    )
    expect(expecting.length).toBeGreaterThan(20)
    expect(new Set(rows.map(({ program }) => program))).toEqual(new Set(expecting))
  })
})
