/**
 * A login told on the command line: where to log in, and the address to paste where no browser comes back by itself.
 *
 * @since 0.1.0
 */
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LoginPrompt from "../mcp/auth/LoginPrompt.ts"
import { oneLine } from "../mcp/VisibleText.ts"
import { Output } from "./output/Output.ts"

/**
 * Tells on stderr; takes a pasted address from stdin when that is a terminal.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<LoginPrompt.LoginPrompt, never, Output | Terminal.Terminal> = Layer.effect(
  LoginPrompt.LoginPrompt,
  Effect.gen(function* () {
    const { note, noteStyle } = yield* Output
    const terminal = yield* Terminal.Terminal
    return {
      waiting: ({ opened, server, url }) =>
        note(
          [
            opened
              ? `Log in to ${noteStyle.bold(oneLine(server))} in the browser that was opened. If none was, open:`
              : `Log in to ${noteStyle.bold(oneLine(server))} by opening this address:`,
            `  ${oneLine(url.href)}`,
            ...(process.stdin.isTTY
              ? ["On another machine the browser ends at an address that does not load: paste it here and press Enter."]
              : [])
          ].join("\n")
        ),
      pasted: () => (process.stdin.isTTY ? Effect.catchAll(terminal.readLine, () => Effect.interrupt) : Effect.never)
    }
  })
)
