/**
 * Answers that their server allows to be used again for a while (`ttlMs`, 2026-07-28).
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as McpClient from "../../McpClient.ts"

/** How many answers are kept. */
const capacity = 200
/** No answer is kept longer, whatever the server allows. */
const maxTtlMs = 24 * 60 * 60 * 1000

/** An answer, and how long it may be used again. */
export interface Fresh<A> {
  readonly value: A
  readonly ttlMs: number | undefined
}

export interface Cache {
  /** The kept answer, or the one that `read` gets. */
  readonly through: <A, E>(key: string, read: Effect.Effect<Fresh<A>, E>) => Effect.Effect<A, E>
  /** The server says that something is different now: what was kept of it is forgotten. */
  readonly told: (notification: McpClient.Notification) => void
  /** Forgets everything: something may have been missed. */
  readonly clear: () => void
}

/** The keys that begin so are about what a notification names. */
const concerned = ({ method, params }: McpClient.Notification): ReadonlyArray<string> => {
  switch (method) {
    case "notifications/resources/list_changed":
      return ["resources/list", "resources/templates/list"]
    case "notifications/prompts/list_changed":
      return ["prompts/list"]
    case "notifications/resources/updated":
      return [`resources/read ${String(params?.uri)}`]
    default:
      return []
  }
}

interface Kept {
  readonly value: unknown
  readonly until: number
}

export const make = (): Cache => {
  const kept = new Map<string, Kept>()
  /** Counts what was dropped: an answer that was asked for before is not kept. */
  let drops = 0

  const keep = (key: string, { ttlMs = 0, value }: Fresh<unknown>, now: number, since: number) => {
    if (!(ttlMs > 0) || since !== drops) return
    kept.delete(key)
    kept.set(key, { value, until: now + Math.min(ttlMs, maxTtlMs) })
    if (kept.size <= capacity) return
    for (const oldest of kept.keys()) return kept.delete(oldest)
  }

  return {
    through: Effect.fnUntraced(function* <A, E>(key: string, read: Effect.Effect<Fresh<A>, E>) {
      const found = kept.get(key)
      // A key always stands for the same kind of answer.
      if (found !== undefined && found.until > (yield* Clock.currentTimeMillis)) return found.value as A
      const since = drops
      const fresh = yield* read
      keep(key, fresh, yield* Clock.currentTimeMillis, since)
      return fresh.value
    }),
    clear: () => {
      drops += 1
      kept.clear()
    },
    told: (notification) => {
      for (const prefix of concerned(notification)) {
        drops += 1
        for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
      }
    }
  }
}
