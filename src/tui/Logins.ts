/**
 * The person of the terminal UI, to logins a `LoginPrompt`: what waits for a browser is shown, and may be answered by pasting.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { LoginPrompt, type Waiting } from "../mcp/auth/LoginPrompt.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The logins that wait for a person, then again after each change. */
  readonly changes: Stream.Stream<ReadonlyArray<Waiting>>
  /** The address that the browser ended at; nothing happens when the login waits no more. */
  readonly paste: (server: string, address: string) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Logins extends Context.Tag("harness9/tui/Logins")<Logins, Service>() {}

interface Open {
  readonly login: Waiting
  readonly pasted: Deferred.Deferred<string>
}

const make = Effect.gen(function* () {
  const open = yield* SubscriptionRef.make<ReadonlyArray<Open>>([])

  const prompt = LoginPrompt.of({
    waiting: () => Effect.void,
    // Interrupted when the browser comes back by itself, and when the login is over in any other way.
    pasted: (login) =>
      Effect.acquireUseRelease(
        Effect.tap(Deferred.make<string>(), (pasted) =>
          SubscriptionRef.update(open, (all) => [...all, { login, pasted }])
        ),
        (pasted) => Deferred.await(pasted),
        (pasted) => SubscriptionRef.update(open, (all) => all.filter((other) => other.pasted !== pasted))
      )
  })

  const logins = Logins.of({
    changes: Stream.map(open.changes, (all) => all.map(({ login }) => login)),
    paste: (server, address) =>
      Effect.flatMap(SubscriptionRef.get(open), (all) => {
        const waiting = all.findLast(({ login }) => login.server === server)
        return waiting === undefined ? Effect.void : Deferred.succeed(waiting.pasted, address)
      })
  })

  return Context.make(LoginPrompt, prompt).pipe(Context.add(Logins, logins))
})

/**
 * Both sides: logins ask through `LoginPrompt`, the UI answers through `Logins`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<LoginPrompt | Logins> = Layer.effectContext(make)
