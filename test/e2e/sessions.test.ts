import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { JsonObject } from "../../src/mcp/JsonRpc.ts"
import { modelServer, type Reply } from "../engine/model/modelServer.ts"
import { configured, fixture, folder, run, runJson, signs, start } from "./cli.ts"
import { hasTmux, open } from "./tmux.ts"

/** Someone's home, a project in it, and what a command of theirs is started with. */
const home = Effect.map(folder, (path) => {
  const project = join(path, "project")
  mkdirSync(project)
  return { path, project, sessions: join(path, "state", "harness9", "sessions"), state: join(path, "state") }
})

type Home = Effect.Effect.Success<typeof home>

const at = ({ path, project, state }: Home, env: Readonly<Record<string, string>> = {}) => ({
  cwd: project,
  env: { HOME: path, XDG_STATE_HOME: state, ...env }
})

const offline = ["--model", "offline"]

const eventsOf = (place: Home, id: string): ReadonlyArray<JsonObject> =>
  readFileSync(join(place.sessions, id, "events.ndjson"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

const answer = (content: string): Reply => ({
  events: [{ choices: [{ delta: { content } }] }, { choices: [{ delta: {}, finish_reason: "stop" }] }]
})

describe("sessions", () => {
  it.scopedLive("run keeps the conversation; --continue and --resume send the model all of it again", () =>
    Effect.gen(function* () {
      const place = yield* home
      const { asked, url } = yield* modelServer("/v1/chat/completions", ["one", "two", "three"].map(answer))
      const options = at(place, { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-very-secret" })
      const model = ["--model", "openai/local", "--output", "json"]
      writeFileSync(join(place.project, "AGENTS.md"), "Answer in Norwegian.")
      const first = yield* runJson(["run", "first prompt with sk-very-secret", ...model], options)
      const second = yield* runJson(["run", "--continue", "second prompt", ...model], options)
      const id = String(first.json.session)
      const third = yield* runJson(["run", "third prompt", "--resume", id, ...model], options)
      expect([first, second, third].map(({ code, json }) => [code, json.session])).toEqual([
        [0, id],
        [0, id],
        [0, id]
      ])
      const sent = asked.map(({ body }) => JSON.stringify(body.messages))
      expect(sent[0]).toMatch(/AGENTS\.md.*Answer in Norwegian\./)
      for (const text of ["first prompt with ***", "one", "second prompt", "two", "third prompt"]) {
        expect(sent[2]).toContain(text)
      }
      const file = join(place.sessions, id, "events.ndjson")
      expect(readFileSync(file, "utf8")).not.toContain("sk-very-secret")
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(statSync(place.sessions).mode & 0o777).toBe(0o700)

      const listed = yield* runJson(["sessions", "--json"], options)
      expect(listed.json.sessions).toMatchObject([
        { id, directory: place.project, prompt: "first prompt with ***", turns: 3, inUse: false }
      ])
      const shown = yield* run(["sessions", "show", id], options)
      expect(shown.stdout).toMatch(/> first prompt[\s\S]*one[\s\S]*> second prompt[\s\S]*two/)
      expect((yield* run(["sessions"], options)).stdout).toContain("3 turns")
      const { json } = yield* runJson(["sessions", "show", id, "--json"], options)
      expect(json).toMatchObject({
        id,
        events: expect.arrayContaining([expect.objectContaining({ type: "prompted" })])
      })
      expect((yield* runJson(["sessions", "remove", id, "--json"], options)).json).toEqual({ removed: [id] })
      expect(readdirSync(place.sessions)).toEqual([])
      expect((yield* run(["sessions", "remove", id], options)).code).toBe(2)
    })
  )

  it.scopedLive("a run that is killed with -9 in the middle of a call goes on, and knows that it was", () =>
    Effect.gen(function* () {
      const place = yield* home
      const { arrived, port } = yield* signs
      const config = yield* configured({ it: fixture("cli/server.mjs", { env: { HARNESS9_TEST_PORT: port } }) })
      const words = ["--yes", ...offline, "--config", config]
      const running = yield* start(["run", "wait", ...words], at(place))
      yield* running.until("→ mcp__it__wait")
      yield* arrived(1)
      const [id = ""] = readdirSync(place.sessions)
      const second = yield* run(["run", "--continue", "more", ...words], at(place))
      expect([second.code, second.stderr]).toEqual([2, expect.stringContaining(`the session ${id} is open in another`)])
      yield* running.kill("SIGKILL")
      yield* running.exit
      expect(eventsOf(place, id).at(-1)).toMatchObject({ type: "answered" })

      const { code } = yield* run(["run", "--continue", "what is 1 + 1", ...words], at(place))
      expect(code).toBe(0)
      expect(readdirSync(place.sessions)).toEqual([id])
      expect(eventsOf(place, id).filter(({ type }) => type === "prompted")).toHaveLength(2)
      expect((yield* run(["sessions", "show", id], at(place))).stdout).toContain("→ mcp__it__wait")
    })
  )

  it.scopedLive("what cannot be gone on with is said, with what there is instead", () =>
    Effect.gen(function* () {
      const place = yield* home
      const none = yield* run(["run", "x", "--continue", ...offline], at(place))
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("no session of this directory")])
      yield* run(["run", "say hello", ...offline], at(place))
      const [id = ""] = readdirSync(place.sessions)
      for (const words of [
        ["run", "x", "--resume"],
        ["--resume"],
        ["run", "x", "--resume", "20000101-000000-000000"]
      ]) {
        const { code, stderr } = yield* run([...words, ...offline], at(place))
        expect([code, stderr]).toEqual([2, expect.stringContaining(`${id}  ${place.project}  say hello`)])
      }
      const elsewhere = yield* run(["run", "x", "--continue", ...offline], { ...at(place), cwd: place.path })
      expect(elsewhere.code).toBe(2)
    })
  )

  it.scopedLive("line by line it goes on too; --no-session keeps nothing", () =>
    Effect.gen(function* () {
      const place = yield* home
      yield* run([...offline, "--no-session"], { ...at(place), input: "say hello\n" })
      expect(existsSync(place.sessions)).toBe(false)
      yield* run(offline, { ...at(place), input: "say hello\n" })
      yield* run([...offline, "--continue"], { ...at(place), input: "and again\n" })
      const [id = "", ...others] = readdirSync(place.sessions)
      expect(others).toEqual([])
      expect(
        eventsOf(place, id)
          .filter(({ type }) => type === "prompted")
          .map(({ prompt }) => prompt)
      ).toEqual(["say hello", "and again"])
    })
  )
})

describe.skipIf(!hasTmux)("the terminal UI", () => {
  it.scopedLive(
    "goes on with a session that is chosen from a list, shows what was said, and leaves it for a new one",
    () =>
      Effect.gen(function* () {
        const place = yield* home
        yield* run(["run", "say the first thing", ...offline], at(place))
        yield* run(["run", "say the second thing", ...offline], at(place))
        const ui = yield* open(["--resume", ...offline], { XDG_STATE_HOME: place.state })
        yield* ui.shows("Sessions")
        yield* ui.shows(/› say the second thing/)
        yield* ui.type("j")
        yield* ui.press("Enter")
        yield* ui.shows("going on with session")
        yield* ui.shows("say the first thing")
        yield* ui.type("say the third thing")
        yield* ui.press("Enter")
        yield* ui.shows(/the third thing"[\s\S]* ready/)
        const counts = readdirSync(place.sessions).map((id) => eventsOf(place, id).filter(isPrompt).length)
        expect(counts.sort()).toEqual([1, 2])
        yield* ui.type("/clear")
        yield* ui.press("Enter")
        yield* ui.hides("third thing")
        yield* ui.type("say a new thing")
        yield* ui.press("Enter")
        yield* Effect.repeat(
          Effect.sync(() => readdirSync(place.sessions).length),
          { until: (count) => count === 3, schedule: Schedule.spaced("50 millis") }
        )
      }),
    120_000
  )
})

const isPrompt = ({ type }: JsonObject): boolean => type === "prompted"
