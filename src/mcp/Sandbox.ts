/**
 * A program that can write nowhere and reach no network but where it was allowed to: on Linux, through bubblewrap.
 *
 * The program sees the file system read-only, without the credentials that lie at their usual places in the home folder and
 * without the sockets of the system's services; `/tmp` is its own. It sees no other processes.
 *
 * What was to be confined is never started otherwise: where there is no sandbox, it fails, and says what to do.
 *
 * @since 0.1.0
 */
import { execFile } from "node:child_process"
import { access, constants, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { delimiter, isAbsolute, join, resolve } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as StateHome from "./internal/StateHome.ts"

/**
 * What a confined program may do.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sandbox {
  readonly network: boolean
  /** Files and folders that it may change; absolute. */
  readonly writable: ReadonlyArray<string>
}

/**
 * A program to start.
 *
 * @since 0.1.0
 * @category models
 */
export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Absolute. */
  readonly cwd: string
  /** What it sees of `/tmp`, beside what it is started with. */
  readonly reads?: ReadonlyArray<string> | undefined
}

/**
 * There is no sandbox on this machine, and why.
 *
 * @since 0.1.0
 * @category errors
 */
export class SandboxUnavailable extends Data.TaggedError("SandboxUnavailable")<{
  readonly message: string
  /** What to try. */
  readonly hint: string
}> {}

/**
 * The program as one that is started in the sandbox. Fails when there is none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const confine = (
  sandbox: Sandbox,
  program: Program
): Effect.Effect<Pick<Program, "args" | "command">, SandboxUnavailable> =>
  Effect.gen(function* () {
    const command = yield* available
    const hidden = yield* Effect.forEach(credentials(), hide)
    const args = [
      ...walls,
      ...(sandbox.network ? resolver : ["--unshare-net"]),
      ...namedInTmp(program).flatMap((path) => ["--ro-bind-try", path, path]),
      ...hidden.flat(),
      ...sandbox.writable.flatMap((path) => ["--bind", path, path]),
      ...["--chdir", program.cwd, "--", program.command, ...program.args]
    ]
    return { command, args }
  })

/** Everything read-only, nothing shared, no privilege; the order matters: what comes later lies on top. */
const walls = [
  "--die-with-parent",
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--cap-drop", "ALL"],
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
  // The sockets of the system's services (Docker's among them) can be used without writing to the disk.
  ...["--tmpfs", "/run", "--ro-bind-try", "/run/current-system", "/run/current-system"]
]

const resolver = ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"]

const credentials = (): ReadonlyArray<string> => [
  ...".ssh .gnupg .aws .azure .kube .docker .netrc .git-credentials .config/gcloud .config/gh .config/harness9"
    .split(" ")
    .map((name) => join(homedir(), name)),
  StateHome.path("")
]

const hide = (path: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map((found) => (found.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path])),
    Effect.orElseSucceed(() => [])
  )

/** Of what lies in `/tmp`, the program sees what it was started with. */
const namedInTmp = ({ args, command, cwd, reads = [] }: Program): ReadonlyArray<string> => {
  const paths = [cwd, ...reads, ...[command, ...args].map((text) => resolve(cwd, text))]
  return [...new Set(paths.flatMap((path) => /^\/tmp\/[^/\0]+/.exec(path)?.[0] ?? []))]
}

/**
 * The path of bubblewrap, once it has been seen to work. It is looked for where harness9 itself finds programs.
 *
 * @since 0.1.0
 * @category accessors
 */
export const available: Effect.Effect<string, SandboxUnavailable> = Effect.gen(function* () {
  if (process.platform !== "linux") {
    return yield* unavailable("there is a sandbox on Linux alone", `take "sandbox" out, or run it on Linux`)
  }
  const candidates = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute)
  const found = yield* Effect.findFirst(
    candidates.map((folder) => join(folder, "bwrap")),
    isExecutable
  )
  if (found._tag === "None") {
    return yield* unavailable("bubblewrap is not installed", "install it, for example with: apt-get install bubblewrap")
  }
  yield* tryOut(found.value)
  return found.value
})

const isExecutable = (path: string): Effect.Effect<boolean> =>
  Effect.isSuccess(Effect.tryPromise(() => access(path, constants.X_OK)))

const patience = 10_000

const tryOut = (bwrap: string): Effect.Effect<void, SandboxUnavailable> =>
  Effect.async((resume) => {
    const child = execFile(
      bwrap,
      [...walls, "--unshare-net", "--", "true"],
      { timeout: patience },
      (error, _, stderr) => {
        const [reason = "it ended without a word"] = stderr.trim().split("\n").slice(-1)
        resume(error === null ? Effect.void : unavailable(`bubblewrap does not work here: ${reason}`, namespacesHint))
      }
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const namespacesHint =
  "It needs unprivileged user namespaces: see the settings kernel.unprivileged_userns_clone, user.max_user_namespaces and kernel.apparmor_restrict_unprivileged_userns, or allow them for this container."

const unavailable = (message: string, hint: string) => Effect.fail(new SandboxUnavailable({ message, hint }))

/**
 * What confines the program, in a few words.
 *
 * @since 0.1.0
 * @category formatting
 */
export const describe = ({ network, writable }: Sandbox): string => {
  const writes = writable.length === 0 ? "writes nothing" : `writes only in ${writable.join(", ")}`
  return `${writes}, ${network ? "network" : "no network"}`
}
