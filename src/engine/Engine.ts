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
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Stream from "effect/Stream"
import { ToolRegistry } from "../tool/ToolRegistry.ts"
import { EngineEvent, type Reason } from "./EngineEvent.ts"
import * as Deferral from "./internal/Deferral.ts"
import * as Journal from "./internal/Journal.ts"
import * as Loop from "./internal/Loop.ts"
import * as ModelTurn from "./internal/ModelTurn.ts"
import * as Offer from "./internal/Offer.ts"
import * as Offering from "./internal/Offering.ts"
import * as Spans from "./internal/Spans.ts"
import * as ModelInUse from "./model/ModelInUse.ts"
import type { KnownModel } from "./model/ModelSwitch.ts"
import { Permission } from "./Permission.ts"
import type { Session } from "./SessionStore.ts"

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
  /**
   * Has the model sum the conversation up; the summary takes the place of what it is about. `focus` is what has to be in it. Waits
   * for the run under way.
   */
  readonly compact: (focus?: string) => Stream.Stream<EngineEvent>
  /** Forgets everything. */
  readonly clear: Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  readonly conversation: Effect.Effect<Conversation>
  /** A conversation that is kept in a session, after what has happened in it already. */
  readonly open: (session: Session) => Effect.Effect<Conversation>
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
  /** The project's own instructions, for the system prompt; asked for at each run. See `ProjectInstructions`. */
  readonly instructions?: Effect.Effect<string> | undefined
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
  /**
   * What share of the model's context a conversation may take before the model sums it up. From 0 to 1, default: 0.8; at 0 and 1 it
   * never does.
   */
  readonly compactAt?: number | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const registry = yield* ToolRegistry
  const permission = yield* Permission
  const spans = yield* Spans.make
  const answerer = answerers(yield* ModelInUse.current, spans)
  const indexOf = Offering.indexer()
  const calls = { registry, permission, spans, toolTimeout: options.toolTimeout }
  const { keptTools: kept = Deferral.defaults.kept, toolShare: share = Deferral.defaults.share } = options

  const open = Effect.fnUntraced(function* (session: Session | undefined) {
    const journal = yield* Journal.make(session)
    const { recent } = yield* journal.history
    const offering = Offering.make(indexOf, { kept, share }, recent)
    return yield* makeConversation({ options, answerer, calls, spans, journal, offering, lastSet: undefined })
  })
  const conversation = open(undefined)
  return Engine.of({
    conversation,
    open,
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

/** Offers are made once and kept for as long as the model is the same. */
const answerers = (current: Effect.Effect<KnownModel>, spans: Spans.Spans): Effect.Effect<Loop.Answerer> => {
  let last: Loop.Answerer | undefined
  return Effect.map(current, (model) => {
    if (last?.model !== model) {
      last = { model, offerOf: Offer.maker(model.info), turn: ModelTurn.make(model.service, model.info, spans) }
    }
    return last
  })
}

const makeConversation = Effect.fnUntraced(function* (environment: Loop.Environment) {
  const { journal, offering } = environment
  const oneAtATime = yield* Effect.makeSemaphore(1)

  const told = (work: (emit: Loop.Emit) => Effect.Effect<unknown>): Stream.Stream<EngineEvent> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const events = yield* Mailbox.make<EngineEvent>()
        const emit: Loop.Emit = (event) => Effect.asVoid(events.offer(event))
        yield* oneAtATime.withPermits(1)(work(emit)).pipe(Effect.ensuring(events.end), Effect.forkScoped)
        return Mailbox.toStream(events)
      })
    )

  const conversation: Conversation = {
    run: (prompt, options = {}) => told((emit) => runToDone(environment, prompt, options, emit)),
    addContext: (text) => journal.record({ type: "noted", text: `From the person:\n${text}` }),
    compact: (focus) => told((emit) => compact(environment, focus, emit)),
    clear: Effect.zipRight(Effect.sync(offering.forget), journal.record({ type: "cleared" }))
  }
  return conversation
})

/** The run and its last event, whatever happens in it. Nothing of it goes on once it has ended. */
const runToDone = Effect.fnUntraced(function* (
  environment: Loop.Environment,
  prompt: string,
  options: RunOptions,
  emit: Loop.Emit
) {
  const { journal, spans } = environment
  const progress = { turns: 0, text: "" }
  const ended = ({ error, reason }: End) =>
    journal.record({ type: "ended", reason, turns: progress.turns, ...(error !== undefined && { error }) })

  const working = yield* Effect.fork(spans.run(Loop.run(environment, prompt, options, emit, progress)))
  const stop = Fiber.interrupt(working)
  if (options.cancel !== undefined) yield* Effect.fork(Effect.zipRight(options.cancel, stop))
  const exit = yield* Effect.onInterrupt(Fiber.await(working), () =>
    Effect.zipRight(stop, ended({ reason: "cancelled", error: undefined }))
  )
  const end = endOf(exit)
  yield* ended(end)
  yield* emit(EngineEvent.Done({ ...end, ...progress, session: journal.session?.id }))
})

interface End {
  readonly reason: Reason
  readonly error: string | undefined
}

const endOf: (exit: Exit.Exit<Reason, { readonly message: string }>) => End = Exit.match({
  onSuccess: (reason) => ({ reason, error: undefined }),
  onFailure: (cause) => {
    const failure = Cause.failureOption(cause)
    if (failure._tag === "Some") return { reason: "error", error: failure.value.message }
    return Cause.isInterruptedOnly(cause)
      ? { reason: "cancelled", error: undefined }
      : { reason: "error", error: `internal error: ${Cause.pretty(cause)}` }
  }
})

const compact = Effect.fnUntraced(function* (
  environment: Loop.Environment,
  focus: string | undefined,
  emit: Loop.Emit
) {
  const { journal } = environment
  const history = yield* journal.history
  if (history.messages.length === 0) {
    return yield* emit(EngineEvent.Notice({ message: "There is nothing to sum up yet." }))
  }
  yield* Loop.compact(journal, yield* environment.answerer, { history, kept: 0, focus, emit })
})
