/**
 * Undoes the content coding of a reply (gzip, deflate, br) as it comes, so that a compressed event stream is no later than
 * a plain one.
 */
import * as zlib from "node:zlib"

export const accepted = "gzip, deflate, br"

export interface Sink {
  readonly onData: (chunk: Uint8Array) => void
  readonly onEnd: () => void
  readonly onError: (error: Error) => void
}

export interface Decoder extends Omit<Sink, "onError"> {
  readonly destroy: () => void
}

/** The body's reader in front of `sink`; undefined when the coding is one that nobody asked for. */
export const decode = (coding: string | undefined, sink: Sink): Decoder | undefined => {
  switch ((coding ?? "").trim().toLowerCase()) {
    case "":
    case "identity":
      return { onData: sink.onData, onEnd: sink.onEnd, destroy: () => {} }
    case "gzip":
    case "x-gzip":
      return through(() => zlib.createGunzip(flush), sink)
    case "deflate":
      return through((first) => (isZlib(first) ? zlib.createInflate(flush) : zlib.createInflateRaw(flush)), sink)
    case "br":
      return through(() => zlib.createBrotliDecompress(brotliFlush), sink)
    default:
      return undefined
  }
}

/** Give out what can be read at once, and do not mind an end without a trailer. */
const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
const brotliFlush = { flush: zlib.constants.BROTLI_OPERATION_FLUSH, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }

/** `deflate` means zlib, and some servers send it raw. */
const isZlib = (first: number): boolean => (first & 0x0f) === 8

type Codec = zlib.Gunzip | zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress

const through = (make: (first: number) => Codec, sink: Sink): Decoder => {
  let codec: Codec | undefined
  let destroyed = false
  const open = (first: number): Codec => {
    const opened = make(first)
    opened.on("data", (chunk: Buffer) => {
      if (!destroyed) sink.onData(chunk)
    })
    opened.on("end", () => {
      if (!destroyed) sink.onEnd()
    })
    opened.on("error", (error) => {
      if (!destroyed) sink.onError(error)
    })
    return opened
  }
  return {
    onData: (chunk) => {
      if (chunk.length === 0) return
      codec ??= open(chunk[0] ?? 0)
      codec.write(chunk)
    },
    onEnd: () => {
      if (codec === undefined) sink.onEnd()
      else codec.end()
    },
    destroy: () => {
      destroyed = true
      codec?.destroy()
    }
  }
}
