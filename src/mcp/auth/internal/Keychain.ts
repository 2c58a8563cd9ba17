/**
 * A key in the operating system's keychain, made at the first use: by `secret-tool` on Linux, by `security` on macOS. It is handed
 * over by stdin, never as an argument.
 */
import { randomBytes } from "node:crypto"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Program from "./Program.ts"

/** A keychain that asks for its password may keep a program waiting where nobody sees it. */
const patience = Duration.seconds(10)

const item = "harness9 credentials key"

interface Access {
  readonly find: Program.Call
  readonly store: (key: string) => Program.Call
}

const access: Partial<Readonly<Record<NodeJS.Platform, Access>>> = {
  linux: {
    find: { command: ["secret-tool", "lookup", "application", "harness9", "item", "credentials-key"] },
    store: (key) => ({
      command: ["secret-tool", "store", `--label=${item}`, "application", "harness9", "item", "credentials-key"],
      stdin: key
    })
  },
  darwin: {
    find: { command: ["security", "find-generic-password", "-s", item, "-a", "harness9", "-w"] },
    store: (key) => ({
      command: ["security", "-i"],
      // Without -U: a key that is there and could not be read is not lost.
      stdin: `add-generic-password -s "${item}" -a harness9 -w ${key}\n`
    })
  }
}

/** The key, or why there is none. */
export const keyOn = (platform: NodeJS.Platform): Effect.Effect<Either.Either<Uint8Array, string>> =>
  Effect.suspend(() => {
    const keychain = access[platform]
    if (keychain === undefined) return Effect.fail("this system has no keychain that harness9 knows")
    const [program] = keychain.find.command
    const find = Effect.map(Program.run(keychain.find), ({ stdout }) => stdout.trim())
    const create = Effect.suspend(() => Program.run(keychain.store(randomBytes(32).toString("hex"))))
    return find.pipe(
      // A key that is not there is told by the exit code, and so is a keychain that cannot be asked: making one tells them apart.
      Effect.catchIf(
        ({ started }) => started,
        () => Effect.succeed("")
      ),
      Effect.flatMap((found) => (isKey(found) ? Effect.succeed(found) : Effect.zipRight(create, find))),
      Effect.mapError(({ message, started }) => (started ? message : `${program} is not there`)),
      Effect.filterOrFail(isKey, () => `${program} does not give back the key that it was given`),
      Effect.timeoutFail({
        duration: patience,
        onTimeout: () => `${program} did not answer within ${Duration.format(patience)}`
      })
    )
  }).pipe(
    Effect.map((hex) => Buffer.from(hex, "hex")),
    Effect.either
  )

const isKey = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
