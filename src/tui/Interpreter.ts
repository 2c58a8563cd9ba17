/**
 * Does what keys ask for: asks the model, runs commands, drives the servers, hands the terminal to the editor.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberHandle from "effect/FiberHandle"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { EngineEvent } from "../engine/EngineEvent.ts"
import * as Mentions from "../engine/Mentions.ts"
import { format as formatModel } from "../engine/model/ModelInfo.ts"
import { ModelSwitch } from "../engine/model/ModelSwitch.ts"
import * as PromptInput from "../engine/PromptInput.ts"
import * as ServerPrompts from "../engine/ServerPrompts.ts"
import * as ShellCommand from "../engine/ShellCommand.ts"
import { McpAuth } from "../mcp/McpAuth.ts"
import { McpManager } from "../mcp/McpManager.ts"
import { ToolLock } from "../tool/ToolLock.ts"
import { ToolRegistry } from "../tool/ToolRegistry.ts"
import { Approvals } from "./Approvals.ts"
import * as Chat from "./Chat.ts"
import * as Editor from "./Editor.ts"
import * as FileCandidates from "./FileCandidates.ts"
import * as InputHistory from "./InputHistory.ts"
import type { Intent } from "./Intent.ts"
import * as JobControl from "./JobControl.ts"
import { Logins } from "./Logins.ts"
import * as Prompt from "./Prompt.ts"
import type { Screen } from "./Screen.tsx"
import * as StateFile from "./StateFile.ts"
import * as Transcript from "./Transcript.ts"
import * as UiKeys from "./UiKeys.ts"
import * as UiState from "./UiState.ts"
import type { UiStore } from "./UiStore.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly store: UiStore
  readonly screen: Pick<Screen, "repaint" | "suspend">
  /** What an answer needs to be shown; waited for before the first one. */
  readonly ready: Effect.Effect<unknown>
  readonly configFile: string
  /** Default: a conversation of its own. */
  readonly start?: Chat.Start | undefined
  readonly onConfigEdited?: Effect.Effect<UiState.Message, never, McpManager> | undefined
}

/**
 * Takes intents for as long as it runs.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = Effect.fnUntraced(function* (options: Options) {
  const { screen, store } = options
  const manager = yield* McpManager
  const registry = yield* ToolRegistry
  const approvals = yield* Approvals
  const auth = yield* McpAuth
  const logins = yield* Logins
  const models = yield* ModelSwitch
  const chat = yield* Chat.make(store, options.start ?? { _tag: "New" })
  const running = yield* FiberHandle.make<void>()
  let commands = 0

  const show = (events: Stream.Stream<EngineEvent>) =>
    Stream.runForEachChunk(events, (chunk) => timed(store, Chunk.toReadonlyArray(chunk)))

  const ask = Effect.fnUntraced(function* (text: string) {
    yield* options.ready
    const input = yield* Effect.either(chat.beside(PromptInput.read(manager, text)))
    const problems = Either.isLeft(input) ? [input.left.message] : input.right.problems
    yield* transcript(store, (before) =>
      Transcript.add(before, ...problems.map((problem) => Transcript.Item.Notice({ text: problem, tone: "error" })))
    )
    if (Either.isLeft(input)) return
    const { options: runOptions, prompt } = input.right
    const { run } = yield* chat.conversation
    yield* show(run(prompt, runOptions))
  })

  const compact = (focus: string | undefined) =>
    Effect.flatMap(chat.conversation, (conversation) => show(conversation.compact(focus)))

  const shell = Effect.fnUntraced(function* (command: string) {
    const id = `command ${++commands}`
    const startedAt = yield* Clock.currentTimeMillis
    yield* transcript(store, (before) =>
      Transcript.onCall(before, {
        id,
        name: "bash",
        server: undefined,
        arguments: { command },
        startedAt,
        progress: undefined,
        outcome: undefined
      })
    )
    const conversation = yield* chat.conversation
    const { isError, text } = yield* chat.beside(ShellCommand.run(registry, conversation, command))
    const durationMs = (yield* Clock.currentTimeMillis) - startedAt
    yield* transcript(store, (before) =>
      Transcript.onFinished(before, id, { isError, denied: false, text, durationMs })
    )
  })

  const tell = <R>(result: Effect.Effect<unknown, { readonly message: string }, R>, done: string) =>
    result.pipe(
      Effect.matchEffect({
        onFailure: ({ message }) => store.update((state) => UiState.onMessage(state, message, "error")),
        onSuccess: () => store.update((state) => UiState.onMessage(state, done))
      }),
      Effect.forkScoped
    )

  const edit = Effect.gen(function* () {
    const say = (message: UiState.Message) => store.update((state) => ({ ...state, message }))
    const failure = yield* Effect.flip(screen.suspend(Editor.run(Editor.find(options.configFile)))).pipe(Effect.option)
    if (failure._tag === "Some") return yield* say({ text: failure.value.message, tone: "error" })
    const edited = Effect.provideService(options.onConfigEdited ?? editorClosed, McpManager, manager)
    // It may wait for servers.
    yield* Effect.forkScoped(Effect.flatMap(edited, say))
  })

  const perform = (intent: Intent) => {
    switch (intent._tag) {
      case "Ask":
        return FiberHandle.run(running, observed(store, ask(intent.prompt)))
      case "Shell":
        return FiberHandle.run(running, observed(store, shell(intent.command)))
      case "Cancel":
        return Effect.forkScoped(FiberHandle.clear(running))
      case "Quit":
        return Effect.sync(store.leave)
      case "Clear":
        return Effect.zipRight(chat.begin, screen.repaint)
      case "Resume":
        return intent.id === undefined ? chat.choose : chat.resume(intent.id)
      case "Compact":
        return FiberHandle.run(running, observed(store, compact(intent.focus)))
      case "Remember":
        return Effect.forkScoped(Effect.uninterruptible(InputHistory.append(StateFile.path("history"), intent.prompt)))
      case "FindFiles":
        return Effect.forkScoped(
          Effect.flatMap(mentionable(manager, intent.prefix), (candidates) =>
            store.update((state) => ({
              ...state,
              prompt: Prompt.onCandidates(state.prompt, { ...intent, candidates })
            }))
          )
        )
      case "FindValues":
        return Effect.forkScoped(
          Effect.flatMap(valuesOf(manager, store.get().prompts, intent), (candidates) =>
            store.update((state) => ({
              ...state,
              prompt: Prompt.onCandidates(state.prompt, { ...intent, candidates })
            }))
          )
        )
      case "EditConfig":
        return edit
      case "UseModel":
        return Effect.forkScoped(changeModel(store, models, intent.name))
      case "Login":
        return tell(logIn(manager, auth, intent.server), `${intent.server}: logged in`)
      case "PasteAddress":
        return logins.paste(intent.server, intent.address)
      case "Suspend":
        return screen.suspend(JobControl.stop)
      case "Reconnect":
        return tell(manager.reconnect(intent.server), `${intent.server}: reconnected`)
      case "SetEnabled":
        return intent.enabled
          ? tell(manager.enable(intent.server), `${intent.server}: enabled`)
          : tell(manager.disable(intent.server), `${intent.server}: disabled`)
      case "Approve":
        return tell(manager.approve(intent.server), `${intent.server}: approved`)
      case "AcceptTool":
        return tell(acceptTool(manager, intent.server, intent.tool), `${intent.tool}: accepted`)
      case "Answer":
        return approvals.answer(intent.id, intent.answer)
      case "Repaint":
        return screen.repaint
    }
  }

  return yield* Effect.forever(Effect.flatMap(Queue.take(store.intents), perform))
}, Effect.scoped)

const acceptTool = (manager: McpManager["Type"], server: string, tool: string) =>
  Effect.gen(function* () {
    const { accept } = yield* ToolLock
    const config = (yield* manager.servers).find(({ name }) => name === server)
    const status = (yield* manager.statuses).find(({ name }) => name === server)
    if (config !== undefined && status?._tag === "Connected") yield* accept(config, status.tools, tool)
  })

const logIn = Effect.fnUntraced(function* (manager: McpManager["Type"], auth: McpAuth["Type"], server: string) {
  const config = (yield* manager.servers).find(({ name }) => name === server)
  if (config === undefined) return
  yield* auth.login(config)
  yield* manager.reconnect(server)
})

/** That a model cannot be used takes more words than a line has. */
const changeModel = (store: UiStore, models: ModelSwitch["Type"], name: string) =>
  Effect.matchEffect(models.use(name), {
    onFailure: ({ message }) =>
      store.update((state) => ({
        ...state,
        message: undefined,
        transcript: Transcript.add(state.transcript, Transcript.Item.Notice({ text: message, tone: "error" }))
      })),
    onSuccess: (info) => store.update((state) => UiState.onMessage(state, `from now on: ${formatModel(info)}`))
  })

const editorClosed = Effect.succeed<UiState.Message>({ text: "editor closed", tone: "info" })

/** What an `@` may be followed by. */
const mentionable = (manager: McpManager["Type"], prefix: string) =>
  Effect.zipWith(
    Mentions.complete(manager, prefix),
    FileCandidates.find(process.cwd(), prefix),
    (resources, files) => [...files, ...resources],
    { concurrent: true }
  )

/** A server that cannot say them has none. */
const valuesOf = (
  manager: McpManager["Type"],
  prompts: ReadonlyArray<ServerPrompts.ServerPrompt>,
  { command, wanted }: Extract<Intent, { readonly _tag: "FindValues" }>
) => {
  const prompt = prompts.find((each) => each.command === command)
  if (prompt === undefined) return Effect.succeed([])
  return ServerPrompts.values(manager, prompt, wanted).pipe(
    Effect.map((values) => values.map((text) => ({ text, help: "" }))),
    Effect.orElseSucceed(() => [])
  )
}

const transcript = (store: UiStore, change: (before: Transcript.Transcript) => Transcript.Transcript) =>
  store.update((state) => ({ ...state, transcript: change(state.transcript) }))

const timed = (store: UiStore, events: ReadonlyArray<EngineEvent>) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    store.update((state) => events.reduce(UiState.onEngineEvent, { ...state, now }))
  )

const frameTime = "100 millis"

/** Shows work as the run under way: time moves while it runs, and its end is told whatever it is. */
const observed = (store: UiStore, work: Effect.Effect<void>): Effect.Effect<void> => {
  const tick = Effect.flatMap(Clock.currentTimeMillis, (now) => store.update((state) => ({ ...state, now })))
  return work.pipe(
    Effect.raceFirst(Effect.zipRight(Effect.repeat(tick, Schedule.spaced(frameTime)), Effect.never)),
    Effect.onExit((exit) => {
      if (exit._tag === "Success") return store.update((state) => UiState.onRunEnd(state))
      if (Cause.isInterrupted(exit.cause)) return store.update(UiState.onCancelled)
      const text = `internal error: ${Cause.squash(exit.cause)}`
      return store.update((state) => UiState.onRunEnd(state, Transcript.Item.Notice({ text, tone: "error" })))
    }),
    Effect.catchAllCause((cause) => Effect.logError(cause)),
    Effect.zipRight(store.step(UiKeys.onIdle))
  )
}
