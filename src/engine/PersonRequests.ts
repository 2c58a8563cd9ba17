/**
 * What servers may ask that needs no model: where harness9 works, and its person.
 *
 * @since 0.1.0
 */
import { stat } from "node:fs/promises"
import { basename, isAbsolute } from "node:path"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import { Browser } from "../mcp/auth/Browser.ts"
import type { ElicitationFeature, Origin, Root, Roots } from "../mcp/ClientFeatures.ts"
import type * as Elicitation from "../mcp/Elicitation.ts"
import { Person } from "./Person.ts"

/**
 * A hint where to work: here, and in the directories that a server's entry names. Some servers work nowhere else once they have
 * been given a hint. It does not change while the program runs, and servers are told so.
 *
 * @since 0.1.0
 * @category constructors
 */
export const roots = (directory = process.cwd()): Roots => ({
  list: Effect.succeed([toRoot(directory)]),
  ofEntry: ({ transport }) =>
    Effect.map(Effect.filter(transport._tag === "stdio" ? transport.args : [], isDirectory), (named) =>
      [...new Set([directory, ...named])].map(toRoot)
    )
})

const toRoot = (directory: string): Root => ({
  uri: pathToFileURL(directory).href,
  name: basename(directory) || directory
})

const isDirectory = (path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map((found) => isAbsolute(path) && found.isDirectory()),
    Effect.orElseSucceed(() => false)
  )

const decline = () => Effect.succeed({ action: "decline" } as const)

/**
 * What is answered where nobody is there.
 *
 * @since 0.1.0
 * @category constants
 */
export const declined: ElicitationFeature = { form: decline, url: decline }

/** How many visits are remembered, for the word that one is over. */
const maxVisits = 100

/**
 * What a person answers: forms are filled in, and a page is opened only when the person has agreed to it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const asked: Effect.Effect<ElicitationFeature, never, Person | Browser> = Effect.gen(function* () {
  const person = yield* Person
  const browser = yield* Browser
  const visits = new Map<string, string>()

  const url = Effect.fnUntraced(function* (request: Elicitation.UrlRequest, origin: Origin) {
    const answer = yield* person.url(request, origin)
    if (answer.action !== "accept") return answer
    if (request.elicitationId !== undefined && visits.size < maxVisits) {
      visits.set(visitKey(request.elicitationId, origin), request.url.host)
    }
    const opened = yield* browser.open(request.url)
    if (!opened) yield* person.tell(`Open this page for the server ${origin.server}: ${request.url.href}`)
    return answer
  })

  const completed = (elicitationId: string, origin: Origin) =>
    Effect.suspend(() => {
      const key = visitKey(elicitationId, origin)
      const host = visits.get(key)
      if (!visits.delete(key)) return Effect.void
      return person.tell(`The server ${origin.server} says that it has what it needed from ${host}.`)
    })

  return { form: person.form, url, completed }
})

const visitKey = (elicitationId: string, { server }: Origin): string => `${server}\n${elicitationId}`
