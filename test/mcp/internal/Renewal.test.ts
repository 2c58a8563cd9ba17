import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Renewal from "../../../src/mcp/internal/client/Renewal.ts"
import { McpError } from "../../../src/mcp/McpError.ts"

it.effect("a call that waits for a new session fails with a reason when the connection is closed meanwhile", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const lost = new McpError({ server: "it", phase: "call", kind: "session-lost", message: "the session is gone" })
    const request = yield* Scope.extend(
      Renewal.renewing(() => Effect.fail(lost), Effect.never),
      scope
    )
    const first = yield* Effect.fork(request("tools/call", {}))
    yield* Effect.yieldNow()
    yield* Effect.yieldNow()
    const second = yield* Effect.fork(request("tools/call", {}))
    yield* Effect.yieldNow()
    yield* Scope.close(scope, Exit.void)
    for (const call of [first, second]) {
      expect(yield* Effect.flip(Fiber.join(call))).toMatchObject({ server: "it", phase: "call", kind: "closed" })
    }
  })
)
