/**
 * The two tapes: one that writes what happens, one that plays it.
 *
 * @since 0.1.0
 */
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { EngineEvent } from "../engine/EngineEvent.ts"
import * as CassetteModel from "../engine/model/CassetteModel.ts"
import * as Model from "../engine/model/Model.ts"
import { type KnownModel, ModelSwitch } from "../engine/model/ModelSwitch.ts"
import type { Cassette, CassetteError, ReplayDifference, Server } from "../mcp/Cassette.ts"
import * as CassettePlayer from "../mcp/CassettePlayer.ts"
import * as CassetteRecorder from "../mcp/CassetteRecorder.ts"
import * as CassetteTransport from "../mcp/CassetteTransport.ts"
import * as McpConfig from "../mcp/McpConfig.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"
import * as CassetteTools from "../tool/CassetteTools.ts"
import { CliError, ExitCode, usage } from "./CliError.ts"
import * as Servers from "./Servers.ts"
import type { Input, Tape } from "./Tape.ts"

/**
 * Everything as it is, and written down.
 *
 * @since 0.1.0
 * @category constructors
 */
export const recording = Effect.fnUntraced(function* (file: string, input: Input) {
  const config = yield* Servers.load(input)
  const { anthropic, openai } = yield* Model.environment
  const secrets = [anthropic, openai].flatMap(({ apiKey }) => (apiKey === undefined ? [] : [Redacted.value(apiKey)]))
  const recorder = yield* Effect.mapError(
    CassetteRecorder.make({ file, force: input.force, servers: config.servers, secrets }),
    asUsage
  )
  const duration = (id: string, measured: number) =>
    Effect.as(
      recorder.write({ with: "tool", direction: "in", kind: "duration", id, message: { ms: measured } }),
      measured
    )
  const tape: Tape = {
    config: Effect.succeed(config),
    transports: (real) =>
      CassetteTransport.layerRecord.pipe(
        Layer.provide(real),
        Layer.provide(Layer.succeed(CassetteRecorder.CassetteRecorder, recorder))
      ),
    model: (real) =>
      Layer.flatMap(real, (context) => {
        const inUse = Context.get(context, ModelSwitch)
        return Layer.unwrapEffect(
          Effect.gen(function* () {
            const { info, service } = yield* inUse.current
            return fixedModel({ info, service: yield* CassetteModel.record(service, recorder, info) })
          })
        )
      }),
    tool: CassetteTools.record(recorder),
    isLive: true,
    duration,
    event: timed(duration),
    whole: (work) => work
  }
  return tape
})

/**
 * Nothing as it is, and everything as it was.
 *
 * @since 0.1.0
 * @category constructors
 */
export const replaying = Effect.fnUntraced(function* (file: string, input: Input) {
  const cassette = yield* Effect.mapError(CassettePlayer.read(file), asUsage)
  if (input.config !== undefined) yield* compareConfig(cassette, input)
  const player = yield* CassettePlayer.make(cassette)
  const durations = new Map(
    cassette.entries.flatMap(({ id, kind, message }) =>
      kind === "duration" && typeof message.ms === "number" ? [[id, message.ms] as const] : []
    )
  )
  const duration = (id: string, measured: number) => Effect.sync(() => durations.get(id) ?? measured)
  const model = yield* CassetteModel.replay(player)
  const tape: Tape = {
    config: Effect.succeed({ ...McpConfig.empty, servers: cassette.header.servers.map(entryOf) }),
    transports: () =>
      Layer.provide(CassetteTransport.layerReplay(), Layer.succeed(CassettePlayer.CassettePlayer, player)),
    model: () => fixedModel({ info: CassetteModel.infoOf(cassette), service: model }),
    tool: yield* CassetteTools.replay(player),
    isLive: false,
    duration,
    event: timed(duration),
    whole: (work) =>
      work.pipe(
        // What the program makes of a difference is not the reason.
        Effect.tapErrorCause(() => Effect.mapError(player.soFar, asFailure)),
        Effect.zipLeft(Effect.mapError(player.finished, asFailure)),
        Effect.raceFirst(Effect.mapError(player.difference, asFailure))
      )
  }
  return tape
})

const asUsage = ({ hint, message }: CassetteError): CliError => usage(message, hint)

const asFailure = ({ message }: ReplayDifference): CliError =>
  new CliError({ exitCode: ExitCode.Failed, message: `the replay differs from the recording\n${message}` })

const compareConfig = Effect.fnUntraced(function* ({ header, name }: Cassette, input: Input) {
  const { servers } = yield* Servers.load(input)
  if (CassetteRecorder.configDigest(servers) === header.config) return
  yield* Effect.logWarning(`[cassette] ${input.config} is not the configuration that ${name} was recorded with`)
})

/** A model that stays what it is. */
const fixedModel = (model: KnownModel): Layer.Layer<LanguageModel.LanguageModel | ModelSwitch> =>
  Layer.merge(
    Layer.succeed(LanguageModel.LanguageModel, model.service),
    Layer.succeed(ModelSwitch, {
      current: Effect.succeed(model),
      changes: Stream.make(model.info),
      use: () => Effect.fail(new Model.ModelNotUsable({ message: "a recording keeps its model" })),
      names: []
    })
  )

/** What is measured is another thing in each run: it is shown as it was. */
const timed =
  (duration: Tape["duration"]) =>
  (event: EngineEvent): Effect.Effect<EngineEvent> => {
    switch (event._tag) {
      case "ToolFinished":
        return Effect.map(duration(event.id, event.durationMs), (durationMs) =>
          EngineEvent.ToolFinished({ ...event, durationMs })
        )
      case "ModelRetry":
        return Effect.map(duration(`retry ${event.attempt}`, event.delayMs), (delayMs) =>
          EngineEvent.ModelRetry({ ...event, delayMs })
        )
      default:
        return Effect.succeed(event)
    }
  }

/** The entry as far as it was recorded. What it starts or reaches is never used. */
const entryOf = ({ callTimeoutMs, connectTimeoutMs, transport, unapproved, ...server }: Server): ServerConfig => ({
  ...server,
  ...(connectTimeoutMs !== undefined && { connectTimeout: Duration.millis(connectTimeoutMs) }),
  ...(callTimeoutMs !== undefined && { callTimeout: Duration.millis(callTimeoutMs) }),
  ...(unapproved && { consent: { project: "", digest: "", entry: {} } }),
  transport:
    transport === "stdio"
      ? { _tag: transport, command: "", args: [], env: {}, cwd: process.cwd(), inheritEnv: false }
      : { _tag: transport, url: "http://recorded.invalid/", headers: {} },
  secrets: []
})
