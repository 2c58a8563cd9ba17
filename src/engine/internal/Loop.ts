/** A run: the model is asked, its calls are made, and it is asked again, until it answers. */
import * as Effect from "effect/Effect"
import type { ToolSet } from "../../tool/ToolRegistry.ts"
import type { Options, RunOptions } from "../Engine.ts"
import { EngineEvent } from "../EngineEvent.ts"
import type { KnownModel } from "../model/ModelSwitch.ts"
import type { OfType } from "../SessionEvent.ts"
import { withOutputs } from "../SessionStore.ts"
import type { ModelCall } from "./Answer.ts"
import * as Compaction from "./Compaction.ts"
import * as History from "./History.ts"
import type { Journal } from "./Journal.ts"
import type * as ModelTurn from "./ModelTurn.ts"
import type * as Offer from "./Offer.ts"
import type * as Offering from "./Offering.ts"
import type { Spans } from "./Spans.ts"
import * as SystemPrompt from "./SystemPrompt.ts"
import * as ToolCalls from "./ToolCalls.ts"
import * as ToolChanges from "./ToolChanges.ts"

/** A model, and the tools as its API is given them. */
export interface Answerer {
  readonly model: KnownModel
  readonly offerOf: Offer.Maker
  readonly turn: ReturnType<typeof ModelTurn.make>
}

/** What a conversation works with. */
export interface Environment {
  readonly options: Options
  /** The model that answers a run from its beginning to its end. */
  readonly answerer: Effect.Effect<Answerer>
  readonly calls: ToolCalls.Environment
  readonly spans: Spans
  readonly journal: Journal
  readonly offering: Offering.Offering
  /** The tools of the last turn, where this program has asked it. */
  lastSet: ToolSet | undefined
}

export type Emit = (event: EngineEvent) => Effect.Effect<void>

/** How far a run has come, for its last event. */
export interface Progress {
  turns: number
  text: string
}

export const run = Effect.fnUntraced(function* (
  environment: Environment,
  prompt: string,
  { attached = [], before = [], maxTurns = environment.options.maxTurns ?? 50 }: RunOptions,
  emit: Emit,
  progress: Progress
) {
  const { journal, options, spans } = environment
  const system = SystemPrompt.make({
    system: options.system,
    directory: options.directory ?? process.cwd(),
    instructions: yield* options.instructions ?? Effect.succeed(""),
    context: yield* options.systemContext ?? Effect.succeed("")
  })
  yield* journal.record({
    type: "prompted",
    prompt,
    ...(attached.length > 0 && { attached }),
    ...(before.length > 0 && { before })
  })
  const answerer = yield* environment.answerer
  const conversing: Conversing = { environment, answerer, system, emit, progress, mayCompact: true }

  for (let turn = 1; turn <= maxTurns; turn++) {
    progress.turns = turn
    if (yield* takeTurn(conversing, turn).pipe(spans.turn(turn))) return "answer" as const
  }
  return "max-turns" as const
})

interface Conversing {
  readonly environment: Environment
  readonly answerer: Answerer
  readonly system: string
  readonly emit: Emit
  readonly progress: Progress
  mayCompact: boolean
}

/** Asks the model, and makes its calls; true when it has answered instead. */
const takeTurn = Effect.fnUntraced(function* (conversing: Conversing, turn: number) {
  const { answerer, emit, environment, progress, system } = conversing
  const { calls, journal, offering } = environment
  const { model, offerOf, turn: asking } = answerer
  if (conversing.mayCompact) {
    conversing.mayCompact = yield* compactWhenDue(environment, answerer, turn === 1, emit)
  }
  const offer = offering.of(yield* calls.registry.snapshot, model.info, offerOf)
  yield* emit(EngineEvent.TurnStarted({ turn, tools: offer.count, of: offer.callable.tools.length }))
  yield* tellNotices(environment, offer, emit)

  const history = yield* journal.history
  const answer = yield* asking.ask({
    prompt: History.toPrompt(history, system, model.info.media),
    offer,
    isTaken: (id) => History.hasCall(history, id),
    emit,
    onCut: (parts) => (parts.length === 0 ? Effect.void : journal.record({ type: "answered", parts }))
  })
  progress.text = answer.text
  const { parts, tokens } = answer
  yield* journal.record({ type: "answered", parts, ...(tokens !== undefined && { tokens }) })
  if (answer.calls.length === 0) return true

  offering.use(
    answer.calls
      .map(({ name }) => offer.registryName(name))
      .filter((name) => offer.set.byName.get(name)?.origin._tag === "Mcp")
  )
  yield* ToolCalls.run(calls, answer.calls, {
    offer,
    emit,
    onResult: (call, outcome) => journal.record(returned(call, outcome))
  }).pipe(withOutputs(journal.session))
  yield* keepRecent(environment)
  return false
})

const returned = ({ id }: ModelCall, { denied, durationMs, result }: ToolCalls.Outcome): OfType<"returned"> => {
  const media = result.content.flatMap((block) =>
    block.type === "image" || block.type === "audio"
      ? [{ type: block.type, data: block.data, mimeType: block.mimeType }]
      : []
  )
  const { isError, text } = result
  return { type: "returned", id, text, isError, denied, durationMs, ...(media.length > 0 && { media }) }
}

const keepRecent = Effect.fnUntraced(function* ({ journal, offering }: Environment) {
  const tools = offering.recent()
  const { recent } = yield* journal.history
  if (tools.join("\n") !== recent.join("\n")) yield* journal.record({ type: "recent", tools })
})

/** Tells person and model what is new since the last turn: notices, and tools that joined or left. */
const tellNotices = Effect.fnUntraced(function* (environment: Environment, offer: Offer.Offer, emit: Emit) {
  const { journal, lastSet, options } = environment
  const { offered, told } = yield* journal.history
  const notices = [
    ...(yield* options.notices ?? Effect.succeed([])),
    ...(offer.leftOut.length === 0 ? [] : [leftOutNotice(offer)])
  ].filter((notice) => !told.has(notice))
  const news = [...notices, ...changes(lastSet, offered, offer.set)]
  environment.lastSet = offer.set
  if (news.length > 0) yield* journal.record({ type: "noticed", notices: news })
  if (!ToolChanges.isSame(offered, offer.set)) {
    yield* journal.record({ type: "offered", tools: ToolChanges.toKnown(offer.set) })
  }
  const messages = [...news, ...(yield* journal.trouble)]
  yield* Effect.forEach(messages, (message) => emit(EngineEvent.Notice({ message })), { discard: true })
})

/** Of tools that an earlier program has offered, the names alone are known. */
const changes = (
  last: ToolSet | undefined,
  known: ToolChanges.Known | undefined,
  now: ToolSet
): ReadonlyArray<string> => {
  if (last !== undefined) return ToolChanges.describe(last, now)
  return known === undefined ? [] : ToolChanges.describeKnown(known, now)
}

const leftOutNotice = ({ count, leftOut, set }: Offer.Offer): string =>
  `The model is offered the first ${count} of ${set.tools.length} tools; left out is what comes from ${leftOut[0]?.name} on.`

/** False once it has failed: a run does not pay for that at each turn. */
const compactWhenDue = Effect.fnUntraced(function* (
  { journal, options }: Environment,
  answerer: Answerer,
  isFirstTurn: boolean,
  emit: Emit
) {
  const history = yield* journal.history
  const { info } = answerer.model
  const kept = Compaction.kept(history, info, isFirstTurn)
  if (!Compaction.isDue(history, info, options.compactAt ?? Compaction.defaultShare, kept)) return true
  return yield* compact(journal, answerer, { history, kept, emit })
})

/** Sums the conversation up; false, and told, when that cannot be done. */
export const compact = (
  journal: Journal,
  { model, offerOf, turn }: Answerer,
  request: Pick<Compaction.Request, "history" | "kept" | "focus" | "emit">
): Effect.Effect<boolean> =>
  Compaction.summarize({ ...request, info: model.info, asking: turn, offer: offerOf(noTools) }).pipe(
    Effect.tap((event) => journal.record(event)),
    Effect.flatMap(({ summary, tokensAfter, tokensBefore }) =>
      request.emit(EngineEvent.Compacted({ summary, tokensBefore, tokensAfter }))
    ),
    Effect.as(true),
    Effect.catchAll(({ message }) =>
      Effect.as(
        request.emit(
          EngineEvent.Notice({ message: `The conversation could not be summed up, and goes on whole: ${message}` })
        ),
        false
      )
    )
  )

const noTools: ToolSet = { tools: [], skipped: [], byName: new Map() }
