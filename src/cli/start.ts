/**
 * The edge between the process and the program: signals interrupt it, its end is the process's exit code.
 *
 * @since 0.1.0
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { visible } from "../mcp/VisibleText.ts"
import * as Cli from "./Cli.ts"
import { type CliError, ExitCode, moreOn } from "./CliError.ts"
import * as Log from "./output/log.ts"
import * as Output from "./output/Output.ts"

const environment = Layer.mergeAll(Output.layer, Log.layer, NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer)

/**
 * Runs the program and ends the process when everything that it opened is closed.
 *
 * @since 0.1.0
 * @category execution
 */
export const start = (argv: ReadonlyArray<string>): void => {
  const fiber = Effect.runFork(
    Cli.run(argv).pipe(
      Effect.scoped,
      Effect.catchTag("CliError", report),
      Effect.catchAllDefect(reportDefect),
      Effect.provide(environment)
    )
  )
  const interrupt = () => fiber.unsafeInterruptAsFork(fiber.id())
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt)
  const keepAlive = setInterval(() => {}, 2 ** 31 - 1)
  fiber.addObserver((exit) => {
    clearInterval(keepAlive)
    const code = Exit.match(exit, {
      onSuccess: (code) => code,
      onFailure: (cause) => (Cause.isInterrupted(cause) ? ExitCode.Interrupted : ExitCode.Failed)
    })
    process.stdout.write("", () => process.exit(code))
  })
}

const report = ({ exitCode, hint, kind, message }: CliError) =>
  Effect.gen(function* () {
    const { note, noteStyle } = yield* Output.Output
    yield* note(`${noteStyle.red("harness9:")} ${visible(message, { newlines: true })}`)
    if (hint !== undefined) yield* note(`  ${visible(hint, { newlines: true })}`)
    if (kind !== undefined) yield* note(noteStyle.dim(`  ${moreOn(kind)}`))
    return exitCode
  })

const reportDefect = (defect: unknown) =>
  Effect.gen(function* () {
    const { note } = yield* Output.Output
    yield* note(`harness9: internal error: ${visible(String(defect), { newlines: true })}`)
    return ExitCode.Failed
  })
