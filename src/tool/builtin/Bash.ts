/**
 * `bash`: a shell command in the working directory, with a process group of its own that ends with the call.
 *
 * @since 0.1.0
 */
import type { Readable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as ProcessTree from "../../mcp/internal/stdio/ProcessTree.ts"
import * as Sandbox from "../../mcp/Sandbox.ts"
import * as OutputTail from "../internal/OutputTail.ts"
import * as ShellEnvironment from "../internal/ShellEnvironment.ts"
import * as OutputBudget from "../OutputBudget.ts"
import { failure, type Tool, text } from "../Tool.ts"
import * as BuiltinTool from "./BuiltinTool.ts"
import type { Workspace } from "./Workspace.ts"

const defaultSeconds = 60
const maxSeconds = 600

/** How much of the output is held. */
const heldCharacters = 10_000_000

/** What a process is given after SIGTERM, and pipes that others hold open after the shell has ended. */
const grace = Duration.seconds(1)

const parameters = Schema.Struct({
  command: BuiltinTool.required(Schema.NonEmptyString, "The command, for bash."),
  timeout_seconds: BuiltinTool.optional(
    Schema.Number.pipe(Schema.positive(), Schema.lessThanOrEqualTo(maxSeconds)),
    `How long it may take, at most ${maxSeconds}. Default: ${defaultSeconds}.`
  )
})

/**
 * The tool; with a sandbox, its commands are confined or not run at all.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (workspace: Workspace, sandbox?: Sandbox.Sandbox): Tool =>
  BuiltinTool.make({
    name: "bash",
    description:
      "Runs a shell command in the working directory and gives its output, stdout and stderr together. It has no terminal and no input; each call is a new shell; what it starts in the background ends with it." +
      (sandbox === undefined ? "" : ` It is confined: it ${Sandbox.describe(sandbox)}.`),
    parameters,
    hints: { readOnly: false, destructive: true, idempotent: false },
    timeout: Duration.seconds(maxSeconds),
    run: Effect.fnUntraced(function* ({ command, timeout_seconds = defaultSeconds }, { timeout }) {
      const output = OutputTail.make(heldCharacters)
      const limit = Duration.min(timeout, Duration.seconds(timeout_seconds))
      const ending = yield* runShell(command, workspace.root, sandbox, output).pipe(
        Effect.timeoutOption(limit),
        Effect.scoped
      )
      const account = Option.match(ending, {
        onNone: () => `[stopped: it took longer than ${Duration.format(limit)}]`,
        onSome: accountOf
      })
      const told = output.text().trimEnd()
      if (account === undefined) return yield* OutputBudget.apply(text(told === "" ? "(no output)" : told))
      return yield* OutputBudget.apply(failure(told === "" ? account : `${told}\n${account}`))
    })
  })

const accountOf = (ending: ProcessTree.Ending): string | undefined => {
  if (ending._tag === "NeverRan") return ending.error.message
  if (ending.signal !== null) return `[ended by ${ending.signal}]`
  return ending.code === 0 ? undefined : `[exit code ${ending.code}]`
}

/** Closing the Scope ends the shell and all that it has started. */
const runShell = Effect.fnUntraced(function* (
  command: string,
  cwd: string,
  sandbox: Sandbox.Sandbox | undefined,
  output: OutputTail.OutputTail
) {
  const shell = (name: string) => spawn(name, command, cwd, sandbox)
  const tree = yield* Effect.orElse(shell("bash"), () => shell("sh")).pipe(
    Effect.mapError(({ message }) => new BuiltinTool.Refusal({ message }))
  )
  yield* Effect.addFinalizer(() => terminate(tree))
  tree.stdin.end()
  collect(tree.stdout, output)
  collect(tree.stderr, output)
  const ending = yield* Deferred.await(tree.ended)
  yield* Effect.timeoutOption(Deferred.await(tree.drained), grace.pipe(Duration.times(0.1)))
  yield* terminate(tree)
  yield* Effect.timeoutOption(Deferred.await(tree.drained), grace)
  return ending
})

const spawn = (
  shell: string,
  command: string,
  cwd: string,
  sandbox: Sandbox.Sandbox | undefined
): Effect.Effect<ProcessTree.ProcessTree, { readonly message: string }, Scope.Scope> =>
  Effect.gen(function* () {
    const program = { command: shell, args: ["-c", command], cwd }
    const started = sandbox === undefined ? program : yield* confine(sandbox, program)
    return yield* ProcessTree.spawn({
      server: "bash",
      command: started.command,
      args: started.args,
      env: ShellEnvironment.make(process.env),
      cwd,
      grace
    })
  })

const confine = Effect.fnUntraced(function* (sandbox: Sandbox.Sandbox, program: Sandbox.Program) {
  const kept = yield* OutputBudget.directory
  return yield* Sandbox.confine(sandbox, { ...program, reads: kept === undefined ? [] : [kept] }).pipe(
    Effect.mapError(({ hint, message }) => ({
      message: `The command was not run, since it is to be confined and cannot be: ${message}. ${hint}`
    }))
  )
})

/** The first, friendly signal; the Scope sees to the rest. */
const terminate = ({ pid }: ProcessTree.ProcessTree): Effect.Effect<void> =>
  Effect.ignore(Effect.try(() => process.kill(-pid, "SIGTERM")))

const collect = (stream: Readable, output: OutputTail.OutputTail): void => {
  const decoder = new StringDecoder("utf8")
  stream.on("data", (chunk: Buffer) => output.add(decoder.write(chunk)))
  stream.on("end", () => output.add(decoder.end()))
}
