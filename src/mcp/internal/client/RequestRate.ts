/**
 * What a server may ask of the person and of the model, no oftener than its limits say: a server that asks without end neither
 * wears the person down nor spends their money.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ClientFeatures from "../../ClientFeatures.ts"
import * as Limits from "../../Limits.ts"

const minute = 60_000

/** The features with everything over the rate refused. */
export const bound = (
  features: ClientFeatures.Service,
  { elicitationsPerMinute, samplingsPerMinute }: Pick<Limits.Limits, "elicitationsPerMinute" | "samplingsPerMinute">
): ClientFeatures.Service => {
  const { elicitation, sampling } = features
  const maySample = rate("samplingsPerMinute", samplingsPerMinute)
  const mayElicit = rate("elicitationsPerMinute", elicitationsPerMinute)
  const decline = Effect.succeed({ action: "decline" } as const)
  return {
    ...features,
    ...(sampling && {
      sampling: {
        ...sampling,
        createMessage: (request, origin) =>
          Effect.if(maySample(origin), {
            onTrue: () => sampling.createMessage(request, origin),
            onFalse: () =>
              new ClientFeatures.Refused({
                message: `more than ${samplingsPerMinute} requests in a minute (limits.samplingsPerMinute)`
              })
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
    may: (origin: ClientFeatures.Origin) => Effect.Effect<boolean>,
    ask: (request: Request, origin: ClientFeatures.Origin) => Effect.Effect<Answer>,
    otherwise: Effect.Effect<Answer>
  ) =>
  (request: Request, origin: ClientFeatures.Origin): Effect.Effect<Answer> =>
    Effect.if(may(origin), { onTrue: () => ask(request, origin), onFalse: () => otherwise })

/** Whether one more is within so many a minute; it then counts. Of those that are not, the first of a minute is logged. */
const rate = (setting: keyof Limits.Limits, limit: number) => {
  let times: ReadonlyArray<number> = []
  let toldAt = Number.NEGATIVE_INFINITY
  return ({ server }: ClientFeatures.Origin): Effect.Effect<boolean> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      times = times.filter((time) => now - time < minute)
      if (times.length < limit) {
        times = [...times, now]
        return Effect.succeed(true)
      }
      if (now - toldAt < minute) return Effect.succeed(false)
      toldAt = now
      const warning = `[mcp] server "${server}" asks more than ${limit} times a minute: refused. ${Limits.hint(setting)}`
      return Effect.as(Effect.logWarning(warning), false)
    })
}
