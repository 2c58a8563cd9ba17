/** What an image says of itself in its first bytes. Models' APIs go by these, and refuse a request where they are told otherwise. */

export interface ImageHeader {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp"
  readonly width: number
  readonly height: number
}

/** Reads the header; undefined when it is none of an image that models take. */
export const read = (bytes: Buffer): ImageHeader | undefined => {
  if (bytes.length < 30) return undefined
  if (bytes.readUInt32BE(0) === 0x89504e47) {
    return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) {
    return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  }
  if (text(bytes, 0, 4) === "RIFF" && text(bytes, 8, 12) === "WEBP") return webp(bytes)
  return bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : undefined
}

const text = (bytes: Buffer, from: number, to: number): string => bytes.toString("latin1", from, to)

const webp = (bytes: Buffer): ImageHeader | undefined => {
  const mediaType = "image/webp"
  switch (text(bytes, 12, 16)) {
    case "VP8 ":
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case "VP8L": {
      const bits = bytes.readUInt32LE(21)
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case "VP8X":
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** The size stands in the frame, after segments of any length. */
const jpeg = (bytes: Buffer): ImageHeader | undefined => {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1)
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mediaType: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
  }
  return undefined
}
