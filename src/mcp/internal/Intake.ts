/**
 * How fast a server is listened to. What it sends without being asked costs everybody time, since all servers share one thread: over
 * a rate it is read more slowly, and its own pipe holds it back. Replies that somebody waits for are free.
 */

/** Seconds of the rate that may come at once. */
const burst = 5
/** To answer a request costs more than to take note of a notification. */
const requestUnits = 10
/** Long ones cost by their length. */
const charactersPerUnit = 1000
/** The longest time without reading. */
const longestMs = 10_000

export interface Intake {
  /** A message came that nobody waits for, or something that is none. */
  readonly heard: (kind: "request" | "other", characters: number) => void
  /** For how many milliseconds nothing should be read; 0 most of the time. */
  readonly rest: () => number
}

export const make = (messagesPerSecond: number): Intake => {
  let credit = messagesPerSecond * burst
  let at = performance.now()

  const refill = () => {
    const now = performance.now()
    credit = Math.min(messagesPerSecond * burst, credit + ((now - at) / 1000) * messagesPerSecond)
    at = now
  }

  return {
    heard: (kind, characters) => {
      credit -= (kind === "request" ? requestUnits : 1) + characters / charactersPerUnit
    },
    rest: () => {
      if (credit >= 0) return 0
      refill()
      return credit >= 0 ? 0 : Math.min((-credit / messagesPerSecond) * 1000, longestMs)
    }
  }
}
