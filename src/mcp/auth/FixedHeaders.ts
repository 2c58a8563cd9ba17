/**
 * Servers whose credentials the entry gives itself: headers as they stand, or a program that prints them. There is no login for them.
 */
import * as Effect from "effect/Effect"
import type { HttpAuth } from "../HttpAuth.ts"
import type { McpError } from "../McpError.ts"
import type { HeadersHelper as Helper, Http } from "../ServerConfig.ts"
import * as HeadersHelper from "./HeadersHelper.ts"

type Fields = Readonly<Record<string, string>>

/** What says the credentials, if something does. */
export const source = ({ headers, headersHelper, url }: Http): "headers" | "headersHelper" | undefined => {
  if (headersHelper !== undefined) return "headersHelper"
  const given = Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
  return given || (URL.canParse(url) && new URL(url).username !== "") ? "headers" : undefined
}

/** Nothing is added, and nothing helps. */
export const asTheyStand: HttpAuth = { headers: () => Effect.succeed({}), unauthorized: () => Effect.succeed(false) }

/** Undefined for a server that may be logged in to. */
export const ofTransport = (name: string, transport: Http): Effect.Effect<HttpAuth> | undefined => {
  if (transport.headersHelper !== undefined) return printed(name, transport.url, transport.headersHelper)
  return source(transport) === undefined ? undefined : Effect.succeed(asTheyStand)
}

/** The program runs at the first message, and again when the server refuses what it printed. */
const printed = Effect.fnUntraced(function* (name: string, url: string, helper: Helper) {
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const { origin } = new URL(url)
  let current: Fields | undefined

  const run: Effect.Effect<Fields, McpError> = Effect.tap(HeadersHelper.run({ name, url }, helper), (fields) =>
    Effect.sync(() => {
      current = fields
    })
  )
  const first = oneAtATime.withPermits(1)(Effect.suspend(() => (current === undefined ? run : Effect.succeed(current))))

  const auth: HttpAuth = {
    headers: (request) => (request.url.origin === origin ? first : Effect.succeed({})),
    unauthorized: ({ sent, status }) =>
      oneAtATime.withPermits(1)(
        Effect.suspend(() => {
          if (status !== 401) return Effect.succeed(false)
          // Somebody else has run it since.
          if (sent !== undefined && current !== undefined && !isSame(sent, current)) return Effect.succeed(true)
          const refused = current
          return Effect.map(run, (fields) => refused === undefined || !isSame(fields, refused))
        })
      )
  }
  return auth
})

const isSame = (one: Fields, other: Fields): boolean => {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
