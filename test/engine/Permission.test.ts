import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Permission from "../../src/engine/Permission.ts"
import * as PermissionPattern from "../../src/engine/PermissionPattern.ts"
import type * as PermissionRules from "../../src/engine/PermissionRules.ts"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import type { Tool } from "../../src/tool/Tool.ts"
import { mcpTool, tool, writing } from "./fixture.ts"

const request = (of: Tool, args: JsonObject = {}): Permission.PermissionRequest => ({
  id: "1",
  tool: of,
  arguments: args
})
const bash = (command: string) => request(tool("bash", undefined, writing), { command })
const writeFile = (path: string) => request(tool("write_file", undefined, writing), { path })
const rule = (action: PermissionRules.Action, source: string): PermissionRules.Rule => {
  const pattern = PermissionPattern.parse(source)
  if (pattern === undefined) throw new Error(`${source} is no pattern`)
  return { action, pattern, scope: "project", path: "/w/harness9.json", line: 3 }
}
const remote = request(mcpTool("fs", "write_file", writing), { path: "x" })

describe("without a person", () => {
  it.effect.each([
    ["a tool that only reads", request(tool("read_file")), {}, true],
    ["an MCP tool that says it only reads", request(mcpTool("fs", "read")), {}, true],
    ["a tool that writes", writeFile("a"), {}, false],
    ["an MCP tool that writes", remote, {}, false],
    ["an MCP tool that a rule names", remote, { allow: ["mcp__fs__*"] }, true],
    ["an MCP tool of another server than the rule's", remote, { allow: ["mcp__github__*"] }, false],
    ["a command that a rule covers", bash("git status -s"), { allow: ["bash(git status*)"] }, true],
    [
      "a command that goes on after what a rule covers",
      bash("git status; rm x"),
      { allow: ["bash(git status*)"] },
      false
    ],
    ["a path under a rule's folder", writeFile("src/a.ts"), { allow: ["write_file(src/**)"], directory: "/w" }, true],
    ["anything with yes", bash("rm -rf x"), { yes: true }, true],
    ["a tool beside a rule that cannot be read", writeFile("a"), { allow: ["write_file(", ""] }, false]
  ] as const)("%s", ([_, call, options, allowed]) =>
    Effect.gen(function* () {
      const decision = yield* Permission.make(options).decide(call)
      expect(decision._tag).toBe(allowed ? "Allow" : "Deny")
    })
  )

  it.effect.each([
    ["a rule that allows", remote, { rules: [rule("allow", "mcp__fs__*")] }, true],
    ["a rule that asks", remote, { rules: [rule("ask", "mcp__fs__*")] }, false],
    [
      "ask over allow, in either order",
      remote,
      { rules: [rule("allow", "mcp__fs__*"), rule("ask", "mcp__*__write_file"), rule("allow", "*")] },
      false
    ],
    ["a rule that asks, of a tool that only reads", request(tool("read_file")), { rules: [rule("ask", "*")] }, false],
    [
      "a rule that denies, of a tool that only reads",
      request(tool("read_file")),
      { rules: [rule("deny", "*")] },
      false
    ],
    ["yes over a rule that asks", remote, { yes: true, rules: [rule("ask", "*")] }, true],
    ["an option over a rule that asks", remote, { allow: ["mcp__fs__*"], rules: [rule("ask", "*")] }, true],
    [
      "a rule that denies over everything",
      remote,
      { yes: true, allow: ["*"], rules: [rule("allow", "*"), rule("deny", "mcp__fs__*")] },
      false
    ],
    ["a rule that denies, of another tool", remote, { yes: true, rules: [rule("deny", "bash")] }, true]
  ] as const)("%s", ([_, call, options, allowed]) =>
    Effect.gen(function* () {
      expect((yield* Permission.make(options).decide(call))._tag).toBe(allowed ? "Allow" : "Deny")
    })
  )

  it.effect("the model is told the rule, and with one that asks the option that would settle it", () =>
    Effect.gen(function* () {
      const denied = yield* Permission.make({ rules: [rule("deny", "mcp__fs__*")] }).decide(remote)
      expect(denied).toMatchObject({ reason: expect.stringContaining("deny mcp__fs__* (/w/harness9.json:3)") })
      const unasked = yield* Permission.make({ rules: [rule("ask", "mcp__fs__*")] }).decide(remote)
      expect(unasked).toMatchObject({
        reason: expect.stringMatching(/by the rule ask mcp__fs__\* .*--allow mcp__fs__write_file/)
      })
    })
  )

  it.effect.each([
    [bash("git push 'x'"), "--allow 'bash(git push '\\''x'\\'')'"],
    [remote, "--allow mcp__fs__write_file"],
    [writeFile("a b"), "--allow 'write_file(a b)'"]
  ] as const)("a denial names the option that would allow the call", ([call, option]) =>
    Effect.gen(function* () {
      expect(yield* Permission.make().decide(call)).toMatchObject({ reason: expect.stringContaining(option) })
    })
  )
})

/** A person who gives these answers, and how often they were asked. */
const person = (...answers: ReadonlyArray<Permission.Answer>) => {
  const asked: Array<string> = []
  return {
    asked,
    approver: Permission.Approver.of({
      ask: ({ tool: { name } }) => Effect.sync(() => answers[asked.push(name) - 1] ?? { _tag: "Deny" })
    })
  }
}
const asking = (of: ReturnType<typeof person>, options?: Parameters<typeof Permission.makeAsk>[0]) =>
  Effect.provideService(Permission.makeAsk(options), Permission.Approver, of.approver)

describe("with a person", () => {
  it.effect("what a rule covers or only reads is not asked", () =>
    Effect.gen(function* () {
      const someone = person()
      const { decide } = yield* asking(someone, { allow: ["bash(ls)"] })
      expect((yield* decide(bash("ls")))._tag).toBe("Allow")
      expect((yield* decide(request(tool("read_file"))))._tag).toBe("Allow")
      expect(someone.asked).toEqual([])
    })
  )

  it.effect(
    "a rule that asks is told to the person, and an answer for the session settles it; one that denies is not asked",
    () =>
      Effect.gen(function* () {
        const shown: Array<string | undefined> = []
        const approver = Permission.Approver.of({
          ask: ({ rule }) =>
            Effect.as(
              Effect.sync(() => shown.push(rule?.pattern.source)),
              { _tag: "Session" }
            )
        })
        const rules = [rule("allow", "*"), rule("ask", "write_file"), rule("deny", "bash(rm *)")]
        const { decide } = yield* Effect.provideService(Permission.makeAsk({ rules }), Permission.Approver, approver)
        expect((yield* decide(writeFile("a")))._tag).toBe("Allow")
        expect((yield* decide(writeFile("b")))._tag).toBe("Allow")
        expect((yield* decide(bash("rm x")))._tag).toBe("Deny")
        expect((yield* decide(bash("ls")))._tag).toBe("Allow")
        expect(shown).toEqual(["write_file"])
      })
  )

  it.effect("once is once", () =>
    Effect.gen(function* () {
      const someone = person({ _tag: "Once" }, { _tag: "Deny", reason: "use git" })
      const { decide } = yield* asking(someone)
      expect((yield* decide(remote))._tag).toBe("Allow")
      expect(yield* decide(remote)).toMatchObject({ _tag: "Deny", reason: expect.stringContaining("use git") })
    })
  )

  it.effect("for the session covers the tool, and for bash that command alone", () =>
    Effect.gen(function* () {
      const someone = person({ _tag: "Session" }, { _tag: "Session" })
      const { decide } = yield* asking(someone)
      yield* decide(writeFile("a"))
      expect((yield* decide(writeFile("b")))._tag).toBe("Allow")
      yield* decide(bash("make *"))
      expect((yield* decide(bash("make *")))._tag).toBe("Allow")
      expect((yield* decide(bash("make all")))._tag).toBe("Deny")
      expect(someone.asked).toEqual(["write_file", "bash", "bash"])
    })
  )

  it.effect("always is kept beyond the session, with the pattern that the person chose", () =>
    Effect.gen(function* () {
      const kept: Array<string> = []
      const someone = person({ _tag: "Always", pattern: "bash(make*)" })
      const { decide } = yield* asking(someone, { onAlways: (pattern) => Effect.sync(() => void kept.push(pattern)) })
      yield* decide(bash("make a"))
      expect((yield* decide(bash("make b")))._tag).toBe("Allow")
      expect(kept).toEqual(["bash(make*)"])
    })
  )

  it.effect("questions come one after the other, and an answer for the session settles those that wait", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<Permission.Answer>()
      let asked = 0
      const ask = () => {
        asked += 1
        return Deferred.await(answer)
      }
      const approver = Permission.Approver.of({ ask: () => Effect.suspend(ask) })
      const { decide } = yield* Effect.provideService(Permission.makeAsk(), Permission.Approver, approver)
      const waiting = yield* Effect.fork(Effect.all([decide(remote), decide(remote)], { concurrency: "unbounded" }))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(answer, { _tag: "Session" })
      expect((yield* Fiber.join(waiting)).map((decision) => decision._tag)).toEqual(["Allow", "Allow"])
      expect(asked).toBe(1)
    })
  )
})
