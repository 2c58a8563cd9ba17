/**
 * The entry of a server as it stands in its file, with nothing in it that nobody should see.
 *
 * References such as `${TOKEN}` are shown as they are written. What is not known to be harmless is masked.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ConfigText from "../mcp/internal/config/ConfigText.ts"
import { mask } from "../mcp/internal/MaskedEntry.ts"
import { isObject, type JsonObject } from "../mcp/JsonRpc.ts"
import type { ServerConfig } from "../mcp/ServerConfig.ts"

export { mask }

/**
 * The masked entry; empty when the file has changed and no longer has it.
 *
 * @since 0.1.0
 * @category getters
 */
export const read = (config: ServerConfig): Effect.Effect<JsonObject, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const { source = "" } = config
    const fs = yield* FileSystem.FileSystem
    const text = yield* Either.flatMap(ConfigText.decode(yield* fs.readFile(source), source), (text) =>
      ConfigText.parse(text, source)
    )
    const root = text.root === undefined ? undefined : ConfigText.toValue(text.root)
    const servers = isObject(root) && isObject(root.mcpServers) ? root.mcpServers : {}
    const entry = Object.hasOwn(servers, config.name) ? servers[config.name] : undefined
    return isObject(entry) ? mask(entry, config.secrets) : {}
  }).pipe(Effect.orElseSucceed(() => ({})))
