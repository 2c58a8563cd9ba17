/**
 * The images of a server, tool, resource or prompt (2025-11-25).
 */
import { isObject } from "../../JsonRpc.ts"
import type { Icon } from "../../McpSchema.ts"
import * as Field from "../Field.ts"

export const read = (icons: unknown): ReadonlyArray<Icon> | undefined =>
  Array.isArray(icons) ? icons.flatMap(readIcon) : undefined

const readIcon = (icon: unknown): ReadonlyArray<Icon> =>
  isObject(icon) && typeof icon.src === "string"
    ? [
        {
          src: icon.src,
          mimeType: Field.string(icon.mimeType),
          sizes: Field.strings(icon.sizes),
          theme: icon.theme === "light" || icon.theme === "dark" ? icon.theme : undefined
        }
      ]
    : []
