/** Server-sent events as model APIs write them, repaired on the way in: what a strict reader would stumble on is filled in or left out. */

import * as Sse from "@effect/experimental/Sse"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type JsonObject, parseObject } from "../../mcp/JsonRpc.ts"

/** The data of each event, without the end mark. */
export const data = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<string, E> =>
  bytes.pipe(
    Stream.decodeText(),
    Stream.pipeThroughChannel(Sse.makeChannel()),
    Stream.map((event) => event.data),
    Stream.filter((text) => text.trim() !== "" && text.trim() !== "[DONE]")
  )

/** What stands for an event that is no JSON: an error that both APIs' readers pass on. */
export const unreadable: JsonObject = {
  type: "error",
  sequence_number: 0,
  code: "api_error",
  message: "an event of the answer is no JSON",
  error: { type: "api_error", message: "an event of the answer is no JSON" }
}

/** A client whose event streams go through `repair`: an event in, the events that the reader is given out. */
export const repaired =
  (repair: (event: JsonObject) => ReadonlyArray<JsonObject>) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.transformResponse(
      client,
      Effect.map((response) => (isOk(response) ? withRepair(response, repair) : response))
    )

const isOk = (response: HttpClientResponse.HttpClientResponse): boolean =>
  response.status >= 200 && response.status < 300

const withRepair = (
  response: HttpClientResponse.HttpClientResponse,
  repair: (event: JsonObject) => ReadonlyArray<JsonObject>
): HttpClientResponse.HttpClientResponse => {
  const encoder = new TextEncoder()
  const stream = data(response.stream).pipe(
    Stream.mapConcat((text) => repair(parseObject(text) ?? unreadable)),
    Stream.map((event) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`))
  )
  return Object.create(response, { stream: { value: stream } })
}
