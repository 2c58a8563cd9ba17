import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as McpConfig from "../../src/mcp/McpConfig.ts"

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/config/${name}`, import.meta.url))

/** A home with a project in it, and what `load` says of them. */
const makeHome = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const home = yield* fs.makeTempDirectoryScoped()
  const cwd = `${home}/project`
  yield* fs.makeDirectory(cwd)
  yield* fs.makeDirectory(`${home}/.config/harness9`, { recursive: true })
  const project = `${cwd}/.mcp.json`
  const user = `${home}/.config/harness9/mcp.json`
  return {
    home,
    cwd,
    project,
    user,
    write: (path: string, servers: unknown) => fs.writeFileString(path, JSON.stringify({ mcpServers: servers })),
    writeText: (path: string, text: string) => fs.writeFileString(path, text),
    load: (options: McpConfig.LoadOptions = {}) => McpConfig.load({ cwd, env: { HOME: home }, ...options })
  }
})

const entry = (command: string) => ({ command })

layer(NodeFileSystem.layer)("McpConfig.load", (it) => {
  describe("without a named file", () => {
    it.scoped("no file at all is an empty configuration, silently", () =>
      Effect.gen(function* () {
        const { load } = yield* makeHome
        expect(yield* load()).toEqual(McpConfig.empty)
      })
    )

    it.scoped("the project's entries come first and win by name, whole", () =>
      Effect.gen(function* () {
        const { load, project, user, write } = yield* makeHome
        yield* write(project, { z: entry("project-z"), both: entry("project-both") })
        yield* write(user, { a: entry("user-a"), both: { command: "user-both", env: { K: "v" } } })
        const { files, problems, servers } = yield* load()
        expect(servers.map(({ name, source }) => [name, source])).toEqual([
          ["z", project],
          ["both", project],
          ["a", user]
        ])
        expect(servers[1]?.transport).toMatchObject({ command: "project-both", env: {} })
        expect(problems).toEqual([])
        expect(files).toEqual([project, user])
      })
    )

    it.scoped(
      "a project's broken entry hides the user's of the same name, and problems of hidden entries are not told",
      () =>
        Effect.gen(function* () {
          const { load, project, user, write } = yield* makeHome
          yield* write(project, { a: {}, b: entry("b") })
          yield* write(user, { a: entry("user-a"), b: {} })
          const { problems, servers } = yield* load()
          expect(servers.map(({ name }) => name)).toEqual(["b"])
          expect(problems).toMatchObject([{ server: "a", path: project }])
        })
    )

    it.scoped("one broken file of two is a problem with its place; the other's servers are there", () =>
      Effect.gen(function* () {
        const { load, project, user, write, writeText } = yield* makeHome
        yield* writeText(project, `{\n  "mcpServers": [,]\n}`)
        yield* write(user, { a: entry("a") })
        const { files, problems, servers } = yield* load()
        expect(servers.map(({ name }) => name)).toEqual(["a"])
        expect(problems).toMatchObject([{ path: project, message: expect.stringContaining(`${project}:2:18: `) }])
        expect(files).toEqual([project, user])
      })
    )

    it.scoped("when every file that there is is broken, that is a failure which names each", () =>
      Effect.gen(function* () {
        const { load, project, user, writeText } = yield* makeHome
        yield* writeText(project, "{")
        expect(yield* Effect.flip(load())).toMatchObject({
          kind: "config",
          message: expect.stringContaining(`${project}:1:2`)
        })
        yield* writeText(user, "]")
        const { message } = yield* Effect.flip(load())
        expect(message).toContain(`${project}:1:2`)
        expect(message).toContain(`${user}:1:1`)
      })
    )

    it.scoped("what cannot be read as a file is broken, not absent", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { load, project } = yield* makeHome
        yield* fs.makeDirectory(project)
        expect((yield* Effect.flip(load())).message).toContain(`${project} cannot be read`)
      })
    )

    it.scoped("XDG_CONFIG_HOME moves the user's file, unless it is relative", () =>
      Effect.gen(function* () {
        const { cwd, home, project, user } = yield* makeHome
        const paths = (env: Record<string, string>) => McpConfig.locations({ cwd, env }).map(({ path }) => path)
        expect(paths({ HOME: home, XDG_CONFIG_HOME: "/xdg" })).toEqual([project, "/xdg/harness9/mcp.json"])
        expect(paths({ HOME: home, XDG_CONFIG_HOME: "xdg" })).toEqual([project, user])
        expect(paths({ HOME: home, XDG_CONFIG_HOME: "" })).toEqual([project, user])
        expect(paths({})).toEqual([project])
      })
    )

    it.scoped(
      "a project's programs start in its folder; a user's where harness9 runs, or in a folder relative to the file",
      () =>
        Effect.gen(function* () {
          const { cwd, home, load, project, user, write } = yield* makeHome
          yield* write(project, { a: entry("a") })
          yield* write(user, { b: entry("b"), c: { command: "c", cwd: "sub" } })
          const { servers } = yield* load()
          expect(servers.map(({ transport }) => (transport._tag === "stdio" ? transport.cwd : ""))).toEqual([
            cwd,
            cwd,
            `${home}/.config/harness9/sub`
          ])
        })
    )
  })

  describe("with a named file", () => {
    it.scoped("that file alone is read, and its folder is where programs start", () =>
      Effect.gen(function* () {
        const { home, load, project, user, write } = yield* makeHome
        yield* write(project, { a: entry("a") })
        yield* write(user, { b: entry("b") })
        yield* write(`${home}/other.json`, { c: entry("c") })
        const { files, servers } = yield* load({ file: "../other.json" })
        expect(servers).toMatchObject([{ name: "c", source: `${home}/other.json`, transport: { cwd: home } }])
        expect(files).toEqual([`${home}/other.json`])
      })
    )

    it.scoped("one that is missing or broken is a failure", () =>
      Effect.gen(function* () {
        const { cwd, load, writeText } = yield* makeHome
        expect(yield* Effect.flip(load({ file: "no.json" }))).toMatchObject({
          kind: "config",
          phase: "config",
          message: `${cwd}/no.json does not exist`
        })
        yield* writeText(`${cwd}/bad.json`, `{ "mcpServers": { "a": } }`)
        expect((yield* Effect.flip(load({ file: "bad.json" }))).message).toContain(`${cwd}/bad.json:1:24: `)
      })
    )

    it.effect("a byte order mark is dropped", () =>
      Effect.gen(function* () {
        const { problems, servers } = yield* McpConfig.load({ file: fixture("bom.json"), env: {} })
        expect(servers.map(({ name }) => name)).toEqual(["a"])
        expect(problems).toEqual([])
      })
    )

    for (const [name, encoding] of [
      ["utf16le.json", "is encoded as UTF-16"],
      ["utf16be-unmarked.json", "is encoded as UTF-16"],
      ["latin1.json", "is not encoded as UTF-8"]
    ] as const) {
      it.effect(`${name} is refused by the name of what is wrong with it`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(McpConfig.load({ file: fixture(name), env: {} }))
          expect(error.message).toBe(`${fixture(name)} ${encoding}`)
          expect(error.hint).toBe("save the file as UTF-8")
        })
      )
    }
  })

  describe("a command with spaces", () => {
    it.scoped("that is no program gets the hint to use args, without telling the rest of it", () =>
      Effect.gen(function* () {
        const { load, project, write } = yield* makeHome
        yield* write(project, {
          a: entry("node server.mjs --key hunter2"),
          off: { command: "npx -y x", disabled: true }
        })
        const { problems, servers } = yield* load()
        expect(servers.map(({ name }) => name)).toEqual(["a", "off"])
        expect(problems).toMatchObject([
          { server: "a", path: project, message: expect.stringContaining(`"command": "node"`) }
        ])
        expect(problems[0]?.message).not.toContain("hunter2")
      })
    )

    it.scoped("that is a program, by its path or on the PATH, is left alone", () =>
      Effect.gen(function* () {
        const { cwd, home, load, project, write, writeText } = yield* makeHome
        yield* writeText(`${cwd}/my server`, "")
        yield* write(project, {
          path: entry("./my server"),
          absolute: entry(`${cwd}/my server`),
          onPath: entry("my server")
        })
        const { problems } = yield* load({ env: { HOME: home, PATH: `/nowhere:${cwd}` } })
        expect(problems).toEqual([])
      })
    )
  })

  it.scoped("a file that cannot be parsed is left as it is", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { load, project, writeText } = yield* makeHome
      yield* writeText(project, "{ not json")
      yield* Effect.flip(load())
      expect(yield* fs.readFileString(project)).toBe("{ not json")
    })
  )

  it.scoped("is a Layer too", () =>
    Effect.gen(function* () {
      const { cwd, home, project, write } = yield* makeHome
      yield* write(project, { a: entry("a") })
      const config = yield* Effect.provide(McpConfig.McpConfig, McpConfig.layer({ cwd, env: { HOME: home } }))
      expect(config.servers.map(({ name }) => name)).toEqual(["a"])
    })
  )
})
