import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ShellEnvironment from "../../../src/tool/internal/ShellEnvironment.ts"
import * as OutputBudget from "../../../src/tool/OutputBudget.ts"
import * as Playground from "./Playground.ts"

const works =
  process.platform === "linux" &&
  spawnSync("bwrap", ["--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"]).status === 0

const variable = (name: string, value: string | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = process.env[name]
      set(name, value)
      return before
    }),
    (before) => Effect.sync(() => set(name, before))
  )

const set = (name: string, value: string | undefined): void => {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

describe("the environment of bash", () => {
  it("is the person's own, without the keys of models", () => {
    const kept = { PATH: "/bin", GITHUB_TOKEN: "t", NVM_DIR: "x", MONKEY: "1", OPENAI_BASE_URL: "http://x" }
    const keys = "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY AZURE_OPENAI_API_KEY GEMINI_API_KEY HF_TOKEN"
    const secrets = Object.fromEntries(keys.split(" ").map((name) => [name, "secret"]))
    expect(ShellEnvironment.make({ ...kept, ...secrets, UNSET: undefined })).toEqual(kept)
  })

  it.scopedLive("holds no key that a command could print", () =>
    Effect.gen(function* () {
      yield* variable("ANTHROPIC_API_KEY", "sk-ant-secret")
      yield* variable("HARNESS9_TEST_KEPT", "kept")
      const { success } = yield* Playground.make()
      const printed = yield* success("bash", { command: "env" })
      expect(printed).toContain("HARNESS9_TEST_KEPT=kept")
      expect(printed).not.toContain("sk-ant-secret")
    })
  )
})

describe.runIf(works)("bash in a sandbox", () => {
  const confined = Effect.gen(function* () {
    const workspace = yield* Playground.make({ "a.txt": "a" })
    const tools = yield* Playground.make({}, { sandbox: { network: false, writable: [workspace.root] } })
    return { tools, workspace }
  })

  it.scopedLive("changes what it may, and nothing else", () =>
    Effect.gen(function* () {
      const { tools, workspace } = yield* confined
      expect(yield* tools.success("bash", { command: `echo b > ${workspace.at("b.txt")}` })).toBe("(no output)")
      expect(workspace.read("b.txt")).toBe("b\n")
      expect(yield* tools.failure("bash", { command: "echo c > c.txt" })).toContain("Read-only file system")
      expect(fs.existsSync(tools.at("c.txt"))).toBe(false)
    })
  )

  it.scopedLive("tells the model how it is confined", () =>
    Effect.gen(function* () {
      const { tools } = yield* confined
      expect(tools.tools[0]?.description).toMatch(/It is confined: it writes only in .*, no network\.$/)
    })
  )

  it.scopedLive("can read the outputs that were put aside", () =>
    Effect.gen(function* () {
      const directory = fs.mkdtempSync("/tmp/harness9-kept-")
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(directory, { recursive: true })))
      fs.writeFileSync(path.join(directory, "whole.txt"), "whole output")
      const { tools } = yield* confined
      const read = tools.success("bash", { command: `cat ${directory}/whole.txt` })
      const settings = { maxCharacters: 100, directory }
      expect(yield* Effect.provideService(read, OutputBudget.OutputBudget, settings)).toBe("whole output")
    })
  )

  it.scopedLive("stops with its children when its time is over", () =>
    Effect.gen(function* () {
      const { tools } = yield* confined
      const stopped = yield* tools.failure("bash", { command: "sleep 1000 & sleep 1000", timeout_seconds: 0.5 })
      expect(stopped).toContain("took longer than")
    })
  )
})

describe("where there is no sandbox", () => {
  it.scopedLive("a command that is to be confined is not run", () =>
    Effect.gen(function* () {
      const tools = yield* Playground.make({}, { sandbox: { network: false, writable: [] } })
      yield* variable("PATH", "/nowhere")
      expect(yield* tools.failure("bash", { command: "echo ran > ran.txt" })).toContain("The command was not run")
      expect(fs.existsSync(tools.at("ran.txt"))).toBe(false)
    })
  )
})
