import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { McpManager, ProtocolVersion, ServerConfig, TransportFactory } from "../../src/index.ts"
import { configured, fixture, runJson } from "./cli.ts"

/** A server for each revision, which knows no other. */
const revisions: ReadonlyArray<string> = [...ProtocolVersion.modern, ...ProtocolVersion.legacy]

const entry = (revision: string) => fixture("stdio/revision.mjs", { args: [revision] })

it.scopedLive("servers of every revision are connected side by side, each in its own, and called alike", () =>
  Effect.gen(function* () {
    const manager = yield* McpManager.make(revisions.map((name) => ServerConfig.stdio(name, entry(name))))
    yield* manager.start
    const spoken = (yield* manager.statuses).map((status) =>
      status._tag === "Connected" ? [status.name, status.protocolVersion] : status
    )
    expect(spoken).toEqual([...revisions].sort().map((name) => [name, name]))
    const answers = yield* Effect.forEach(
      revisions,
      (name) => Effect.flatMap(manager.client(name), (client) => client.callTool("revision", {})),
      { concurrency: "unbounded" }
    )
    expect(answers.map(({ text }) => text)).toEqual(revisions)
  }).pipe(Effect.provide(TransportFactory.layer))
)

it.scopedLive("`mcp list` shows the revision of each", () =>
  Effect.gen(function* () {
    const config = yield* configured(Object.fromEntries(revisions.map((name) => [name, entry(name)])))
    const { json } = yield* runJson(["mcp", "list", "--json", "--config", config])
    expect(
      json.servers.map(({ name, protocolVersion, status }: Record<string, string>) => [name, status, protocolVersion])
    ).toEqual([...revisions].sort().map((name) => [name, "connected", name]))
  })
)
