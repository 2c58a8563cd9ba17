/**
 * What is on the terminal: the components, mounted on the screen that the state asks for.
 *
 * The conversation lives on the main screen, above which the terminal keeps its scrollback; full-screen views live on the
 * alternate one. To change between them, after a resize, and while an editor has the terminal, the components are unmounted
 * and mounted again: all they show is in the store.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import { type Instance, render } from "ink"
import type { ComponentType } from "react"
import { App } from "./components/App.tsx"
import { CursorContext } from "./components/CursorContext.ts"
import { PlainMarkdown } from "./components/HistoryItem.tsx"
import type { MarkdownProps } from "./components/Markdown.tsx"
import { FrameOutput } from "./FrameOutput.ts"
import * as Terminal from "./Terminal.ts"
import type { Item } from "./Transcript.ts"
import * as UiState from "./UiState.ts"
import type { UiStore } from "./UiStore.ts"
import * as Width from "./Width.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Screen {
  /** Draws everything anew: after `/clear`, and when something else has written to the terminal. */
  readonly repaint: Effect.Effect<void>
  /** Gives the terminal to something else, and takes it back however that ends. */
  readonly suspend: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** The renderer of Markdown is there. */
  readonly useMarkdown: (Markdown: ComponentType<MarkdownProps>) => Effect.Effect<void>
  /** Dies when a component does. */
  readonly crashed: Effect.Effect<never>
}

interface Mounted {
  /** How many items were in the scrollback when it was mounted. */
  readonly printed: number
  readonly instance: Instance
  readonly output: FrameOutput
  readonly view: "chat" | "panel"
}

const clearScreen = "\x1b[2J\x1b[H"

/** A window that is being dragged changes its size many times: one of them is drawn. */
const settleTime = "40 millis"

/**
 * Takes the terminal and draws the first frame.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  store: UiStore,
  streams: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream }
) {
  const crash = yield* Deferred.make<never>()
  const resizes = yield* Queue.sliding<void>(1)
  const terminal = yield* Terminal.make(streams.stdin, streams.stdout, {
    onKey: store.press,
    onResize: () => resizes.unsafeOffer(undefined),
    onEnd: store.leave
  })
  const { plain } = store.get()
  let mounted: Mounted | undefined
  let printed = 0
  let Markdown: ComponentType<MarkdownProps> = PlainMarkdown

  const wantedView = (): Mounted["view"] => (store.get().panel === undefined ? "chat" : "panel")

  const mount = () => {
    const view = wantedView()
    if (!plain) Effect.runSync(terminal.alternate(view === "panel"))
    const output = new FrameOutput({
      columns: store.get().columns,
      write: (data) => streams.stdout.write(data),
      trailing: plain ? 1 : 0
    })
    const before = printed
    const instance = render(tree(output, before), {
      // Ink asks of its stream what `FrameOutput` has.
      stdout: output as unknown as NodeJS.WriteStream,
      stdin: streams.stdin,
      exitOnCtrlC: false,
      maxFps: 60,
      isScreenReaderEnabled: plain
    })
    instance.waitUntilExit().catch((error: unknown) => Deferred.unsafeDone(crash, Exit.die(error)))
    mounted = { instance, output, view, printed: before }
  }

  const onPrinted = (count: number) => {
    printed = count
  }

  const tree = (output: FrameOutput, before: number) => (
    <CursorContext value={output.place}>
      <App store={store} printed={before} onPrinted={onPrinted} Markdown={Markdown} />
    </CursorContext>
  )

  const unmount = () => {
    if (mounted === undefined) return
    const { instance, output } = mounted
    mounted = undefined
    output.finish(instance.clear)
    instance.unmount()
  }

  const repaint = () => {
    unmount()
    streams.stdout.write(clearScreen)
    printed = firstInSight(store.get())
    mount()
  }

  const follow = () => {
    if (mounted === undefined || mounted.view === wantedView()) return
    unmount()
    mount()
  }

  const resize = Effect.gen(function* () {
    yield* Queue.take(resizes)
    yield* Effect.sleep(settleTime)
    yield* Queue.takeAll(resizes)
    yield* store.update((state) => UiState.onResize(state, sizeOf(streams.stdout)))
    if (mounted !== undefined) yield* Effect.sync(repaint)
  })

  const unsubscribe = store.subscribe(follow)
  yield* Effect.acquireRelease(Effect.sync(mount), () =>
    Effect.sync(() => {
      unsubscribe()
      unmount()
    })
  )
  yield* Effect.forkScoped(Effect.forever(resize))

  const screen: Screen = {
    repaint: Effect.sync(repaint),
    suspend: (effect) =>
      Effect.acquireUseRelease(
        Effect.zipRight(Effect.sync(unmount), terminal.leave),
        () => effect,
        () =>
          Effect.gen(function* () {
            yield* terminal.enter
            yield* store.update((state) => UiState.onResize(state, sizeOf(streams.stdout)))
            mount()
          })
      ),
    useMarkdown: (loaded) =>
      Effect.sync(() => {
        Markdown = loaded
        if (mounted !== undefined) mounted.instance.rerender(tree(mounted.output, mounted.printed))
      }),
    crashed: Deferred.await(crash)
  }
  return screen
})

/**
 * The size of a terminal; 80×24 when it does not tell.
 *
 * @since 0.1.0
 * @category getters
 */
export const sizeOf = ({ columns, rows }: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } => ({
  columns: columns > 0 ? columns : 80,
  rows: rows > 0 ? rows : 24
})

/** The items that a screen holds are written to it again; those above are in the scrollback. */
const firstInSight = ({ columns, rows, transcript: { items } }: UiState.UiState): number => {
  let room = rows
  let first = items.length
  while (first > 0 && room > 0) {
    first -= 1
    const item = items[first]
    if (item !== undefined) room -= height(item, columns)
  }
  return first
}

const height = (item: Item, columns: number): number => {
  if (item._tag === "Tool") return 3
  return item.text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(Width.of(line) / columns)), 1)
}
