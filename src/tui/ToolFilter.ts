/**
 * Finding tools while a person types: among ten thousand, each key must cost little.
 *
 * @since 0.1.0
 */

/**
 * What is searched.
 *
 * @since 0.1.0
 * @category models
 */
export interface Searched {
  readonly name: string
  readonly description: string
}

interface Known {
  /** Name and description of each, in lower case. */
  readonly texts: ReadonlyArray<string>
  /** Every place. */
  readonly all: ReadonlyArray<number>
  filter: string
  /** Places of what the filter found. */
  found: ReadonlyArray<number>
}

const known = new WeakMap<ReadonlyArray<Searched>, Known>()

/**
 * The tools in which every word of the filter is found, or in the place that they all come from. A filter that goes on where
 * the last one ended is looked for only in what that one has found.
 *
 * @since 0.1.0
 * @category searching
 */
export const find = <T extends Searched>(tools: ReadonlyArray<T>, place: string, filter: string): ReadonlyArray<T> => {
  const before = indexed(tools)
  const wanted = filter.toLowerCase()
  if (wanted.trim() === "") return tools
  const words = wanted.split(/\s+/).filter((word) => word !== "" && !place.toLowerCase().includes(word))
  const among = wanted.startsWith(before.filter) ? before.found : before.all
  const fits = (index: number) => words.every((word) => before.texts[index]?.includes(word))
  before.found = words.length === 0 ? among : among.filter(fits)
  before.filter = wanted
  return before.found.map((index) => tools[index]).filter((tool) => tool !== undefined)
}

/**
 * Whether a place itself is what the filter names.
 *
 * @since 0.1.0
 * @category searching
 */
export const names = (place: string, filter: string): boolean =>
  filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => place.toLowerCase().includes(word))

/** The texts are made when tools are first asked for, without a filter: the first key of one finds them made. */
const indexed = (tools: ReadonlyArray<Searched>): Known => {
  const before = known.get(tools)
  if (before !== undefined) return before
  const texts = tools.map(({ description, name }) => `${name} ${description}`.toLowerCase())
  const all = [...texts.keys()]
  const made = { texts, all, filter: "", found: all }
  known.set(tools, made)
  return made
}
