/**
 * What a person is told during a login, and what they may answer.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * A login that waits for the person.
 *
 * @since 0.1.0
 * @category models
 */
export interface Waiting {
  /** The server's name. */
  readonly server: string
  /** The page to log in on. */
  readonly url: URL
  /** Whether a browser shows it already. */
  readonly opened: boolean
  /** Where the browser ends up. On another machine nothing answers there, and its whole address is what is to be pasted. */
  readonly redirectUri: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The login waits from now on. */
  readonly waiting: (login: Waiting) => Effect.Effect<void>
  /** The address that the browser ended up at, pasted by the person. Interrupted when the browser comes back by itself. */
  readonly pasted: (login: Waiting) => Effect.Effect<string>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class LoginPrompt extends Context.Tag("harness9/LoginPrompt")<LoginPrompt, Service>() {}

/**
 * Logs the address, and takes no answer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerLog: Layer.Layer<LoginPrompt> = Layer.succeed(LoginPrompt, {
  waiting: ({ opened, server, url }) =>
    Effect.logInfo(
      opened
        ? `[mcp] server "${server}": log in in the browser that was opened`
        : `[mcp] server "${server}": log in at ${url.href}`
    ),
  pasted: () => Effect.never
})
