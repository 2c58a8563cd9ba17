import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as ClientFeatures from "../../src/mcp/ClientFeatures.ts"
import type { ErrorObject, JsonObject } from "../../src/mcp/JsonRpc.ts"
import * as McpClient from "../../src/mcp/McpClient.ts"
import type { Progress } from "../../src/mcp/McpSchema.ts"
import * as McpTransport from "../../src/mcp/McpTransport.ts"
import * as MemoryTransport from "../../src/mcp/MemoryTransport.ts"
import * as Tasks from "../../src/mcp/Tasks.ts"
import * as TestServer from "../../src/testing/TestServer.ts"

const connect = (server: TestServer.TestServer, features: ClientFeatures.Service = {}) =>
  Effect.flatMap(MemoryTransport.make({ server: "lab", handler: server.handler }), (transport) =>
    McpClient.make().pipe(
      Effect.provideService(McpTransport.McpTransport, transport),
      Effect.provideService(ClientFeatures.ClientFeatures, features)
    )
  )

const requests = (server: TestServer.TestServer, method: string) =>
  Effect.map(server.messages, (all) =>
    all.flatMap((message) => (message._tag === "Request" && message.method === method ? [message.params ?? {}] : []))
  )

/** Gives the states one after the other, and the last one from then on. */
const script = <A>(first: A, ...rest: ReadonlyArray<A>) => {
  const states = [first, ...rest]
  return () => (states.length > 1 ? states.shift() : states[0]) as A // never empty
}

/** A person who answers every form so. */
const person = (content: Readonly<Record<string, string>>): ClientFeatures.Service => ({
  elicitation: { form: () => Effect.succeed({ action: "accept", content }) }
})

const question = {
  message: "Which one?",
  requestedSchema: { type: "object", properties: { which: { type: "string" } }, required: ["which"] }
}

const relatedTask = "io.modelcontextprotocol/related-task"

describe("tasks of 2025-11-25", () => {
  const task = (status: string, more: JsonObject = {}): JsonObject => ({
    taskId: "t1",
    status,
    createdAt: "2026-08-01T00:00:00Z",
    lastUpdatedAt: "2026-08-01T00:00:00Z",
    ttl: 60_000,
    pollInterval: 5000,
    ...more
  })

  const report = { content: [{ type: "text", text: "the report" }] }

  const serving = (
    states: () => JsonObject,
    methods: Readonly<Record<string, TestServer.Method>> = {},
    created: JsonObject = { task: task("working") }
  ) =>
    TestServer.make({
      capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      methods: {
        "tools/list": () => ({
          tools: [
            { name: "research", inputSchema: { type: "object" }, execution: { taskSupport: "required" } },
            { name: "either", inputSchema: { type: "object" }, execution: { taskSupport: "optional" } }
          ]
        }),
        "tools/call": ({ task }) => (task === undefined ? report : created),
        "tasks/get": states,
        "tasks/result": () => report,
        "tasks/cancel": () => task("cancelled"),
        ...methods
      }
    })

  it.scoped("a tool that wants a task is called as one, asked for at the server's interval, and gives its result", () =>
    Effect.gen(function* () {
      const server = serving(script(task("working"), task("completed")))
      const client = yield* connect(server)
      const call = yield* Effect.fork(client.callTool("research", { topic: "tea" }))
      yield* TestClock.adjust("4999 millis")
      expect(yield* requests(server, "tasks/get")).toHaveLength(0)
      yield* TestClock.adjust("1 millis")
      expect(yield* requests(server, "tasks/get")).toEqual([{ taskId: "t1" }])
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(call)).text).toBe("the report")
      expect(yield* requests(server, "tools/call")).toMatchObject([
        { name: "research", arguments: { topic: "tea" }, task: { ttl: 600_000 } }
      ])
      expect(yield* requests(server, "tasks/result")).toEqual([{ taskId: "t1" }])
      expect(yield* requests(server, "tasks/cancel")).toEqual([])
    })
  )

  it.scoped("a tool that may be a task is called as ever, and so is any tool of a server without tasks", () =>
    Effect.gen(function* () {
      const server = serving(script(task("working")))
      expect((yield* (yield* connect(server)).callTool("either", {})).text).toBe("the report")
      expect((yield* requests(server, "tools/call"))[0]).not.toHaveProperty("task")
      const without = TestServer.make({
        methods: {
          "tools/list": () => ({
            tools: [{ name: "research", inputSchema: {}, execution: { taskSupport: "required" } }]
          }),
          "tools/call": () => report
        }
      })
      yield* (yield* connect(without)).callTool("research", {})
      expect((yield* requests(without, "tools/call"))[0]).not.toHaveProperty("task")
    })
  )

  it.scoped("a server that is done before a task was worth it gives its result", () =>
    Effect.gen(function* () {
      const client = yield* connect(serving(script(task("working")), {}, report))
      expect((yield* client.callTool("research", {})).text).toBe("the report")
    })
  )

  it.scoped("progress reaches the caller for as long as the task lives, and so do the task's own words", () =>
    Effect.gen(function* () {
      const server = serving(
        script(
          task("working", { statusMessage: "reading" }),
          task("working", { statusMessage: "writing" }),
          task("completed")
        )
      )
      const client = yield* connect(server)
      const seen: Array<Progress> = []
      const onProgress = (progress: Progress) => Effect.sync(() => seen.push(progress)).pipe(Effect.asVoid)
      const call = yield* Effect.fork(client.callTool("research", {}, { onProgress }))
      yield* TestClock.adjust("5 seconds")
      const [params] = yield* requests(server, "tools/call")
      const meta = params?._meta as JsonObject | undefined // sent with every such call
      const told = { progressToken: meta?.progressToken, progress: 3, total: 4 }
      yield* server.send({ jsonrpc: "2.0", method: "notifications/progress", params: told })
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(call)
      expect(seen).toEqual([
        { progress: 1, message: "reading" },
        { progress: 3, total: 4, message: undefined },
        { progress: 3, total: 4, message: "writing" }
      ])
      yield* server.send({ jsonrpc: "2.0", method: "notifications/progress", params: told })
      yield* TestClock.adjust("1 second")
      expect(seen).toHaveLength(3)
    })
  )

  it.scoped("a task that needs input gets it while its result is waited for", () =>
    Effect.gen(function* () {
      const answered = yield* Deferred.make<void>()
      const server: TestServer.TestServer = serving(script(task("input_required")), {
        "tasks/result": (_, { client }) =>
          client
            .send({
              jsonrpc: "2.0",
              id: "q1",
              method: "elicitation/create",
              params: { ...question, _meta: { [relatedTask]: { taskId: "t1" } } }
            })
            .pipe(Effect.zipRight(Deferred.await(answered)), Effect.as(report))
      })
      const client = yield* connect(server, person({ which: "green" }))
      const call = yield* Effect.fork(client.callTool("research", {}))
      yield* TestClock.adjust("6 seconds")
      const answer = (yield* server.messages).find((message) => message._tag === "Response")
      expect(answer).toMatchObject({
        id: "q1",
        reply: {
          result: { action: "accept", content: { which: "green" }, _meta: { [relatedTask]: { taskId: "t1" } } }
        }
      })
      // As long as a person takes: the time for an answer does not count.
      yield* TestClock.adjust("2 minutes")
      yield* Deferred.succeed(answered, undefined)
      expect((yield* Fiber.join(call)).text).toBe("the report")
    })
  )

  it.scoped("a failed task gives what the call would have given", () =>
    Effect.gen(function* () {
      const failed = { isError: true, content: [{ type: "text", text: "no such topic" }] }
      const first = yield* connect(serving(script(task("failed")), { "tasks/result": () => failed }))
      const call = yield* Effect.fork(first.callTool("research", {}))
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(call)).toMatchObject({ isError: true, text: "no such topic" })

      const error: ErrorObject = { code: -32603, message: "broken" }
      const second = yield* connect(serving(script(task("failed")), { "tasks/result": () => Effect.fail(error) }))
      const broken = yield* Effect.fork(Effect.flip(second.callTool("research", {})))
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(broken)).toMatchObject({ kind: "rpc", code: -32603, message: "broken" })
    })
  )

  it.scoped("a task that the server has cancelled fails the call, with its words", () =>
    Effect.gen(function* () {
      const client = yield* connect(serving(script(task("cancelled", { statusMessage: "over quota" }))))
      const call = yield* Effect.fork(Effect.flip(client.callTool("research", {})))
      yield* TestClock.adjust("5 seconds")
      expect(yield* Fiber.join(call)).toMatchObject({
        kind: "rpc",
        message: "the server cancelled the task: over quota"
      })
    })
  )

  it.scoped("a call that is interrupted cancels its task", () =>
    Effect.gen(function* () {
      const server = serving(script(task("working")))
      const client = yield* connect(server)
      const call = yield* Effect.fork(client.callTool("research", {}))
      yield* TestClock.adjust("7 seconds")
      yield* Fiber.interrupt(call)
      expect(yield* requests(server, "tasks/cancel")).toEqual([{ taskId: "t1" }])
    })
  )

  it.scoped("a task that does not end is cancelled when the time for the whole call is over", () =>
    Effect.gen(function* () {
      const server = serving(script(task("working")))
      const client = yield* connect(server)
      const options = { timeout: Duration.seconds(10), maxTimeout: Duration.seconds(30) }
      const call = yield* Effect.fork(Effect.flip(client.callTool("research", {}, options)))
      yield* TestClock.adjust("29 seconds")
      expect(yield* Fiber.poll(call)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(call)).toMatchObject({ kind: "timeout", phase: "call" })
      expect(yield* requests(server, "tasks/cancel")).toHaveLength(1)
    })
  )

  it.scoped("a question that gets no answer is asked again, and the call fails when none ever comes", () =>
    Effect.gen(function* () {
      const server = serving(() => task("working"), { "tasks/get": () => Effect.never })
      const client = yield* connect(server)
      const call = yield* Effect.fork(Effect.flip(client.callTool("research", {}, { timeout: Duration.seconds(10) })))
      yield* TestClock.adjust("40 seconds")
      expect(yield* Fiber.join(call)).toMatchObject({ kind: "timeout", message: expect.stringContaining("tasks/get") })
      expect(yield* requests(server, "tasks/get")).toHaveLength(3)
    })
  )

  it.scoped("tasks are listed, looked at and cancelled, and their changes heard", () =>
    Effect.gen(function* () {
      const server = serving(script(task("working")), {
        "tasks/list": () => ({ tasks: [task("working"), { no: "task" }] })
      })
      const client = yield* connect(server)
      const [listed] = yield* Tasks.list(client)
      expect(listed).toMatchObject({ taskId: "t1", status: "working", ttlMs: 60_000, pollIntervalMs: 5000 })
      expect(yield* Tasks.get(client, "t1")).toMatchObject({ taskId: "t1", status: "working" })
      const heard = yield* Effect.fork(Stream.runHead(Tasks.changes(client)))
      yield* Effect.yieldNow()
      yield* TestClock.adjust("1 second")
      yield* server.send({ jsonrpc: "2.0", method: "notifications/tasks/status", params: task("completed") })
      expect(yield* Fiber.join(heard)).toMatchObject({ value: { taskId: "t1", status: "completed" } })
      yield* Tasks.cancel(client, "t1")
      expect(yield* requests(server, "tasks/cancel")).toEqual([{ taskId: "t1" }])
      expect(yield* Tasks.list(yield* connect(TestServer.make()))).toEqual([])
    })
  )
})

describe("tasks of the extension of 2026-07-28", () => {
  const version = "2026-07-28"
  const task = (status: string, more: JsonObject = {}): JsonObject => ({
    resultType: "complete",
    taskId: "t2",
    status,
    createdAt: "2026-08-01T00:00:00Z",
    lastUpdatedAt: "2026-08-01T00:00:00Z",
    ttlMs: null,
    pollIntervalMs: 2000,
    ...more
  })
  const report = { resultType: "complete", content: [{ type: "text", text: "the report" }] }

  const serving = (states: () => JsonObject, methods: Readonly<Record<string, TestServer.Method>> = {}) =>
    TestServer.make({
      methods: {
        "server/discover": () => ({
          resultType: "complete",
          supportedVersions: [version],
          capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } }
        }),
        "tools/list": () => ({
          resultType: "complete",
          tools: [{ name: "research", inputSchema: { type: "object" } }]
        }),
        "tools/call": () => task("working", { resultType: "task" }),
        "tasks/get": states,
        "tasks/update": () => ({ resultType: "complete" }),
        "tasks/cancel": () => ({ resultType: "complete" }),
        ...methods
      }
    })

  it.scoped(
    "a call that the server makes a task gives the task's result, and the client has said that it can do that",
    () =>
      Effect.gen(function* () {
        const server = serving(script(task("working"), task("completed", { result: report })))
        const client = yield* connect(server)
        expect(client.protocolVersion).toBe(version)
        const call = yield* Effect.fork(client.callTool("research", {}))
        yield* TestClock.adjust("4 seconds")
        expect((yield* Fiber.join(call)).text).toBe("the report")
        const [params] = yield* requests(server, "tools/call")
        expect(params).not.toHaveProperty("task")
        expect(params?._meta).toMatchObject({
          "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } }
        })
        expect(yield* requests(server, "tasks/result")).toEqual([])
      })
  )

  it.scoped("what a task asks for is answered once, in an update", () =>
    Effect.gen(function* () {
      const asking = (...keys: ReadonlyArray<string>) =>
        task("input_required", {
          inputRequests: Object.fromEntries(
            keys.map((key) => [key, { method: "elicitation/create", params: question }])
          )
        })
      // The server may be slow to take it up, and ask for more.
      const server = serving(script(asking("a"), asking("a"), asking("a", "b"), task("completed", { result: report })))
      const client = yield* connect(server, person({ which: "green" }))
      const call = yield* Effect.fork(client.callTool("research", {}))
      yield* TestClock.adjust("8 seconds")
      expect((yield* Fiber.join(call)).text).toBe("the report")
      const accepted = { action: "accept", content: { which: "green" } }
      expect(yield* requests(server, "tasks/update")).toMatchObject([
        { taskId: "t2", inputResponses: { a: accepted } },
        { taskId: "t2", inputResponses: { b: accepted } }
      ])
      expect((yield* requests(server, "tasks/update"))[1]?.inputResponses).not.toHaveProperty("a")
    })
  )

  it.scoped("a task that asks for what the program does not have is cancelled, and fails the call", () =>
    Effect.gen(function* () {
      const inputRequests = { a: { method: "elicitation/create", params: question } }
      const server = serving(script(task("input_required", { inputRequests })))
      const call = yield* Effect.fork(Effect.flip((yield* connect(server)).callTool("research", {})))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(call)).toMatchObject({ kind: "rpc", code: -32601 })
      expect(yield* requests(server, "tasks/cancel")).toMatchObject([{ taskId: "t2" }])
    })
  )

  it.scoped("a failed task is the error that it holds; a completed one may be the tool's own failure", () =>
    Effect.gen(function* () {
      const error = { code: -32603, message: "rate limit" }
      const failing = yield* connect(serving(script(task("failed", { error }))))
      const failed = yield* Effect.fork(Effect.flip(failing.callTool("research", {})))
      const result = { isError: true, content: [{ type: "text", text: "no such topic" }] }
      const completing = yield* connect(serving(script(task("completed", { result }))))
      const completed = yield* Effect.fork(completing.callTool("research", {}))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(failed)).toMatchObject({ kind: "rpc", ...error })
      expect(yield* Fiber.join(completed)).toMatchObject({ isError: true, text: "no such topic" })
    })
  )

  for (const [what, state] of Object.entries({
    "completed without a result": task("completed"),
    "another task": task("working", { taskId: "t3" }),
    "no task": { resultType: "complete" },
    "in no known state": task("paused"),
    "waiting for nothing": task("input_required")
  })) {
    it.scoped(`a task that is ${what} fails the call`, () =>
      Effect.gen(function* () {
        const call = yield* Effect.fork(Effect.flip((yield* connect(serving(() => state))).callTool("research", {})))
        yield* TestClock.adjust("2 seconds")
        expect(yield* Fiber.join(call)).toMatchObject({ kind: "protocol", phase: "call" })
      })
    )
  }

  it.scoped("a server that likes to be asked without pause is not", () =>
    Effect.gen(function* () {
      const server = serving(() => task("working", { pollIntervalMs: 0 }), {
        "tools/call": () => task("working", { resultType: "task", pollIntervalMs: 0 })
      })
      yield* Effect.fork((yield* connect(server)).callTool("research", {}))
      yield* TestClock.adjust("1 second")
      expect((yield* requests(server, "tasks/get")).length).toBeLessThanOrEqual(20)
    })
  )

  it.scoped("an interrupted call cancels its task", () =>
    Effect.gen(function* () {
      const server = serving(() => task("working"))
      const call = yield* Effect.fork((yield* connect(server)).callTool("research", {}))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.interrupt(call)
      expect(yield* requests(server, "tasks/cancel")).toMatchObject([{ taskId: "t2" }])
    })
  )
})
