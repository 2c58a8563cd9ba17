/**
 * The terminal UI: a conversation with the agent, the state of every server, and the panels, on one screen.
 *
 * The first frame is drawn before anything else is built; Ink and React are loaded only here.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Stream from "effect/Stream"
import { version } from "../mcp/internal/version.ts"
import type { McpManager } from "../mcp/McpManager.ts"
import type { Start } from "./Chat.ts"
import * as InputHistory from "./InputHistory.ts"
import { Intent } from "./Intent.ts"
import * as JobControl from "./JobControl.ts"
import * as Prompt from "./Prompt.ts"
import type { Screen } from "./Screen.tsx"
import type { Services } from "./Session.ts"
import * as StateFile from "./StateFile.ts"
import * as Transcript from "./Transcript.ts"
import * as UiState from "./UiState.ts"
import * as UiStore from "./UiStore.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The model in use, as the status bar names it until the services say so. */
  readonly model: string
  /** Where the built-in tools run, and what confines them; default: the working directory, not confined. */
  readonly sandbox?: string | undefined
  /** The configuration file that `e` opens. */
  readonly configFile: string
  /** Called when the editor has been closed; what it says is shown. */
  readonly onConfigEdited?: Effect.Effect<UiState.Message, never, McpManager> | undefined
  /** What is to be said in passing, for as long as the UI is open. */
  readonly messages?: Stream.Stream<UiState.Message, never, McpManager> | undefined
  /** What to go on with; default: nothing. */
  readonly start?: Start | undefined
  /** What is wrong with the configuration that the program begins with; told in the conversation. */
  readonly problems?: Effect.Effect<ReadonlyArray<string>> | undefined
  /** Only lines of text, for screen readers. */
  readonly plain?: boolean | undefined
  readonly stdin?: NodeJS.ReadStream | undefined
  readonly stdout?: NodeJS.WriteStream | undefined
}

/**
 * Opens the UI, builds the services behind it, and runs until the person leaves. The services are given the person as their
 * `Approver` and `LoginPrompt`. However it ends, the terminal is as it was before.
 *
 * @since 0.1.0
 * @category execution
 */
export const run = <E, R>(options: Options, services: Layer.Layer<Services, E, R>) =>
  Effect.gen(function* () {
    const stdin = options.stdin ?? process.stdin
    const stdout = options.stdout ?? process.stdout
    const Screen = yield* loadScreen
    const store = yield* UiStore.make(yield* initial(options, Screen.sizeOf(stdout)))
    const screen = yield* Screen.make(store, { stdin, stdout })
    const markdown = yield* Effect.forkScoped(loadMarkdown(screen.useMarkdown))
    yield* Effect.addFinalizer(() => keepHistory(store))
    yield* Effect.forkScoped(loadHistory(store))
    yield* JobControl.onStop(() => store.ask(Intent.Suspend()))
    const session = Effect.flatMap(loadSession, ({ run }) =>
      run({ ...options, store, screen, ready: Fiber.await(markdown) }, services)
    )
    // What servers need to end may be more than a moment.
    const left = Effect.zipRight(
      store.left,
      store.update((state) => UiState.onMessage(state, "stopping the servers"))
    )
    yield* Effect.raceFirst(left, Effect.raceFirst(session, screen.crashed))
  }).pipe(Effect.scoped)

/**
 * Ink takes its decisions when it is loaded. In a terminal it shall draw also where `CI` is set; and it does not know of
 * `NO_COLOR`.
 */
const loadScreen = Effect.acquireUseRelease(
  Effect.sync(() => {
    const { CI, CONTINUOUS_INTEGRATION, FORCE_COLOR, NO_COLOR = "" } = process.env
    setVariables({
      CI: undefined,
      CONTINUOUS_INTEGRATION: undefined,
      FORCE_COLOR: NO_COLOR === "" ? FORCE_COLOR : "0"
    })
    return { CI, CONTINUOUS_INTEGRATION, FORCE_COLOR }
  }),
  () => Effect.promise(() => import("./Screen.tsx")),
  (before) => Effect.sync(() => setVariables(before))
)

const setVariables = (variables: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

const loadSession = Effect.promise(() => import("./Session.ts"))

const loadMarkdown = (use: Screen["useMarkdown"]) =>
  Effect.flatMap(
    Effect.promise(() => import("./components/Markdown.tsx")),
    ({ Markdown }) => use(Markdown)
  )

const loadHistory = (store: UiStore.UiStore) =>
  Effect.flatMap(InputHistory.load(StateFile.path("history")), (earlier) =>
    store.update((state) => ({ ...state, prompt: Prompt.onHistory(state.prompt, earlier) }))
  )

/** A person who leaves at once has sent prompts that nothing has taken yet. */
const keepHistory = (store: UiStore.UiStore) =>
  Effect.flatMap(Queue.takeAll(store.intents), (intents) =>
    Effect.forEach(
      intents,
      (intent) =>
        intent._tag === "Remember" ? InputHistory.append(StateFile.path("history"), intent.prompt) : Effect.void,
      { discard: true }
    )
  )

const initial = (options: Options, size: Pick<UiState.UiState, "columns" | "rows">) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const cwd = process.cwd()
    const directory = cwd === homedir() || cwd.startsWith(`${homedir()}/`) ? `~${cwd.slice(homedir().length)}` : cwd
    const { model, plain = false, sandbox = `${directory}, not confined` } = options
    const state = UiState.make({ ...size, now, model, directory, sandbox, plain })
    const banner = Transcript.Item.Notice({ text: `harness9 ${version}`, tone: "info" })
    return { ...state, transcript: Transcript.add(state.transcript, banner) }
  })
