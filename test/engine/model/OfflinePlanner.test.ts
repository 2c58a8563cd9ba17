import { describe, expect, it } from "@effect/vitest"
import * as OfflinePlanner from "../../../src/engine/model/OfflinePlanner.ts"
import { tools } from "./offlineTools.ts"

const made = (name: string, text: string, isError = false): OfflinePlanner.Made => ({ name, text, isError })

const call = (prompt: string, before: ReadonlyArray<OfflinePlanner.Made> = []) => {
  const action = OfflinePlanner.plan(prompt, tools, before)
  return action._tag === "Call" ? [action.name, action.arguments] : action.text
}

describe("one step", () => {
  it.each([
    ["echo the text 'hello world'", "mcp__everything__echo", { message: "hello world" }],
    ['Please echo "hello world".', "mcp__everything__echo", { message: "hello world" }],
    ["echo hello world", "mcp__everything__echo", { message: "hello world" }],
    ["Echo the message: it's fine", "mcp__everything__echo", { message: "it's fine" }],
    ["echo message=hi", "mcp__everything__echo", { message: "hi" }],
    ['echo {"message": "from JSON"}', "mcp__everything__echo", { message: "from JSON" }],
    ["add 2 and 3", "mcp__everything__get_sum", { a: 2, b: 3 }],
    ["What is the sum of -2.5 and 40?", "mcp__everything__get_sum", { a: -2.5, b: 40 }],
    ["sum a=1 b=2", "mcp__everything__get_sum", { a: 1, b: 2 }],
    ["list the files in .", "mcp__filesystem__list_directory", { path: "." }],
    ["list files", "mcp__filesystem__list_directory", { path: "." }],
    ["list the directory src/engine", "mcp__filesystem__list_directory", { path: "src/engine" }],
    ["list the allowed directories", "mcp__filesystem__list_allowed_directories", {}],
    ["list the directory src with sizes", "mcp__filesystem__list_directory_with_sizes", { path: "src" }],
    ["show the directory tree of /tmp/x", "mcp__filesystem__directory_tree", { path: "/tmp/x" }],
    ["read the file README.md", "read_file", { path: "README.md" }],
    ["read README.md with the filesystem server", "mcp__filesystem__read_file", { path: "README.md" }],
    ["write 'some text' to notes/a.txt", "write_file", { content: "some text", path: "notes/a.txt" }],
    ["grep for 'Layer' in src/engine", "grep", { pattern: "Layer", path: "src/engine" }],
    ["run the command `ls -la | wc`", "bash", { command: "ls -la | wc" }],
    ["run ls -la", "bash", { command: "ls -la" }],
    ["move a.txt to b/c.txt", "mcp__filesystem__move_file", { source: "a.txt", destination: "b/c.txt" }],
    ["create the directory tmp/new", "mcp__filesystem__create_directory", { path: "tmp/new" }],
    ["get the structured content for Chicago", "mcp__everything__get_structured_content", { location: "Chicago" }],
    ["use get-sum with 4 and 5", "mcp__everything__get_sum", { a: 4, b: 5 }],
    ["mcp__everything__get_tiny_image", "mcp__everything__get_tiny_image", {}],
    [
      "get the annotated message of type error with image",
      "mcp__everything__get_annotated_message",
      { messageType: "error", includeImage: true }
    ],
    [
      "trigger the long running operation duration=1 steps=2",
      "mcp__everything__trigger_long_running_operation",
      { duration: 1, steps: 2 }
    ],
    ["read the memory graph", "mcp__memory__read_graph", {}],
    ["create a file called x.txt with 'hi'", "mcp__filesystem__write_file", { path: "x.txt", content: "hi" }],
    ["show me the environment", "mcp__everything__get_env", {}],
    ["search the nodes for 'Ada'", "mcp__memory__search_nodes", { query: "Ada" }],
    [
      'create entities [{"name":"Ada","entityType":"person","observations":[]}]',
      "mcp__memory__create_entities",
      { entities: [{ name: "Ada", entityType: "person", observations: [] }] }
    ],
    ["read multiple files a.txt and b.txt", "mcp__filesystem__read_multiple_files", { paths: ["a.txt", "b.txt"] }]
  ])("%s", (prompt, name, args) => {
    expect(call(prompt)).toEqual([name, args])
  })

  it.each([
    "hello",
    "Tell me a joke",
    "What is the meaning of life?",
    "",
    "sing",
    "how are you",
    "delete everything",
    "open the browser",
    "find all typescript files",
    "edit the file a.txt"
  ])("%j fits no tool, and the answer says so", (prompt) => {
    expect(OfflinePlanner.plan(prompt, tools, [])).toMatchObject({
      _tag: "Answer",
      text: expect.stringContaining("offline model")
    })
  })

  it("what nearly fits is named, with what is missing", () => {
    expect(call("edit the file a.txt")).toContain("edit_file")
    expect(call("move the file a.txt")).toContain("destination=")
  })

  it("without any tool it says so", () => {
    expect(OfflinePlanner.plan("echo 'x'", [], [])).toMatchObject({ _tag: "Answer" })
  })
})

describe("several steps", () => {
  it.each([
    ["echo 'a' then echo 'b'", ["echo 'a'", "echo 'b'"]],
    ["echo 'a; then b'; echo 'c'", ["echo 'a; then b'", "echo 'c'"]],
    ["echo 'a', and then add 1 and 2", ["echo 'a'", "add 1 and 2"]],
    ["Echo 'a' and list the files in . Then read x.md", ["Echo 'a'", "list the files in", "read x.md"]],
    ["1. echo 'a'\n2. add 1 and 2\n3) list src", ["echo 'a'", "add 1 and 2", "list src"]],
    ["- echo 'a'\n- echo 'b'", ["echo 'a'", "echo 'b'"]],
    ['echo {"message":"a; then b"}', ['echo {"message":"a; then b"}']],
    ["First echo 'a'. Read b.md", ["First echo 'a'", "Read b.md"]]
  ])("%j", (prompt, expected) => {
    expect(OfflinePlanner.steps(prompt)).toEqual(expected)
  })

  it("are done one after the other, and a result can be used in the next", () => {
    const prompt = "list the files in . then write the result to out.txt; echo '{{previous}}!'"
    const listed = made("mcp__filesystem__list_directory", "[FILE] a.txt")
    const written = made("write_file", "ok")
    expect(call(prompt)).toEqual(["mcp__filesystem__list_directory", { path: "." }])
    expect(call(prompt, [listed])).toEqual(["write_file", { content: "[FILE] a.txt", path: "out.txt" }])
    expect(call(prompt, [listed, written])).toEqual(["mcp__everything__echo", { message: "ok!" }])
    const answer = call(prompt, [listed, written, made("mcp__everything__echo", "Echo: ok!")])
    expect(answer).toContain("[FILE] a.txt")
    expect(answer).toContain("Echo: ok!")
  })

  it("end with the one that fails, told plainly", () => {
    const answer = call("echo 'a' then echo 'b'", [made("mcp__everything__echo", "Error: denied", true)])
    expect(answer).toContain("failed")
    expect(answer).toContain("Error: denied")
  })

  it("go on after one that fits no tool", () => {
    expect(call("sing; echo 'b'")).toEqual(["mcp__everything__echo", { message: "b" }])
  })
})
