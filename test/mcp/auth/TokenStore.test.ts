import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Client, Credentials, isEnding, isOver } from "../../../src/mcp/auth/Credentials.ts"
import * as FileLock from "../../../src/mcp/auth/internal/FileLock.ts"
import * as Keychain from "../../../src/mcp/auth/internal/Keychain.ts"
import * as TokenStore from "../../../src/mcp/auth/TokenStore.ts"
import { environment, folder, logged } from "./harness.ts"

const credentials = (server: string, issuer: string, accessToken = "secret-access-token"): Credentials =>
  new Credentials({
    server,
    issuer,
    resource: server,
    client: new Client({ clientId: "c", clientSecret: "secret-of-client", method: "none", origin: "registered" }),
    accessToken,
    tokenType: "Bearer",
    issuedAt: 1000,
    expiresAt: 2000,
    refreshToken: "secret-refresh-token",
    scopes: ["a"],
    requested: ["a"],
    missing: []
  })

const tokens = (list: ReadonlyArray<Credentials>) => list.map(({ accessToken }) => accessToken)

/** What every store does. */
const behaves = (layer: Layer.Layer<TokenStore.TokenStore>) =>
  Effect.gen(function* () {
    const store = yield* TokenStore.TokenStore
    expect(yield* store.load("https://a/mcp")).toEqual([])
    yield* store.save(credentials("https://a/mcp", "https://one", "1"))
    yield* store.save(credentials("https://a/mcp", "https://two", "2"))
    yield* store.save(credentials("https://a/mcp/", "https://one", "3"))
    expect(tokens(yield* store.load("https://a/mcp"))).toEqual(["2", "1"])
    yield* store.save(credentials("https://a/mcp", "https://one", "4"))
    expect(yield* store.load("https://a/mcp")).toEqual([
      credentials("https://a/mcp", "https://one", "4"),
      credentials("https://a/mcp", "https://two", "2")
    ])
    yield* store.remove("https://a/mcp", "https://one")
    expect(tokens(yield* store.load("https://a/mcp"))).toEqual(["2"])
    yield* store.remove("https://a/mcp")
    expect(yield* store.load("https://a/mcp")).toEqual([])
    expect(tokens(yield* store.load("https://a/mcp/"))).toEqual(["3"])
  }).pipe(Effect.provide(layer))

const textOf = (directory: string) =>
  Effect.promise(async () => {
    const [name = ""] = (await readdir(directory)).filter((file) => file.endsWith(".json"))
    return { path: join(directory, name), text: await readFile(join(directory, name), "utf8") }
  })

describe("a token store", () => {
  it.scopedLive("in memory keeps logins by address and issuer", () => behaves(TokenStore.layerMemory))

  it.scopedLive("in files keeps logins by address and issuer, for the owner alone", () =>
    Effect.gen(function* () {
      const directory = join(yield* folder, "deep", "er")
      yield* behaves(TokenStore.layerFile({ directory }))
      const { path } = yield* textOf(directory)
      expect((yield* Effect.promise(() => stat(path))).mode & 0o777).toBe(0o600)
      expect((yield* Effect.promise(() => stat(directory))).mode & 0o777).toBe(0o700)
      expect((yield* Effect.promise(() => readdir(directory))).filter((name) => name.endsWith(".tmp"))).toEqual([])
    })
  )

  it.scopedLive("takes a damaged file, or one of another address, for a login less", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* Effect.gen(function* () {
        const store = yield* TokenStore.TokenStore
        yield* store.save(credentials("https://a/mcp", "https://one"))
        const { path, text } = yield* textOf(directory)
        for (const damaged of [
          "",
          "{",
          "null",
          "[]",
          '{"version":2,"credentials":[]}',
          text.slice(0, 80),
          text.replaceAll("https://a/mcp", "https://b/mcp"),
          "sealed:1:AAAA"
        ]) {
          yield* Effect.promise(() => writeFile(path, damaged))
          expect(yield* store.load("https://a/mcp")).toEqual([])
        }
      }).pipe(Effect.provide(TokenStore.layerFile({ directory })))
    })
  )

  it.scopedLive("says that it cannot be used, without what was to be written", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "file")
      yield* Effect.promise(() => writeFile(file, ""))
      const error = yield* Effect.flatMap(TokenStore.TokenStore, (store) =>
        Effect.flip(store.save(credentials("https://a/mcp", "https://one")))
      ).pipe(Effect.provide(TokenStore.layerFile({ directory: join(file, "below") })))
      expect(error.message).toContain("cannot be read (ENOTDIR)")
      expect(JSON.stringify(error)).not.toContain("secret")
    })
  )
})

describe.runIf(process.platform !== "win32")("a token store with a keychain", () => {
  const keychains = { linux: secretTool, darwin: security }
  const save = (directory: string, lines: Array<string> = []) =>
    Effect.flatMap(TokenStore.TokenStore, (store) => store.save(credentials("https://a/mcp", "https://one"))).pipe(
      Effect.provide(Layer.merge(TokenStore.layerFile({ directory, keychain: true }), logged(lines))),
      Effect.zipRight(textOf(directory))
    )

  it.scopedLive("seals its files with a key of the keychain, and opens them in the next run", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const directory = join(home, "credentials")
      yield* program(home, "secret-tool", secretTool(home))
      yield* program(home, "security", security(home))
      const lines: Array<string> = []
      const { path, text } = yield* save(directory, lines)
      expect(lines).toEqual([])
      expect(text).toMatch(/^sealed:1:/)
      expect(text).not.toContain("secret")
      const load = Effect.flatMap(TokenStore.TokenStore, (store) => store.load("https://a/mcp")).pipe(
        Effect.provide(Layer.merge(TokenStore.layerFile({ directory, keychain: true }), logged(lines)))
      )
      expect(yield* load).toEqual([credentials("https://a/mcp", "https://one")])

      yield* Effect.promise(() => writeFile(path, `${text.slice(0, -8)}AAAAAAA=`))
      expect(yield* load).toEqual([])
      yield* Effect.promise(() => writeFile(path, text))
      yield* Effect.promise(() => writeFile(join(home, "key"), "0".repeat(64)))
      expect(yield* load).toEqual([])
      expect(lines.join()).toContain("a login is sealed and cannot be opened")
    })
  )

  it.scopedLive.each(["linux", "darwin"] as const)("on %s hands the key over unseen by other users", (platform) =>
    Effect.gen(function* () {
      const home = yield* folder
      yield* program(home, platform === "linux" ? "secret-tool" : "security", keychains[platform](home))
      const made = Either.getOrThrow(yield* Keychain.keyOn(platform))
      expect(made.length).toBe(32)
      expect(yield* Keychain.keyOn(platform)).toEqual(Either.right(made))
      const calls = yield* Effect.promise(() => readFile(join(home, "calls"), "utf8"))
      expect(calls.trim().split("\n")).toHaveLength(4)
      expect(calls).not.toContain(Buffer.from(made).toString("hex"))
    })
  )

  it.scopedLive("never takes the place of a key that macOS does not give out", () =>
    Effect.gen(function* () {
      const home = yield* folder
      yield* program(home, "security", security(home))
      yield* Keychain.keyOn("darwin")
      const before = yield* Effect.promise(() => readFile(join(home, "key"), "utf8"))
      yield* Effect.promise(() => writeFile(join(home, "locked"), ""))
      expect(yield* Keychain.keyOn("darwin")).toEqual(Either.left("security ended with code 51"))
      expect(yield* Effect.promise(() => readFile(join(home, "key"), "utf8"))).toBe(before)
    })
  )

  it.scopedLive.each([
    ["that is not there", undefined, "is not there"],
    ["that fails", "exit 1", "ended with code 1"],
    ["that forgets", "exit 0", "does not give back the key that it was given"]
  ])("%s leaves a file that only its owner can read, and says so", ([, script, why]) =>
    Effect.gen(function* () {
      const home = yield* folder
      const name = process.platform === "darwin" ? "security" : "secret-tool"
      if (script !== undefined) yield* program(home, name, `#!/bin/sh\n${script}`)
      yield* environment({ PATH: join(home, "bin") })
      const lines: Array<string> = []
      const directory = join(home, "credentials")
      const { path, text } = yield* save(directory, lines)
      expect(text).toContain('"version":1')
      expect((yield* Effect.promise(() => stat(path))).mode & 0o777).toBe(0o600)
      expect(lines).toEqual([expect.stringContaining(`kept in ${path}, which only you can read`)])
      expect(lines[0]).toContain(`${name} ${why}`)
      yield* save(directory, lines)
      expect(lines).toHaveLength(1)
    })
  )

  it("is none where harness9 knows none", () =>
    Effect.gen(function* () {
      expect(Either.isLeft(yield* Keychain.keyOn("win32"))).toBe(true)
    }).pipe(Effect.runPromise))
})

/** Puts a program on the path. */
const program = (home: string, name: string, script: string) =>
  Effect.gen(function* () {
    const bin = join(home, "bin")
    yield* Effect.promise(async () => {
      await mkdir(bin, { recursive: true })
      await writeFile(join(bin, name), script)
      await chmod(join(bin, name), 0o755)
    })
    yield* environment({ PATH: `${bin}${delimiter}${process.env.PATH}` })
  })

/** A keychain of Linux that keeps its key in a file, and notes how it was called. */
function secretTool(home: string): string {
  return `#!/bin/sh
echo "$@" >> ${home}/calls
case "$1" in
  lookup) [ -f ${home}/key ] && cat ${home}/key || exit 1 ;;
  store) cat > ${home}/key ;;
esac`
}

/** The keychain of macOS: an item that is there is not made again, and a locked one is not given out. */
function security(home: string): string {
  return `#!/bin/sh
echo "$@" >> ${home}/calls
case "$1" in
  find-generic-password) [ ! -f ${home}/locked ] || exit 51; [ -f ${home}/key ] && cat ${home}/key || exit 44 ;;
  -i) read -r line
    case "$line" in *" -U "*) rm -f ${home}/key ;; esac
    [ -f ${home}/key ] || echo "\${line##* }" > ${home}/key ;;
esac`
}

describe("a lock", () => {
  it.scopedLive("is held by one at a time", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "x.lock")
      let inside = 0
      let most = 0
      const leave = () => {
        inside -= 1
      }
      const step = Effect.sync(() => {
        inside += 1
        most = Math.max(most, inside)
      }).pipe(Effect.zipRight(Effect.sleep("5 millis")), Effect.zipRight(Effect.sync(leave)))
      yield* Effect.all(
        Array.from({ length: 8 }, () => FileLock.exclusively(path)(step)),
        { concurrency: "unbounded" }
      )
      expect(most).toBe(1)
      expect(yield* Effect.promise(() => readdir(join(path, "..")))).toEqual([])
    })
  )

  it.scopedLive("of a process that is dead is taken over", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "x.lock")
      const { hostname } = yield* Effect.promise(() => import("node:os"))
      yield* Effect.promise(() => writeFile(path, `999999999 nonce ${hostname()}`))
      expect(yield* FileLock.exclusively(path)(Effect.succeed("in"))).toBe("in")
    })
  )

  it.scopedLive("is given back after a failure and an interruption", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "x.lock")
      expect(yield* Effect.flip(FileLock.exclusively(path)(Effect.fail("no")))).toBe("no")
      yield* Effect.ignore(Effect.timeout(FileLock.exclusively(path)(Effect.never), "50 millis"))
      expect(yield* FileLock.exclusively(path)(Effect.succeed("in"))).toBe("in")
    })
  )
})

describe("a token", () => {
  const of = (issuedAt: number, expiresAt?: number) =>
    new Credentials({ ...credentials("https://a", "https://b"), issuedAt, expiresAt })

  it.each([
    [0, 3_600_000, 3_539_999, false, false],
    [0, 3_600_000, 3_540_000, true, false],
    [0, 40_000, 29_999, false, false],
    [0, 40_000, 30_000, true, false],
    [0, 40_000, 40_000, true, true],
    [0, undefined, 1e15, false, false]
  ])("issued at %s with its end at %s is, at %s, ending: %s, over: %s", (issuedAt, expiresAt, now, ending, over) => {
    expect(isEnding(of(issuedAt, expiresAt), now)).toBe(ending)
    expect(isOver(of(issuedAt, expiresAt), now)).toBe(over)
  })
})
