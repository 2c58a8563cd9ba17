/**
 * What a server may ask of the person and of the model, no oftener than its limits say: a server that asks without end neither
 * wears the person down nor spends their money.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ClientFeatures from "../../ClientFeatures.ts"
import type * as Limits from "../../Limits.ts"

const minute = 60_000

/** The features with everything over the rate refused. */
export const bound = (
  features: ClientFeatures.Service,
  { elicitationsPerMinute, samplingsPerMinute }: Pick<Limits.Limits, "elicitationsPerMinute" | "samplingsPerMinute">
): ClientFeatures.Service => {
  const { elicitation, sampling } = features
  const maySample = rate(samplingsPerMinute)
  const mayElicit = rate(elicitationsPerMinute)
  const decline = Effect.succeed({ action: "decline" } as const)
  return {
    ...features,
    ...(sampling && {
      sampling: {
        ...sampling,
        createMessage: (request, origin) =>
          Effect.if(maySample, {
            onTrue: () => sampling.createMessage(request, origin),
            onFalse: () =>
              new ClientFeatures.Refused({ message: `more than ${samplingsPerMinute} requests in a minute` })
          })
      }
    }),
    ...(elicitation && {
      elicitation: {
        ...elicitation,
        form: elicitation.form && bounded(mayElicit, elicitation.form, decline),
        url: elicitation.url && bounded(mayElicit, elicitation.url, decline)
      }
    })
  }
}

const bounded =
  <Request, Answer>(
    may: Effect.Effect<boolean>,
    ask: (request: Request, origin: ClientFeatures.Origin) => Effect.Effect<Answer>,
    otherwise: Effect.Effect<Answer>
  ) =>
  (request: Request, origin: ClientFeatures.Origin): Effect.Effect<Answer> =>
    Effect.if(may, { onTrue: () => ask(request, origin), onFalse: () => otherwise })

/** Whether one more is within so many a minute; it then counts. */
const rate = (limit: number): Effect.Effect<boolean> => {
  let times: ReadonlyArray<number> = []
  return Effect.map(Clock.currentTimeMillis, (now) => {
    times = times.filter((time) => now - time < minute)
    if (times.length >= limit) return false
    times = [...times, now]
    return true
  })
}
