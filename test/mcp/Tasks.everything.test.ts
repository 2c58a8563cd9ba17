/** The published `server-everything`, whose tool `simulate-research-query` must be called as a task (2025-11-25). */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import type { Progress } from "../../src/mcp/McpSchema.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as StdioTransport from "../../src/mcp/StdioTransport.ts"
import * as Tasks from "../../src/mcp/Tasks.ts"

const program = `${import.meta.dirname}/../../node_modules/@modelcontextprotocol/server-everything/dist/index.js`

/** A person who means the snake. */
const features: ClientFeatures.Service = {
  elicitation: { form: () => Effect.succeed({ action: "accept", content: { interpretation: "snake" } }) }
}

const connect = Effect.flatMap(
  StdioTransport.make({ server: "everything", command: process.execPath, args: [program, "stdio"] }),
  (transport) =>
    McpClient.make().pipe(
      Effect.provideService(McpTransport.McpTransport, transport),
      Effect.provideService(ClientFeatures.ClientFeatures, features)
    )
)

const research = "simulate-research-query"

describe("server-everything", () => {
  it.scopedLive(
    "a call runs as a task, asks its question, tells how far it is, and gives the report",
    () =>
      Effect.gen(function* () {
        const client = yield* connect
        const seen: Array<string> = []
        const onProgress = ({ message }: Progress) => Effect.sync(() => void seen.push(message ?? ""))
        const [plain, asking] = yield* Effect.all(
          [
            client.callTool(research, { topic: "tea" }),
            client.callTool(research, { topic: "python", ambiguous: true }, { onProgress })
          ],
          { concurrency: "unbounded" }
        )
        expect(plain.text).toContain("# Research Report: tea")
        expect(asking.text).toContain("# Research Report: python (snake)")
        expect(seen.join(" ")).toContain("Gathering sources")
        expect((yield* Tasks.list(client)).map(({ status }) => status)).toEqual(["completed", "completed"])
      }),
    20_000
  )

  it.scopedLive(
    "a call that is given up leaves a cancelled task",
    () =>
      Effect.gen(function* () {
        const client = yield* connect
        const started = yield* Deferred.make<void>()
        const onProgress = () => Effect.asVoid(Deferred.succeed(started, undefined))
        const call = yield* Effect.fork(client.callTool(research, { topic: "tea" }, { onProgress }))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(call)
        expect((yield* Tasks.list(client)).map(({ status }) => status)).toEqual(["cancelled"])
      }),
    20_000
  )
})
