import { describe, expect, it } from "@effect/vitest"
import * as ToolFilter from "../../src/tui/ToolFilter.ts"

const tools = [
  { name: "create_issue", description: "Opens an issue" },
  { name: "list_issues", description: "Lists the issues of a repository" },
  { name: "read_file", description: "Reads a file of a Repository" }
]

const found = (filter: string, place = "tracker") => ToolFilter.find(tools, place, filter).map(({ name }) => name)

describe("finding tools", () => {
  it("takes those in which every word is found, in name, description or place", () => {
    expect(found("issue")).toEqual(["create_issue", "list_issues"])
    expect(found("repository read")).toEqual(["read_file"])
    expect(found("track FILE")).toEqual(["read_file"])
    expect(found("nothing")).toEqual([])
  })

  it("takes all without a word", () => {
    expect(found("  ")).toHaveLength(3)
  })

  it("finds the same letter by letter, taken back, and at once", () => {
    const typed = ["i", "is", "issue", "issue ", "issue l", "issue list", "issue l", "issue", "r", "re", "repo f"]
    const slowly = typed.map((filter) => found(filter))
    const fresh = typed.map((filter) => ToolFilter.find([...tools], "tracker", filter).map(({ name }) => name))
    expect(slowly).toEqual(fresh)
  })

  it("knows a place by its name alone", () => {
    expect(ToolFilter.names("GitHub", "git hub")).toBe(true)
    expect(ToolFilter.names("GitHub", "git lab")).toBe(false)
  })
})
