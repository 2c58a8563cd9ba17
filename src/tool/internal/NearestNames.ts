/**
 * The names that someone who wrote an unknown one may have meant.
 */

/** At most `limit` names, nearest first; those that have nothing to do with `wanted` are left out. */
export const nearest = (wanted: string, names: Iterable<string>, limit = 3): ReadonlyArray<string> => {
  const goal = plain(wanted)
  const scored: Array<readonly [name: string, distance: number]> = []
  for (const name of names) {
    const distance = farness(goal, plain(name))
    if (distance <= 0.5) scored.push([name, distance])
  }
  return scored
    .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([name]) => name)
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .slice(0, 128)

/** 0: the same, 1: nothing in common. A name that ends in the wanted one (`echo` in `mcp__everything__echo`) is near. */
const farness = (wanted: string, name: string): number => {
  if (wanted === name) return 0
  if (wanted === "") return 1
  if (name.endsWith(`_${wanted}`) || wanted.endsWith(`_${name}`)) return 0.1
  const longest = Math.max(wanted.length, name.length)
  if (Math.abs(wanted.length - name.length) > longest / 2) return 1
  return edits(wanted, name) / longest
}

/** Levenshtein's distance, one row at a time. */
const edits = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
