/**
 * The terminal while the UI has it: raw keys in, modes set, and everything as it was afterwards, whatever happens.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Keys from "./Keys.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  /** Takes the terminal: keys arrive from now on. */
  readonly enter: Effect.Effect<void>
  /** Gives it back as it was. */
  readonly leave: Effect.Effect<void>
  /** Goes to the screen beside the scrollback, or back from it. */
  readonly alternate: (on: boolean) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Listener {
  readonly onKey: (key: Keys.Key) => void
  readonly onResize: () => void
  /** The terminal is gone. */
  readonly onEnd: () => void
}

const pasteOn = "\x1b[?2004h"
const pasteOff = "\x1b[?2004l"
const alternateOn = "\x1b[?1049h\x1b[2J\x1b[H"
const alternateOff = "\x1b[?1049l"
const showCursor = "\x1b[?25h"

/** After this time a lone escape is the Esc key: the rest of a sequence would have come with it. */
const escapeMs = 25

/**
 * A terminal on two streams. It is taken, and given back when the Scope closes or the process exits.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.fnUntraced(function* (
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  listener: Listener
) {
  let entered = false
  let alternate = false
  // What was typed before raw mode comes first, with Enter turned into a line feed by the terminal.
  let fresh = true
  let pending = ""
  let timer: NodeJS.Timeout | undefined

  const take = ({ keys, pending: rest }: Keys.Decoded) => {
    pending = rest
    for (const key of keys) if (entered) listener.onKey(key)
  }

  const onData = (chunk: string) => {
    clearTimeout(timer)
    take(Keys.decode(pending, fresh ? chunk.replaceAll("\n", "\r") : chunk))
    fresh = false
    if (pending !== "") timer = setTimeout(() => take(Keys.flush(pending)), escapeMs)
  }

  const enter = () => {
    if (entered) return
    entered = true
    fresh = true
    stdin.setRawMode(true)
    stdin.setEncoding("utf8")
    stdin.on("data", onData)
    stdin.on("end", listener.onEnd)
    stdout.on("resize", listener.onResize)
    stdin.resume()
    stdout.write(pasteOn)
  }

  const leave = () => {
    if (!entered) return
    entered = false
    clearTimeout(timer)
    pending = ""
    stdin.off("data", onData)
    stdin.off("end", listener.onEnd)
    stdout.off("resize", listener.onResize)
    stdin.pause()
    if (!stdin.destroyed) stdin.setRawMode(false)
    stdout.write(`${alternate ? alternateOff : ""}${pasteOff}${showCursor}`)
    alternate = false
  }

  process.on("exit", leave)
  yield* Effect.acquireRelease(Effect.sync(enter), () =>
    Effect.sync(() => {
      leave()
      process.off("exit", leave)
    })
  )

  const terminal: Terminal = {
    stdin,
    stdout,
    enter: Effect.sync(enter),
    leave: Effect.sync(leave),
    alternate: (on) =>
      Effect.sync(() => {
        if (on === alternate) return
        alternate = on
        stdout.write(on ? alternateOn : alternateOff)
      })
  }
  return terminal
})
