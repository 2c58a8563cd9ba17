/**
 * One call with the login that a folder holds: `callOnce.ts URL DIRECTORY`.
 */
import * as Effect from "effect/Effect"
import * as TokenStore from "../../../src/mcp/auth/TokenStore.ts"
import * as ServerConfig from "../../../src/mcp/ServerConfig.ts"
import { authLayer, connect, person } from "./harness.ts"

const [, , url = "", directory = ""] = process.argv

const answer = await Effect.flatMap(connect(ServerConfig.http("it", { url })), ({ call }) => call("read")).pipe(
  Effect.scoped,
  Effect.provide(authLayer(person(), TokenStore.layerFile({ directory }))),
  Effect.runPromise
)

process.stdout.write(answer)
