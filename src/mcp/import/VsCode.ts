/**
 * `.vscode/mcp.json`, the user's `mcp.json`, and `mcp` in the settings of older versions.
 *
 * @since 0.1.0
 */
import { isObject, type JsonObject } from "../JsonRpc.ts"
import * as Dialects from "./Dialects.ts"
import * as Foreign from "./ForeignServer.ts"

/**
 * @since 0.1.0
 * @category formats
 */
export const read = (document: JsonObject): Foreign.ForeignFile => {
  const { inputs, servers } = isObject(document.mcp) ? document.mcp : document
  return { servers: Foreign.all(servers, format(readInputs(inputs)), 0), notes: [] }
}

interface Input {
  readonly description: string | undefined
  readonly fallback: string | undefined
}

const readInputs = (inputs: unknown): ReadonlyMap<string, Input> =>
  new Map(
    (Array.isArray(inputs) ? inputs : []).flatMap((input: unknown) =>
      isObject(input) && typeof input.id === "string"
        ? [
            [
              input.id,
              {
                description: typeof input.description === "string" ? input.description : undefined,
                fallback: typeof input.default === "string" && input.password !== true ? input.default : undefined
              }
            ] as const
          ]
        : []
    )
  )

/** What VS Code asks a person for is taken from the environment here. */
const asVariable =
  (inputs: ReadonlyMap<string, Input>) =>
  (id: string, note: (note: string) => void): string => {
    const variable = Dialects.variableName(id)
    const { description, fallback } = inputs.get(id) ?? {}
    note(`set ${variable}, which VS Code asks for${description === undefined ? "" : `: ${description}`}`)
    return fallback === undefined || fallback.includes("}") ? `\${${variable}}` : `\${${variable}:-${fallback}}`
  }

const format = (inputs: ReadonlyMap<string, Input>): Foreign.Format => ({
  dialect: Dialects.editor(asVariable(inputs)),
  rules: {
    type: Foreign.as("type"),
    command: Foreign.as("command"),
    args: Foreign.as("args"),
    // A variable of null is taken out of the environment there; here it was never in.
    env: Foreign.merged("env", (value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, text]) => text !== null)) : {}
    ),
    envFile: Foreign.lost("put its variables into env, or into your own environment"),
    cwd: Foreign.as("cwd"),
    url: Foreign.as("url"),
    headers: Foreign.as("headers"),
    oauth: Foreign.login({ clientId: "clientId" }),
    sandboxEnabled: Foreign.lost("it would run without its sandbox"),
    sandbox: Foreign.ignored,
    dev: Foreign.ignored,
    gallery: Foreign.ignored,
    version: Foreign.ignored
  }
})
