import { execFileSync } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import { root } from "./cli.ts"

describe("npm start without a terminal", () => {
  it("runs a prompt through two real servers and prints what they said", () => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME }
    const stdout = execFileSync("npm", ["start", "--silent"], {
      cwd: root,
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    expect(stdout).toContain("mcp__everything__echo")
    expect(stdout).toContain("hello from harness9")
    expect(stdout).toContain("mcp__filesystem__")
    expect(stdout).toContain(root.replace(/\/$/, ""))
  }, 120_000)
})
