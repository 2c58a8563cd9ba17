import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Browser from "../../../src/mcp/auth/Browser.ts"
import { environment, folder } from "./harness.ts"

const open = (url: string) =>
  Effect.flatMap(Browser.Browser, (browser) => browser.open(new URL(url))).pipe(Effect.provide(Browser.layer))

/** An `xdg-open` of the test's own in an otherwise usual environment. */
const withOpener = (script: string) =>
  Effect.gen(function* () {
    const bin = yield* folder
    yield* Effect.promise(async () => {
      await writeFile(join(bin, "xdg-open"), `#!/bin/sh\n${script}`)
      await chmod(join(bin, "xdg-open"), 0o755)
    })
    yield* environment({ PATH: `${bin}:${process.env.PATH}`, DISPLAY: ":0" })
    return bin
  })

/** What a file says once it is there. */
const written = (path: string) =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.filterOrFail((text) => text.endsWith("\n")),
    Effect.retry(Schedule.spaced("20 millis"))
  )

describe.runIf(process.platform === "linux")("the browser", () => {
  it.scopedLive("gets the address as it is, whatever a shell would make of it", () =>
    Effect.gen(function* () {
      const bin = yield* withOpener('printf "%s\\n" "$#" "$1" > "$(dirname "$0")/got"')
      const url = "https://example.com/a?b=$(touch%20x)&c=`d`;e&f='g'"
      expect(yield* open(url)).toBe(true)
      expect(yield* written(join(bin, "got"))).toBe(`1\n${new URL(url).href}\n`)
    })
  )

  it.scopedLive("lives on when the program that opened it has ended", () =>
    Effect.gen(function* () {
      const bin = yield* withOpener('(sleep 1; echo alive > "$(dirname "$0")/later") &')
      expect(yield* open("https://example.com")).toBe(true)
      expect(yield* written(join(bin, "later"))).toBe("alive\n")
    })
  )

  it.scopedLive("is none where its program fails, where there is no screen, and for what is no web page", () =>
    Effect.gen(function* () {
      yield* withOpener("exit 3")
      expect(yield* open("https://example.com")).toBe(false)
      yield* withOpener("exit 0")
      expect(yield* open("file:///etc/passwd")).toBe(false)
      yield* environment({ DISPLAY: undefined, WAYLAND_DISPLAY: undefined, WSL_DISTRO_NAME: undefined })
      expect(yield* open("https://example.com")).toBe(false)
    })
  )
})
