/**
 * Bytes that come in pieces, held until they are wanted whole. A piece of its own costs many times its bytes, so small ones are joined
 * as they come: a sender that writes byte by byte takes up no more memory than one that does not.
 */

/** Pieces are joined up to this size, which bounds how often a byte is copied. */
const joinedBytes = 64 * 1024

export interface Parts {
  readonly add: (part: Uint8Array) => void
  readonly size: () => number
  /** All of it in one; nothing is held any more. */
  readonly take: () => Buffer
  readonly clear: () => void
}

export const make = (): Parts => {
  let parts: Array<Uint8Array> = []
  let size = 0

  const clear = () => {
    parts = []
    size = 0
  }

  return {
    add: (part) => {
      if (part.length === 0) return
      size += part.length
      let joined = part
      for (let last = parts.at(-1); last !== undefined && isSmall(last, joined); last = parts.at(-1)) {
        parts.pop()
        joined = Buffer.concat([last, joined])
      }
      parts.push(joined)
    },
    size: () => size,
    take: () => {
      const [only] = parts
      const whole =
        parts.length === 1 && only !== undefined
          ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
          : Buffer.concat(parts, size)
      clear()
      return whole
    },
    clear
  }
}

/** Only pieces of like size are joined, so that a large one is not copied for each small one after it. */
const isSmall = (last: Uint8Array, next: Uint8Array): boolean =>
  last.length <= next.length && last.length + next.length <= joinedBytes
