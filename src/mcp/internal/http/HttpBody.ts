/**
 * What may be done with a reply's body that is no event stream.
 */
import * as Parts from "../Parts.ts"
import type { Body } from "./HttpConnection.ts"

/** Reads it for the sake of the socket. */
export const ignore: Body = { onData: () => {}, onEnd: () => {} }

/** Gathers it as text. Over `limit` bytes it says so once, and drops the rest. */
export const text = (options: {
  readonly limit: number
  readonly onText: (text: string) => void
  readonly onTooLarge: (start: string) => void
}): Body => {
  const parts = Parts.make()
  let over = false
  const decoded = () =>
    parts
      .take()
      .toString("utf8")
      .replace(/^\ufeff/, "")
  return {
    onData: (chunk) => {
      if (over) return
      parts.add(chunk)
      if (parts.size() <= options.limit) return
      over = true
      options.onTooLarge(decoded())
    },
    onEnd: () => {
      if (!over) options.onText(decoded())
    }
  }
}

/** Gathers what a refusal says; of a very long one its start. */
export const refusal = (onText: (text: string) => void): Body =>
  text({ limit: 1024 * 1024, onText, onTooLarge: onText })
