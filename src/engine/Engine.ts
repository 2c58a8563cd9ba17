/**
 * The agent loop: the model is asked with every tool on offer, what it calls is run, and it is asked again with the results,
 * until it answers.
 *
 * @since 0.1.0
 */
import type * as LanguageModel from "@effect/ai/LanguageModel"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { ToolResult } from "../tool/Tool.ts"
import { ToolRegistry } from "../tool/ToolRegistry.ts"
import { EngineEvent, type Reason } from "./EngineEvent.ts"
import * as Deferral from "./internal/Deferral.ts"
import * as History from "./internal/History.ts"
import * as ModelTurn from "./internal/ModelTurn.ts"
import * as Offer from "./internal/Offer.ts"
import * as Offering from "./internal/Offering.ts"
import * as SystemPrompt from "./internal/SystemPrompt.ts"
import * as ToolCalls from "./internal/ToolCalls.ts"
import * as ToolChanges from "./internal/ToolChanges.ts"
import * as ModelInUse from "./model/ModelInUse.ts"
import type { KnownModel } from "./model/ModelSwitch.ts"
import { Permission } from "./Permission.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface RunOptions {
  /** Default: 50. */
  readonly maxTurns?: number | undefined
  /** Messages that come before the prompt: those of a server's prompt template. */
  readonly before?: ReadonlyArray<Said> | undefined
  /** What the person adds to the prompt: the contents of what it mentions. */
  readonly attached?: ReadonlyArray<string> | undefined
  /** When this completes the run is stopped as by an interruption, but its stream goes on to `Done` with `cancelled`. */
  readonly cancel?: Effect.Effect<unknown> | undefined
}

/**
 * A message that somebody has written beforehand.
 *
 * @since 0.1.0
 * @category models
 */
export interface Said {
  readonly role: "user" | "assistant"
  readonly text: string
}

/**
 * A conversation: each prompt sees what came before it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Conversation {
  /**
   * Runs a prompt to its answer. The stream never fails: what goes wrong is an event, and `Done` is the last one.
   * Interrupting it stops the model and every running call; the conversation then holds what had been finished, and the
   * model is told of the interruption next time. A second run of the same conversation waits for the first.
   */
  readonly run: (prompt: string, options?: RunOptions) => Stream.Stream<EngineEvent>
  /** Adds something to the context without asking the model (the output of a person's own command). */
  readonly addContext: (text: string) => Effect.Effect<void>
  /** Forgets everything. */
  readonly clear: Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly conversation: Effect.Effect<Conversation>
  /** A run in a conversation of its own. */
  readonly run: (prompt: string, options?: RunOptions) => Stream.Stream<EngineEvent>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Engine extends Context.Tag("harness9/Engine")<Engine, Service>() {}

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** Who the model is and how it works, in place of harness9's own words. */
  readonly system?: string | undefined
  /** Added to the system prompt, asked for at each run: what the connected servers say of themselves. Bounded. */
  readonly systemContext?: Effect.Effect<string> | undefined
  /** Asked for at each turn: what person and model should know (a server that failed, and why). Each is told once. */
  readonly notices?: Effect.Effect<ReadonlyArray<string>> | undefined
  /** Default: the working directory of the process. */
  readonly directory?: string | undefined
  /** How long a tool call may take. Default: the registry's. */
  readonly toolTimeout?: Duration.Duration | undefined
  /** Of a run that names none. Default: 50. */
  readonly maxTurns?: number | undefined
  /**
   * What the definitions of servers' tools may take of the model's context; when they take more, the model is offered a
   * search for them, and those that it found or called last. From 0 to 1, default: 0.1.
   */
  readonly toolShare?: number | undefined
  /** How many tools that were found or called stay on offer. Default: 30. */
  readonly keptTools?: number | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const registry = yield* ToolRegistry
  const permission = yield* Permission
  const parts: Parts = {
    options,
    answerer: answerers(yield* ModelInUse.current),
    indexOf: Offering.indexer(),
    calls: { registry, permission, toolTimeout: options.toolTimeout }
  }
  const conversation = makeConversation(parts)
  return Engine.of({
    conversation,
    run: (prompt, runOptions) => Stream.unwrap(Effect.map(conversation, (fresh) => fresh.run(prompt, runOptions)))
  })
})

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options = {}
): Layer.Layer<Engine, never, LanguageModel.LanguageModel | ToolRegistry | Permission> =>
  Layer.effect(Engine, make(options))

/** A model, and the tools as its API is given them. */
interface Answerer {
  readonly model: KnownModel
  readonly offerOf: Offer.Maker
  readonly turn: ReturnType<typeof ModelTurn.make>
}

/** Offers are made once and kept for as long as the model is the same. */
const answerers = (current: Effect.Effect<KnownModel>): Effect.Effect<Answerer> => {
  let last: Answerer | undefined
  return Effect.map(current, (model) => {
    if (last?.model !== model) {
      last = { model, offerOf: Offer.maker(model.info), turn: ModelTurn.make(model.service, model.info) }
    }
    return last
  })
}

interface Parts {
  readonly options: Options
  /** The model that answers a run from its beginning to its end. */
  readonly answerer: Effect.Effect<Answerer>
  readonly indexOf: Offering.Indexer
  readonly calls: ToolCalls.Environment
}

type Emit = (event: EngineEvent) => Effect.Effect<void>

const makeConversation = Effect.fnUntraced(function* (parts: Parts) {
  const history = yield* Ref.make(History.empty)
  const { keptTools: kept = Deferral.defaults.kept, toolShare: share = Deferral.defaults.share } = parts.options
  const offering = Offering.make(parts.indexOf, { kept, share })
  const oneAtATime = yield* Effect.makeSemaphore(1)

  const run: Conversation["run"] = (prompt, options = {}) =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const events = yield* Mailbox.make<EngineEvent>()
        const emit: Emit = (event) => Effect.asVoid(events.offer(event))
        const whole = runToDone(parts, offering, history, prompt, options, emit)
        yield* oneAtATime.withPermits(1)(whole).pipe(Effect.ensuring(events.end), Effect.forkScoped)
        return Mailbox.toStream(events)
      })
    )

  const conversation: Conversation = {
    run,
    addContext: (text) => Ref.update(history, History.addPending(`From the person:\n${text}`)),
    clear: Effect.zipRight(Effect.sync(offering.forget), Ref.set(history, History.empty))
  }
  return conversation
})

/** The run and its last event, whatever happens in it. */
const runToDone = Effect.fnUntraced(function* (
  parts: Parts,
  offering: Offering.Offering,
  history: Ref.Ref<History.History>,
  prompt: string,
  options: RunOptions,
  emit: Emit
) {
  const progress = { turns: 0, text: "" }
  const cancelled = Effect.as(options.cancel ?? Effect.never, "cancelled" as const)
  const done = (reason: Reason, error?: string) => emit(EngineEvent.Done({ reason, ...progress, error }))

  yield* loop(parts, offering, history, prompt, options, emit, progress).pipe(
    Effect.raceFirst(cancelled),
    Effect.matchEffect({ onSuccess: (reason) => done(reason), onFailure: (failure) => done("error", failure.message) }),
    Effect.catchAllDefect((defect) => done("error", `internal error: ${Cause.pretty(Cause.die(defect))}`))
  )
})

const loop = Effect.fnUntraced(function* (
  parts: Parts,
  offering: Offering.Offering,
  history: Ref.Ref<History.History>,
  prompt: string,
  { attached = [], before: said = [], maxTurns = parts.options.maxTurns ?? 50 }: RunOptions,
  emit: Emit,
  progress: { turns: number; text: string }
) {
  const system = SystemPrompt.make({
    system: parts.options.system,
    directory: parts.options.directory ?? process.cwd(),
    context: yield* parts.options.systemContext ?? Effect.succeed("")
  })
  yield* Ref.update(history, History.addPrompt(prompt, attached, said))
  const { model, offerOf, turn: asking } = yield* parts.answerer

  for (let turn = 1; turn <= maxTurns; turn++) {
    progress.turns = turn
    const offer = offering.of(yield* parts.calls.registry.snapshot, model.info, offerOf)
    yield* emit(EngineEvent.TurnStarted({ turn, tools: offer.count, of: offer.callable.tools.length }))
    yield* tellNotices(parts, history, offer, emit)

    const before = yield* Ref.get(history)
    const answer = yield* asking.ask({
      prompt: History.toPrompt(before, system, model.info.media),
      offer,
      isTaken: (id) => History.hasCall(before, id),
      emit,
      onCut: (said) => Ref.update(history, (now) => History.addPending(cutNote)(History.addAnswer(said)(now)))
    })
    progress.text = answer.text
    if (answer.calls.length === 0) {
      yield* Ref.update(history, History.addAnswer(answer.parts))
      return "answer" as const
    }

    offering.use(
      answer.calls
        .map(({ name }) => offer.registryName(name))
        .filter((name) => offer.set.byName.get(name)?.origin._tag === "Mcp")
    )
    const results = new Map<string, ToolResult>()
    const keep = Ref.update(history, (now) =>
      History.addResults(
        answer.calls,
        (call) => results.get(call.id) ?? ToolCalls.interrupted
      )(History.addAnswer(answer.parts)(now))
    )
    yield* ToolCalls.run(parts.calls, answer.calls, {
      offer,
      emit,
      onResult: (call, result) => results.set(call.id, result)
    }).pipe(
      Effect.onInterrupt(() => Ref.update(history, History.addPending(cutNote))),
      Effect.ensuring(keep)
    )
  }
  return "max-turns" as const
})

const cutNote = "The run before this message was stopped before it was complete."

/** Tells person and model what is new since the last turn: notices, and tools that joined or left. */
const tellNotices = Effect.fnUntraced(function* (
  { options }: Parts,
  history: Ref.Ref<History.History>,
  offer: Offer.Offer,
  emit: Emit
) {
  const { offered, told } = yield* Ref.get(history)
  const notices = [
    ...(yield* options.notices ?? Effect.succeed([])),
    ...(offer.leftOut.length === 0 ? [] : [leftOutNotice(offer)])
  ].filter((notice) => !told.has(notice))
  const news = [...notices, ...(offered === undefined ? [] : ToolChanges.describe(offered, offer.set))]
  yield* Ref.update(history, (now) => History.setOffered(offer.set)(History.addNotices(news)(now)))
  yield* Effect.forEach(news, (message) => emit(EngineEvent.Notice({ message })), { discard: true })
})

const leftOutNotice = ({ count, leftOut, set }: Offer.Offer): string =>
  `The model is offered the first ${count} of ${set.tools.length} tools; left out is what comes from ${leftOut[0]?.name} on.`
