/**
 * Text sealed with a key (AES-256-GCM), bound to the name that it is kept under: moved to another name it does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import * as Option from "effect/Option"

const prefix = "sealed:1:"

export const isSealed = (text: string): boolean => text.startsWith(prefix)

export const close =
  (text: string, name: string) =>
  (key: Uint8Array): string => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(name))
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
    return prefix + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")
  }

/** None when the key or the name is another, or the text was changed. */
export const open =
  (text: string, name: string) =>
  (key: Uint8Array): Option.Option<string> => {
    const bytes = Buffer.from(text.slice(prefix.length), "base64")
    return Option.liftThrowable(() => {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(12, 28))
      return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8")
    })()
  }
