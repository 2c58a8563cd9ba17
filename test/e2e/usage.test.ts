import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commands } from "../../src/cli/commands.ts"
import { version } from "../../src/mcp/internal/version.ts"
import { configured, fixture, run } from "./cli.ts"

const lines = (text: string) => text.trimEnd().split("\n")

describe("the command line", () => {
  it.live("answers the version", () =>
    Effect.gen(function* () {
      for (const args of [["--version"], ["-v"], ["--log-level", "debug", "--version"]]) {
        expect(yield* run(args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" })
      }
    })
  )

  it.live("has help with examples for each command, on stdout, without colours when nobody reads it", () =>
    Effect.gen(function* () {
      const helpOf = (name: string) => run([...name.split(" ").filter((word) => word !== ""), "--help"])
      const helps = yield* Effect.forEach(commands, ({ name }) => helpOf(name), { concurrency: 2 })
      for (const [index, { name }] of commands.entries()) {
        const help = helps[index]
        expect(help).toMatchObject({ code: 0, stderr: "" })
        expect(help?.stdout).toContain(`harness9 ${name}`.trimEnd())
        expect(help?.stdout).toContain("Examples")
        expect(help?.stdout).toContain("--log-level")
        expect(help?.stdout).not.toContain("\x1b")
      }
    })
  )

  it.live("lists every command in the help of the program and of a group", () =>
    Effect.gen(function* () {
      const whole = yield* run(["-h"])
      const group = yield* run(["mcp", "--help"])
      for (const { name } of commands) {
        expect(whole.stdout).toContain(`harness9 ${name}`)
        if (name.startsWith("mcp ")) expect(group.stdout).toContain(`harness9 ${name}`)
      }
      expect(group.stdout).not.toContain("harness9 run")
    })
  )

  it.live.each([
    [["rum", "x"], 'unknown command "rum"', "did you mean run?"],
    [["mcp", "lst"], 'unknown command "mcp lst"', "did you mean list?"],
    [["mcp"], "harness9 mcp needs a command", "see harness9 mcp --help"],
    [["mcp", "call", "only"], "Missing argument <TOOL>", "see harness9 mcp call --help"],
    [["mcp", "list", "extra"], 'unexpected argument "extra"', "see harness9 mcp list --help"],
    [["mcp", "list", "--jsn"], "unknown option --jsn", "did you mean --json?"],
    [["run", "x", "--output", "xml"], '--output: "xml" is none of text, json, stream-json', "see harness9 run --help"],
    [["run", "x", "--max-turns", "0"], '--max-turns: "0" is no whole number of at least 1', "see harness9 run --help"],
    [["run", "  "], "the prompt is empty", "see harness9 run --help"],
    [["mcp", "list", "--log-level", "loud"], '--log-level: "loud" is none of', "see harness9 mcp list --help"]
  ] as const)("%j is told once, in plain words, with exit code 2", ([args, message, hint]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
      expect(lines(stderr)).toHaveLength(2)
      expect(stderr).toContain(`harness9: ${message}`)
      expect(stderr).toContain(hint)
    })
  )

  it.live("says what a duration looks like", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* run(["mcp", "list", "--connect-timeout", "soon"])
      expect(code).toBe(2)
      expect(stderr).toContain('--connect-timeout: "soon" must be a time such as "30 seconds", "30s", "500ms" or "2m"')
    })
  )

  it.live("reads options before, between and after the words of a command", () =>
    Effect.gen(function* () {
      const config = yield* configured({ it: fixture("cli/server.mjs") })
      const words = ["mcp", "call", "it", "echo", "text=--json"]
      const expected = { code: 0, stdout: expect.stringContaining('"text":"{\\"text\\":\\"--json\\"}"') }
      expect(yield* run(["--json", "--config", config, ...words])).toMatchObject(expected)
      expect(yield* run(["mcp", `--config=${config}`, "call", "--json", "it", "echo", "text=--json"])).toMatchObject(
        expected
      )
      expect(yield* run([...words.slice(0, 4), "--json", "--config", config, "--", "text=--json"])).toMatchObject(
        expected
      )
    }).pipe(Effect.scoped)
  )

  it.live("explains a kind of failure, a command and a group; what is neither is told with what is near", () =>
    Effect.gen(function* () {
      const spawn = yield* run(["help", "spawn"])
      expect(spawn).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringMatching(/^spawn {2}\S.*\n\n\S.*\n {2}→ /)
      })
      expect(yield* run(["help", "mcp", "call"])).toEqual(yield* run(["mcp", "call", "--help"]))
      expect(yield* run(["help", "mcp"])).toEqual(yield* run(["mcp", "--help"]))
      const unknown = yield* run(["help", "spwan"])
      expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean spawn?") })
    })
  )

  it.scopedLive("a failure of a server names the page that explains it, in whatever command it is met", () =>
    Effect.gen(function* () {
      const config = yield* configured({ gone: { command: "no-such-program-anywhere", required: true } })
      const commands = ["mcp list", "mcp call gone x", "mcp get gone", "mcp doctor gone", "run hello"]
      for (const words of commands) {
        const { stderr, stdout } = yield* run([...words.split(" "), "--config", config])
        expect(stdout + stderr, words).toContain("more: harness9 help spawn")
      }
    })
  )
})
