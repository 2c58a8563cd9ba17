/**
 * A key in the operating system's keychain, made at the first use: by `secret-tool` on Linux, by `security` on macOS. It is handed
 * over by stdin, never as an argument.
 */
import { randomBytes } from "node:crypto"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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
      stdin: `add-generic-password -U -s "${item}" -a harness9 -w ${key}\n`
    })
  }
}

/** The key; none where there is no keychain, or none that answers. */
export const key: Effect.Effect<Option.Option<Uint8Array>> = Effect.suspend(() => {
  const keychain = access[process.platform]
  if (keychain === undefined) return Effect.succeedNone
  const find: Effect.Effect<Option.Option<string>, Program.ProgramFailed> = Effect.map(
    Program.run(keychain.find),
    ({ stdout }) => Option.liftPredicate(isKey)(stdout.trim())
  )
  const create = Effect.suspend(() => Program.run(keychain.store(randomBytes(32).toString("hex"))))
  return find.pipe(
    // A key that is not there is told by the exit code, and so is a keychain that cannot be asked: making one tells them apart.
    Effect.catchIf(
      ({ started }) => started,
      () => Effect.succeed(Option.none<string>())
    ),
    Effect.flatMap((found) => (Option.isSome(found) ? Effect.succeed(found) : Effect.zipRight(create, find))),
    Effect.timeout(patience),
    Effect.orElseSucceed(() => Option.none<string>()),
    Effect.map(Option.map((hex) => Buffer.from(hex, "hex")))
  )
})

const isKey = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
