/**
 * What a program writes, kept up to a size: beyond it the middle is lost, never the beginning or the end.
 */

export interface OutputTail {
  readonly add: (chunk: string) => void
  readonly text: () => string
}

/** Keeps about `limit` characters, half of them from the beginning. */
export const make = (limit: number): OutputTail => {
  const half = Math.floor(limit / 2)
  const tail: Array<string> = []
  let head = ""
  let tailSize = 0
  let lost = 0

  const addToTail = (chunk: string) => {
    tail.push(chunk)
    tailSize += chunk.length
    for (let first = tail[0]; first !== undefined && tailSize - first.length >= half; first = tail[0]) {
      tail.shift()
      tailSize -= first.length
      lost += first.length
    }
  }

  return {
    add: (chunk) => {
      const room = half - head.length
      if (room > 0) head += chunk.slice(0, room)
      if (chunk.length > room) addToTail(room > 0 ? chunk.slice(room) : chunk)
    },
    text: () => [head, lost === 0 ? "" : `\n[… ${lost} characters lost …]\n`, ...tail].join("")
  }
}
