import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { Client, Credentials, isEnding, isOver } from "../../../src/mcp/auth/Credentials.ts"
import * as FileLock from "../../../src/mcp/auth/internal/FileLock.ts"
import * as TokenStore from "../../../src/mcp/auth/TokenStore.ts"
import { environment, folder } from "./harness.ts"

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

/** A `secret-tool` that keeps its secret in a file, as the real one is called. */
const fakeKeychain = (at: string) => `#!/bin/sh
case "$1" in
  lookup) [ -f ${at} ] && cat ${at} || exit 1 ;;
  store) cat > ${at} ;;
esac`

describe.runIf(process.platform === "linux")("a token store with a keychain", () => {
  it.scopedLive("seals its files with a key of the keychain, and opens them in the next run", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const [bin, directory] = [join(home, "bin"), join(home, "credentials")]
      yield* Effect.promise(async () => {
        await mkdir(bin)
        await writeFile(join(bin, "secret-tool"), fakeKeychain(join(home, "key")))
        await chmod(join(bin, "secret-tool"), 0o755)
      })
      yield* environment({ PATH: `${bin}${delimiter}${process.env.PATH}` })
      const layer = TokenStore.layerFile({ directory, keychain: true })
      yield* Effect.provide(
        Effect.flatMap(TokenStore.TokenStore, (store) => store.save(credentials("https://a/mcp", "https://one"))),
        layer
      )
      const { path, text } = yield* textOf(directory)
      expect(text).toMatch(/^sealed:1:/)
      expect(text).not.toContain("secret")
      expect((yield* Effect.promise(() => readFile(join(home, "key"), "utf8"))).trim()).toMatch(/^[0-9a-f]{64}$/)
      const load = Effect.flatMap(TokenStore.TokenStore, (store) => store.load("https://a/mcp"))
      expect(yield* Effect.provide(load, layer)).toEqual([credentials("https://a/mcp", "https://one")])

      yield* Effect.promise(() => writeFile(path, `${text.slice(0, -8)}AAAAAAA=`))
      expect(yield* Effect.provide(load, layer)).toEqual([])
      yield* Effect.promise(() => writeFile(path, text))
      yield* Effect.promise(() => writeFile(join(home, "key"), "0".repeat(64)))
      expect(yield* Effect.provide(load, layer)).toEqual([])
    })
  )

  it.scopedLive("keeps plain files where there is no keychain, or one that fails", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const save = (directory: string) =>
        Effect.flatMap(TokenStore.TokenStore, (store) => store.save(credentials("https://a/mcp", "https://one"))).pipe(
          Effect.provide(TokenStore.layerFile({ directory: join(home, directory), keychain: true })),
          Effect.zipRight(textOf(join(home, directory)))
        )
      yield* environment({ PATH: join(home, "bin") })
      expect((yield* save("none")).text).toContain('"version":1')
      yield* Effect.promise(async () => {
        await mkdir(join(home, "bin"))
        await writeFile(join(home, "bin", "secret-tool"), "#!/bin/sh\nexit 1")
        await chmod(join(home, "bin", "secret-tool"), 0o755)
      })
      expect((yield* save("failing")).text).toContain('"version":1')
    })
  )
})

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
