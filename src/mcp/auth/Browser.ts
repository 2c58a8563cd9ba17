/**
 * What opens an address for a person.
 *
 * @since 0.1.0
 */
import { spawn } from "node:child_process"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Whether a browser was opened; false where there is none. */
  readonly open: (url: URL) => Effect.Effect<boolean>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Browser extends Context.Tag("harness9/Browser")<Browser, Service>() {}

/**
 * The person's own browser, by the program that the system has for that. No shell reads the address, and only `https:` and `http:` are opened.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Browser> = Layer.succeed(Browser, {
  open: (url) => {
    const command = opener(process.platform, process.env, url.href)
    return command === undefined || (url.protocol !== "https:" && url.protocol !== "http:")
      ? Effect.succeed(false)
      : // An opener that does not end is the browser itself.
        Effect.timeoutTo(start(command), {
          duration: "5 seconds",
          onTimeout: () => true,
          onSuccess: (opened) => opened
        })
  }
})

/** Whether the program did its work. It is the person's from then on, and outlives the login and harness9. */
const start = ([program, ...args]: Opener): Effect.Effect<boolean> =>
  Effect.async((resume) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true })
    child.once("error", () => resume(Effect.succeed(false)))
    child.once("exit", (code) => resume(Effect.succeed(code === 0)))
    child.unref()
  })

/**
 * No browser: the address is shown, and the person opens it wherever they are.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerNone: Layer.Layer<Browser> = Layer.succeed(Browser, { open: () => Effect.succeed(false) })

type Opener = readonly [string, ...ReadonlyArray<string>]

const opener = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv, url: string): Opener | undefined => {
  switch (platform) {
    case "darwin":
      return ["open", url]
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler", url]
    default:
      // Without a display, xdg-open starts a browser in the terminal, or waits for one.
      return env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME ? ["xdg-open", url] : undefined
  }
}
