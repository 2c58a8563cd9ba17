/**
 * `harness9 generate`: the tools of a server as a typed TypeScript module.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as PersonRequests from "../../engine/PersonRequests.ts"
import { ClientFeatures, type Service as ClientFeaturesService, Refused } from "../../mcp/ClientFeatures.ts"
import { oneLine } from "../../mcp/VisibleText.ts"
import * as ToolDrift from "../../tool/ToolDrift.ts"
import * as TypedModule from "../../tool/typed/TypedModule.ts"
import { type CliError, ExitCode, usage } from "../CliError.ts"
import * as Command from "../Command.ts"
import * as Flag from "../Flag.ts"
import * as LockedTools from "../lockedTools.ts"
import * as options from "../options.ts"
import type { Style } from "../output/Style.ts"
import * as ServerAnswer from "../ServerAnswer.ts"

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make({
  name: "generate",
  summary: "Writes a TypeScript module with a Schema and a typed Effect function for each tool of a server",
  details:
    "The module needs the packages effect and harness9. With --check nothing is written: it ends with 1 when the server's tools are no\n" +
    "longer those that the file was written from, and says which differ, field by field.",
  flags: {
    ...options.connecting,
    output: Flag.text("output", "FILE", "Where the module goes; default: stdout"),
    check: Flag.toggle("check", "Compare the file with the server, for CI"),
    force: Flag.toggle("force", "Write over a file that this command has not written"),
    json: options.json
  },
  args: { server: Flag.required("SERVER", "The server's name in the configuration") },
  examples: [
    ["harness9 generate github --output src/github.ts", "writes the module"],
    ["harness9 generate github --output src/github.ts --check", "in CI: whether the server has drifted"]
  ],
  handler: ({ output: file, ...input }) =>
    Effect.gen(function* () {
      const written = yield* earlier(file, input)
      const fs = yield* FileSystem.FileSystem
      const answered = ServerAnswer.show(input, {
        about: {},
        ask: ({ server, tools }) =>
          Effect.gen(function* () {
            const listed = yield* tools
            const text = TypedModule.write(server, listed)
            const drifts = written?.tools === undefined ? [] : ToolDrift.between(written.tools, listed)
            const state = text === written?.text ? "same" : drifts.length > 0 ? "drift" : "rewritten"
            if (!input.check && file !== undefined && state !== "same") yield* write(fs, file, text)
            return { text, file, server, tools: listed.length, drifts, state } as const
          }),
        toJson: ({ drifts, file, state, text, tools }) =>
          input.check
            ? { file, state, differences: drifts }
            : { file, tools, differences: drifts, ...(file === undefined && { module: text }) },
        toText: (answer, { style }) => (input.check ? checkedLines(answer, style) : writtenLines(answer, style)),
        exitCode: ({ state }) => (input.check && state !== "same" ? ExitCode.Failed : ExitCode.Done)
      })
      return yield* Effect.provideService(answered, ClientFeatures, everyFeature)
    })
})

/** Servers offer more tools to a program that can be asked for more. In CI they have to be the same as at a terminal. */
const refused = Effect.fail(new Refused({ message: "harness9 generate answers nothing" }))

const everyFeature: ClientFeaturesService = {
  roots: { list: Effect.succeed([]) },
  sampling: { createMessage: () => refused },
  elicitation: PersonRequests.declined
}

interface Answer {
  readonly text: string
  readonly file: string | undefined
  readonly server: string
  readonly tools: number
  readonly drifts: ReadonlyArray<ToolDrift.Drift>
  /** `rewritten`: the tools are the same, the text is not. */
  readonly state: "same" | "drift" | "rewritten"
}

const checkedLines = ({ drifts, file, server, state }: Answer, style: Style): string => {
  const name = oneLine(server)
  const again = `    Write it again with: harness9 generate ${name} --output ${file}`
  switch (state) {
    case "same":
      return `${style.green("✓")} ${name}  as in ${file}`
    case "drift":
      return [`${style.red("✗")} ${name}  differs from ${file}`, ...LockedTools.driftLines(drifts, style), again].join(
        "\n"
      )
    case "rewritten":
      return [
        `${style.red("✗")} ${name}  ${file} was changed by hand, or written by another version of harness9`,
        again
      ].join("\n")
  }
}

const writtenLines = ({ drifts, file, state, text, tools }: Answer, style: Style): string => {
  if (file === undefined) return text.trimEnd()
  const count = tools === 1 ? "1 tool" : `${tools} tools`
  const done = state === "same" ? `${file} is as it should be` : `${count} in ${file}`
  return [`${style.green("✓")} ${done}`, ...LockedTools.driftLines(drifts, style)].join("\n")
}

interface Earlier {
  readonly text: string
  /** Those that it was written from; `undefined` when it was not written by this command. */
  readonly tools: ReturnType<typeof TypedModule.read>
}

/** The file as it is: what is compared with the server, or written over. */
const earlier = (
  file: string | undefined,
  { check, force, server }: { readonly check: boolean; readonly force: boolean; readonly server: string }
): Effect.Effect<Earlier | undefined, CliError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const hint = `harness9 generate ${oneLine(server)} --output FILE writes it`
    if (file === undefined) return check ? yield* usage("--check needs --output FILE", hint) : undefined
    const text = yield* read(file)
    if (text === undefined) return check ? yield* usage(`there is no file ${file}`, hint) : undefined
    const tools = TypedModule.read(text)
    if (tools === undefined && (check || !force))
      return yield* usage(`${file} was not written by harness9 generate`, "another --output, or --force writes over it")
    return { text, tools }
  })

/** `undefined` when there is no such file. */
const read = (file: string): Effect.Effect<string | undefined, CliError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.catchAll(fs.readFileString(file), (error) =>
      error._tag === "SystemError" && error.reason === "NotFound"
        ? Effect.succeed(undefined)
        : usage(`${file} cannot be read: ${error.message}`)
    )
  )

const write = (fs: FileSystem.FileSystem, file: string, text: string): Effect.Effect<void, CliError> =>
  Effect.mapError(fs.writeFileString(file, text), (error) => usage(`${file} cannot be written: ${error.message}`))
