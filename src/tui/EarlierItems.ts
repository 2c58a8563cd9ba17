/**
 * What was said and done in a session before it was opened, as the conversation shows it.
 *
 * @since 0.1.0
 */
import type { OfType, SessionEvent } from "../engine/SessionEvent.ts"
import type { Session } from "../engine/SessionStore.ts"
import * as Transcript from "./Transcript.ts"

const { Item } = Transcript

/** More would keep a terminal busy for long; all of it is in the session. */
const most = 400

/**
 * The items, and a last one that says which session it is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const of = (
  { directory, events, id }: Omit<Session, "append">,
  here: string
): ReadonlyArray<Transcript.Item> => {
  const items = itemsOf(events)
  const left = items.length - most
  const where = directory === here ? "" : `; it was begun in ${directory}`
  return [
    ...(left > 0 ? [info(`${left} earlier entries are not shown: harness9 sessions show ${id}`)] : []),
    ...items.slice(-most),
    info(`going on with session ${id}${where}`)
  ]
}

const info = (text: string): Transcript.Item => Item.Notice({ text, tone: "info" })

const itemsOf = (events: ReadonlyArray<SessionEvent>): ReadonlyArray<Transcript.Item> => {
  const servers = new Map<string, string | undefined>()
  const results = new Map<string, OfType<"returned">>()
  for (const event of events) {
    if (event.type === "offered") for (const { name, server } of event.tools) servers.set(name, server)
    if (event.type === "returned") results.set(event.id, event)
  }
  const call = (part: CallPart): Transcript.Item =>
    Item.Tool({
      call: {
        id: part.id,
        name: part.name,
        server: servers.get(part.name),
        arguments: part.arguments,
        startedAt: 0,
        progress: undefined,
        outcome: outcomeOf(results.get(part.id))
      }
    })
  return events
    .slice(events.findLastIndex(({ type }) => type === "cleared") + 1)
    .flatMap((event) => itemsOfEvent(event, call))
}

type CallPart = Extract<OfType<"answered">["parts"][number], { readonly type: "tool-call" }>

const itemsOfEvent = (
  event: SessionEvent,
  call: (part: CallPart) => Transcript.Item
): ReadonlyArray<Transcript.Item> => {
  switch (event.type) {
    case "prompted":
      return [Item.User({ text: event.prompt })]
    case "answered":
      return event.parts.map((part) => {
        if (part.type === "tool-call") return call(part)
        return part.type === "text"
          ? Item.Answer({ text: part.text, first: true })
          : Item.Thought({ text: part.text.trim() })
      })
    case "noticed":
      return event.notices.map(info)
    case "noted":
      return [info(event.text)]
    case "compacted":
      return [info(event.summary)]
    case "ended": {
      const notice = Transcript.endNotice(event)
      return notice === undefined ? [] : [notice]
    }
    case "returned":
    case "offered":
    case "recent":
    case "cleared":
      return []
  }
}

const outcomeOf = (result: OfType<"returned"> | undefined): Transcript.Outcome =>
  result === undefined
    ? { isError: true, denied: false, text: "harness9 was stopped before there was a result", durationMs: 0 }
    : {
        isError: result.isError,
        denied: result.denied,
        text: Transcript.bounded(result.text),
        durationMs: result.durationMs
      }
