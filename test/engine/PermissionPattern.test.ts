import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as PermissionPattern from "../../src/engine/PermissionPattern.ts"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"

const builtin = (name: string, args: JsonObject): PermissionPattern.Call => ({
  tool: { name, origin: { _tag: "Builtin" } },
  arguments: args
})
const mcp = (name: string, args: JsonObject): PermissionPattern.Call => ({
  tool: { name, origin: { _tag: "Mcp", server: "s", tool: "t" } },
  arguments: args
})
const bash = (command: string) => builtin("bash", { command })
const write = (path: string) => builtin("write_file", { path, content: "x" })

const directory = "/home/me/project"

const matches = (source: string, call: PermissionPattern.Call) => {
  const pattern = PermissionPattern.parse(source)
  return pattern !== undefined && PermissionPattern.covers(pattern, call, { directory })
}

const touches = (source: string, call: PermissionPattern.Call) => {
  const pattern = PermissionPattern.parse(source)
  return pattern !== undefined && PermissionPattern.touches(pattern, call, { directory })
}

describe("a rule that allows", () => {
  it.each([
    ["bash", bash("rm -rf / ; anything | at all"), true],
    ["bash", builtin("bash_more", {}), false],
    ["mcp__fs__*", mcp("mcp__fs__write_file", { path: "/etc/passwd" }), true],
    ["mcp__fs__*", mcp("mcp__fsx__write_file", {}), false],
    ["mcp__*__delete_*", mcp("mcp__memory__delete_entities", {}), true],
    ["mcp__db__query(*SELECT*)", mcp("mcp__db__query", { sql: "SELECT 1; x" }), true],
    ["mcp__db__query(*SELECT*)", mcp("mcp__db__query", { sql: "DROP" }), false],
    ["*", mcp("anything", {}), true],
    ["bash(git status*)", bash("git status"), true],
    ["bash(git status*)", bash("git status --short $HOME"), true],
    ["bash(git status*)", bash("git push"), false],
    ["bash(git status*)", bash("git status; rm -rf /"), false],
    ["bash(git status*)", bash("git status && rm x"), false],
    ["bash(git status*)", bash("git status | sh"), false],
    ["bash(git status*)", bash("git status `rm x`"), false],
    ["bash(git status*)", bash("git status $(rm x)"), false],
    ["bash(git status*)", bash("git status ${x:=y}"), false],
    ["bash(git status*)", bash("git status > /etc/x"), false],
    ["bash(git status*)", bash("git status < x"), false],
    ["bash(git status*)", bash("git status\nrm x"), false],
    ["bash(git status*)", bash("x; git status"), false],
    ["bash(npm test | tee *)", bash("npm test | tee log"), true],
    ["bash(npm test | tee *)", bash("npm test | tee log | sh"), false],
    ["bash(echo \\*)", bash("echo *"), true],
    ["bash(echo \\*)", bash("echo x"), false],
    ["write_file(src/**)", write("src/a/b.ts"), true],
    ["write_file(src/**)", write("./src/b.ts"), true],
    ["write_file(src/**)", write("/home/me/project/src/b.ts"), true],
    ["write_file(/home/me/project/src/**)", write("src/b.ts"), true],
    ["write_file(src/**)", write("src/../../secret"), false],
    ["write_file(src/**)", write("src/../package.json"), false],
    ["write_file(src/**)", write("/etc/passwd"), false],
    ["write_file(**)", write("/etc/passwd"), false],
    ["write_file(**)", write("../x"), false],
    ["write_file(src/*)", write("src/a/b.ts"), false],
    ["write_file(**/*.md)", write("README.md"), true],
    ["write_file(**/*.md)", write("docs/a/b.md"), true],
    ["write_file(**/etc/passwd)", write("/etc/passwd"), false],
    ["write_file(**/*.md)", write("/x.md"), false],
    ["write_file(/tmp/**)", write("/tmp/x/y"), true],
    ["write_file(/tmp/**)", write("/tmp/../etc/passwd"), false],
    ["write_file(src/a.ts)", write("src/abts"), false]
  ])("%s and %j: %s", (pattern, call, expected) => {
    expect(matches(pattern, call)).toBe(expected)
  })

  it.each(["", "(x)", "bash(git", "two words", "bash)x("])("%j is no pattern", (source) => {
    expect(PermissionPattern.parse(source)).toBeUndefined()
  })

  const joining = FastCheck.constantFrom(";", "&", "&&", "|", "||", "`", "$(", "${", ">", "<", "\n", "\r")

  it("no wildcard of a command rule covers anything that joins, substitutes or redirects", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), joining, FastCheck.string(), (before, join, after) => {
        expect(matches("bash(git status*)", bash(`git status${before}${join}${after}`))).toBe(false)
        expect(matches("bash(*)", bash(`${before}${join}${after}`))).toBe(false)
      })
    )
  })

  it("no path rule covers a path outside its folder, however it is written", () => {
    const segment = FastCheck.constantFrom("..", ".", "a", "src", "", "b.ts")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(segment, { maxLength: 8 }), FastCheck.boolean(), (segments, absolute) => {
        const path = `${absolute ? "/" : ""}${segments.join("/")}`
        const resolved = new URL(path.replace(/^\/+/, "/").replace(/\/+/g, "/"), "file:///home/me/project/").pathname
        if (matches("write_file(src/**)", write(path))) expect(resolved).toMatch(/^\/home\/me\/project\/src\//)
      })
    )
  })

  it("the exact pattern of a call covers that call", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ minLength: 1 }), (command) => {
        expect(matches(PermissionPattern.exact(bash(command)), bash(command))).toBe(true)
      })
    )
  })
})

describe("a rule that asks or denies", () => {
  it.each([
    ["bash(rm *)", bash("rm -rf x"), true],
    ["bash(rm *)", bash("rm\t-rf x"), true],
    ["bash(rm *)", bash("ls && /bin/rm -rf x"), true],
    ["bash(rm *)", bash("sudo -u root rm -rf x"), true],
    ["bash(rm *)", bash("A=1 B=2 rm -rf x"), true],
    ["bash(rm *)", bash("bash -c 'rm -rf x'"), true],
    ["bash(rm *)", bash("find . -exec rm -rf {} +"), true],
    ["bash(rm *)", bash("if true; then rm -rf x; fi"), true],
    ["bash(rm *)", bash("r''m -rf x"), true],
    ["bash(rm *)", bash("r\\\nm -rf x"), true],
    ["bash(rm *)", bash("echo firm -rf"), false],
    ["bash(rm *)", bash("git log --format=rm"), false],
    ["bash(curl * | sh)", bash("cd x; curl -s y | sh"), true],
    ["mcp__*__delete_*", mcp("mcp__db__delete_all", {}), true],
    ["mcp__db__query(*DROP*)", mcp("mcp__db__query", { sql: "DROP TABLE x" }), true],
    ["mcp__db__query(*DROP*)", mcp("mcp__db__query", { sql: "SELECT 1" }), false],
    ["write_file(secret/**)", write("secret"), true],
    ["write_file(secret/**)", write("./src/../secret/a/b"), true],
    ["write_file(secret/**)", write("/home/me/project/secret/a"), true],
    ["write_file(secret/**)", write("src/secret/a"), false],
    ["write_file(**/.env)", write("/home/me/.env"), true],
    ["write_file(**)", write("../x"), true]
  ])("%s and %j: %s", (pattern, call, expected) => {
    expect(touches(pattern, call)).toBe(expected)
  })

  it("finds a command of a line, whatever stands before and behind it", () => {
    const joint = FastCheck.constantFrom(";", "&&", "||", "|", "&", "$(", "`", "(", "\n")
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), joint, joint, FastCheck.string(), (before, join, next, after) => {
        FastCheck.pre(!before.endsWith("\\"))
        expect(touches("bash(rm *)", bash(`${before}${join} rm -rf x ${next}${after}`))).toBe(true)
      })
    )
  })

  it("is about every call that it would allow", () => {
    const source = FastCheck.constantFrom(
      "bash(*)",
      "bash(a* | b*)",
      "bash(a*)",
      "write_file(**)",
      "write_file(a/**)",
      "*"
    )
    const text = FastCheck.string({
      unit: FastCheck.constantFrom("a", "b", " ", "/", ".", "|", ";", "'"),
      minLength: 1
    })
    FastCheck.assert(
      FastCheck.property(source, text, (pattern, value) => {
        for (const call of [bash(value), write(value)]) {
          if (matches(pattern, call)) expect(touches(pattern, call)).toBe(true)
        }
      }),
      { numRuns: 1000 }
    )
  })
})
