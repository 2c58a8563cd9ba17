/**
 * The last of what a server wrote to stderr, in bounded memory.
 */

export interface StderrTail {
  readonly push: (chunk: Buffer) => void
  readonly text: () => string
  /** The last lines, few enough for an error message. */
  readonly lastLines: () => string
}

export const make = (maxBytes: number): StderrTail => {
  // Twice the size, so that the older half is moved away once per half and not once per chunk.
  let buffer: Buffer | undefined
  let used = 0

  const text = () => {
    if (buffer === undefined) return ""
    const start = Math.max(0, used - maxBytes)
    return buffer.toString("utf8", start === 0 ? 0 : characterStart(buffer, start), used)
  }

  return {
    push: (chunk) => {
      buffer ??= Buffer.allocUnsafe(2 * maxBytes)
      const kept = chunk.length > maxBytes ? chunk.subarray(chunk.length - maxBytes) : chunk
      if (used + kept.length > buffer.length) {
        buffer.copyWithin(0, used - maxBytes, used)
        used = maxBytes
      }
      used += kept.copy(buffer, used)
    },
    text,
    lastLines: () => text().trimEnd().split("\n").slice(-20).join("\n").slice(-4000)
  }
}

/** The first byte from `index` on that begins a character of UTF-8. */
const characterStart = (bytes: Buffer, index: number): number => {
  let start = index
  while (start < index + 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return start
}
