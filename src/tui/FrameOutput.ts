/**
 * The stream that Ink draws its frames to: the terminal, with the cursor kept where text is edited.
 *
 * Ink counts on the cursor standing below the frame. Before each of its writes the cursor goes back there, and afterwards to
 * its place. The stream claims endless rows: a frame is kept lower than the screen by the components, and Ink's own answer to
 * one that is not would be to write the whole history again.
 *
 * @since 0.1.0
 */
import { EventEmitter } from "node:events"
import type { CursorPlace } from "./components/CursorContext.ts"

/**
 * @since 0.1.0
 * @category models
 */
export class FrameOutput extends EventEmitter {
  readonly isTTY = true
  readonly writable = true
  readonly rows = Number.MAX_SAFE_INTEGER
  readonly columns: number
  readonly #write: (data: string) => void
  /** Rows between the end of a frame and the line below it. */
  readonly #trailing: number
  #wanted: CursorPlace | undefined
  #shown: CursorPlace | undefined
  #muted = false

  constructor(options: {
    readonly columns: number
    readonly write: (data: string) => void
    readonly trailing: number
  }) {
    super()
    this.columns = options.columns
    this.#write = options.write
    this.#trailing = options.trailing
  }

  readonly write = (data: string, done?: () => void): boolean => {
    if (!this.#muted && data !== "") this.#write(`${this.#goBack()}${data}${this.#goToPlace()}`)
    if (done !== undefined) queueMicrotask(done)
    return true
  }

  /** Where the cursor is wanted; without a place it is hidden. */
  readonly place = (place: CursorPlace | undefined): void => {
    this.#wanted = place
    if (this.#muted) return
    const moves = `${this.#goBack()}${this.#goToPlace()}`
    if (moves !== "") this.#write(moves)
  }

  /** Brings the cursor below the frame, and shows nothing more. */
  readonly finish = (clear: () => void): void => {
    this.#wanted = undefined
    this.#write(this.#goBack())
    clear()
    this.#muted = true
    // Lines of text stay where they are: what follows begins below them.
    if (this.#trailing > 0) this.#write("\n")
  }

  #goBack(): string {
    if (this.#shown === undefined) return ""
    const up = this.#shown.up - this.#trailing
    this.#shown = undefined
    return `\x1b[?25l${up > 0 ? `\x1b[${up}B` : ""}\r`
  }

  #goToPlace(): string {
    if (this.#wanted === undefined) return ""
    this.#shown = this.#wanted
    const up = this.#shown.up - this.#trailing
    return `${up > 0 ? `\x1b[${up}A` : ""}\x1b[${this.#shown.column + 1}G\x1b[?25h`
  }
}
