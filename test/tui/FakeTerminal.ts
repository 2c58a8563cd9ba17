/**
 * A terminal for tests: takes bytes as if they were typed, and keeps what is written to it.
 */
import { EventEmitter } from "node:events"
import * as Effect from "effect/Effect"

export class FakeStdin extends EventEmitter {
  readonly isTTY = true
  readonly destroyed = false
  isRaw = false
  isPaused = true
  setRawMode(raw: boolean): this {
    this.isRaw = raw
    return this
  }
  setEncoding(): this {
    return this
  }
  resume(): this {
    this.isPaused = false
    return this
  }
  pause(): this {
    this.isPaused = true
    return this
  }
  readonly type = (bytes: string): Effect.Effect<void> => Effect.sync(() => this.emit("data", bytes))
}

export class FakeStdout extends EventEmitter {
  readonly isTTY = true
  columns = 80
  rows = 24
  written = ""
  readonly write = (data: string): boolean => {
    this.written += data
    this.emit("written")
    return true
  }
  /** What has been written, without escapes. */
  get text(): string {
    return this.written.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "")
  }
  /** Waits until the text has come. */
  readonly shows = (text: string): Effect.Effect<void> =>
    Effect.async<void>((resume) => {
      const look = () => {
        if (this.text.includes(text)) resume(Effect.void)
      }
      this.on("written", look)
      look()
      return Effect.sync(() => this.off("written", look))
    }).pipe(
      Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => new Error(`never shown: ${text}\n${this.text}`) }),
      Effect.orDie
    )
  readonly forget = Effect.sync(() => {
    this.written = ""
  })
}
