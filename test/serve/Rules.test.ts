import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as PermissionRules from "../../src/engine/PermissionRules.ts"
import * as Rules from "../../src/serve/Rules.ts"
import * as Tool from "../../src/tool/Tool.ts"

const tool = (name: string): Tool.Tool => ({
  name: `mcp__fs__${name}`,
  description: "",
  inputSchema: { type: "object" },
  origin: { _tag: "Mcp", server: "fs", tool: name },
  hints: { readOnly: false, destructive: true, idempotent: false },
  run: () => Effect.succeed(Tool.text(""))
})

const rule = (action: PermissionRules.Action, name: string, argument?: string): PermissionRules.Rule => ({
  action,
  pattern: { source: name, name, argument },
  line: 3,
  path: "/p/harness9.json",
  scope: "project"
})

describe("the gateway's rules", () => {
  const rules = Rules.make({
    rules: [
      rule("deny", "mcp__fs__remove"),
      rule("ask", "mcp__fs__move"),
      rule("deny", "mcp__fs__write", '*"/etc/*'),
      rule("allow", "mcp__fs__move")
    ]
  })

  it("leave out what is denied, and what nobody is there to be asked about", () => {
    expect(["remove", "move", "write", "read"].filter((name) => rules.isOffered(tool(name)))).toEqual(["write", "read"])
  })

  it("forbid the calls that a rule is about, and say which", () => {
    expect(rules.forbids(tool("write"), { path: "/tmp/a" })).toBeUndefined()
    expect(rules.forbids(tool("write"), { path: "/etc/hosts" })).toContain("/p/harness9.json:3")
  })
})
