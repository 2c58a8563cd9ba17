/**
 * The lines of a cassette while they are played: which of them the program has done, and which one comes to it next.
 *
 * What a program sends may come in another order than it was recorded, since that is a matter of chance where several things
 * are under way. What it receives comes in the recorded order, each line once everything has been sent that had been sent before
 * it. While a connection is being made, that holds for this connection alone: some waits of a handshake are waits for time.
 */
import type { Cassette, Entry } from "../../Cassette.ts"
import type { JsonObject } from "../../JsonRpc.ts"
import * as Comparison from "./Comparison.ts"

/** Who is at the other end of a line. */
export type End = string

export const endOf = (entry: Pick<Entry, "connection" | "server" | "with">): End =>
  entry.with === "server" ? `server ${entry.server} ${entry.connection}` : entry.with

export interface Line {
  readonly entry: Entry
  /** Of the file; from 1. */
  readonly number: number
  readonly end: End
  /** It belongs to the making of its connection. */
  readonly early: boolean
  /** What is compared. */
  readonly meaning: () => unknown
  /** Done by the program, or come to it. */
  done: boolean
  /** The program did not do it in time, and it is of the kind that nothing depends on. */
  passed: boolean
}

export type Next =
  | { readonly _tag: "Ready"; readonly line: Line }
  | { readonly _tag: "Waiting"; readonly for: Line | undefined }

export interface Tape {
  readonly lines: ReadonlyArray<Line>
  /** The line that a sent message stands for. */
  readonly find: (end: End, kind: Entry["kind"], meaning: unknown) => Line | undefined
  /** The undone line that is nearest to what was sent. */
  readonly nearest: (end: End, kind: Entry["kind"], message: JsonObject) => Line | undefined
  /** The last answer to a request that has been made before. */
  readonly again: (end: End, meaning: unknown) => { readonly request: Line; readonly reply: Line } | undefined
  readonly next: (isOpen: (end: End) => boolean) => Next
}

export const make = ({ entries, header }: Cassette): Tape => {
  const settled = new Set<End>()
  const lines = entries.map((entry, index): Line => {
    const end = endOf(entry)
    const early = entry.with === "server" && !settled.has(end)
    if (entry.kind === "notification" && entry.message.method === "notifications/initialized") settled.add(end)
    if (entry.kind === "negotiated") settled.add(end)
    let meaning: unknown
    return {
      entry,
      number: index + 2,
      end,
      early,
      meaning: () => {
        meaning ??= Comparison.inPlace(meaningOf(entry.with, entry.kind, entry.message), [header.directory])
        return meaning
      },
      done: isInformation(entry),
      passed: false
    }
  })
  const byEnd = new Map<End, Array<Line>>()
  for (const line of lines) {
    const before = byEnd.get(line.end)
    if (before === undefined) byEnd.set(line.end, [line])
    else before.push(line)
  }
  const requests = new Map(
    lines.filter(isRequest).map((line) => [`${line.end} ${String(line.entry.id)}`, line] as const)
  )
  const requestOf = ({ end, entry }: Line) => requests.get(`${end} ${String(entry.id)}`)
  let first = 0

  return {
    lines,
    find: (end, kind, meaning) =>
      byEnd
        .get(end)
        ?.find(
          (line) =>
            !line.done &&
            line.entry.direction === "out" &&
            line.entry.kind === kind &&
            Comparison.fields(line.meaning(), meaning).length === 0
        ),
    nearest: (end, kind, { method }) => {
      const left = byEnd.get(end)?.filter(({ done, entry }) => !done && entry.direction === "out") ?? []
      return left.find(({ entry }) => entry.kind === kind && entry.message.method === method) ?? left[0]
    },
    again: (end, meaning) => {
      const all = byEnd.get(end) ?? []
      const request = all.findLast(
        (line) => line.done && isRequest(line) && Comparison.fields(line.meaning(), meaning).length === 0
      )
      const reply = all.find(({ done, entry }) => done && entry.kind === "reply" && entry.id === request?.entry.id)
      return request === undefined || reply === undefined ? undefined : { request, reply }
    },
    next: (isOpen) => {
      while (lines[first]?.done) first += 1
      const missingAt = new Map<End, Line>()
      let missing: Line | undefined
      let waiting: Line | undefined
      for (let index = first; index < lines.length; index++) {
        const line = lines[index]
        if (line === undefined || line.done || line.passed || !isOpen(line.end)) continue
        if (line.entry.direction === "out") {
          if (!missingAt.has(line.end)) missingAt.set(line.end, line)
          if (!line.early) missing ??= line
          continue
        }
        const isAnswer = line.entry.id !== undefined && line.entry.kind !== "request"
        // Of a request that was passed over, until it comes after all.
        if (isAnswer && requestOf(line)?.passed && !requestOf(line)?.done) continue
        const by = missingAt.get(line.end) ?? (line.early ? undefined : missing)
        if (by === undefined) return { _tag: "Ready", line }
        waiting ??= by
      }
      return { _tag: "Waiting", for: waiting }
    }
  }
}

const isRequest = ({ entry }: Line): boolean => entry.direction === "out" && entry.kind === "request"

/** What was noted beside the messages. */
const isInformation = ({ kind }: Entry): boolean =>
  kind === "open" || kind === "opened" || kind === "negotiated" || kind === "cancel" || kind === "duration"

/** Where the program runs is not compared: that is what an answer to `roots/list` says. */
export const meaningOf = (other: Entry["with"], kind: Entry["kind"], message: JsonObject): unknown => {
  if (other !== "server") return message
  const { result } = message
  const isRoots = kind === "answer" && typeof result === "object" && result !== null && "roots" in result
  return isRoots ? { result: "roots" } : Comparison.ofServer(message)
}
