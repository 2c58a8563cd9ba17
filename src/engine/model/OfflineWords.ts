/**
 * Words as the offline model compares them: lower case, without endings, without those that say nothing, with a few synonyms.
 *
 * @since 0.1.0
 */

/**
 * The telling words of a text, in order.
 *
 * @since 0.1.0
 * @category parsing
 */
export const of = (text: string): ReadonlyArray<string> =>
  text
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !silent.has(word))
    .map((word) => aliases[stem(word)] ?? stem(word))

/**
 * How far two words mean the same: 1, a half for synonyms, or 0.
 *
 * @since 0.1.0
 * @category comparing
 */
export const likeness = (left: string, right: string): number => {
  if (left === right) return 1
  return synonyms.some((group) => group.has(left) && group.has(right)) ? 0.5 : 0
}

const stem = (word: string): string => {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`
  if (/(?:o|s|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && /[^s]s$/.test(word)) return word.slice(0, -1)
  if (word.length > 6 && word.endsWith("ing")) return word.slice(0, -3)
  return word
}

const aliases: { readonly [word: string]: string } = {
  environment: "env",
  folder: "directory",
  dir: "directory",
  ls: "list"
}

const silent = new Set(
  (
    "a about all an and are as at be by can call called could do for from get give how i if in into is it its me my named of on " +
    "or please result so some tell that the them then there this to tool tools up use using want was we what when where which " +
    "who why will with would you your"
  ).split(" ")
)

const synonyms: ReadonlyArray<ReadonlySet<string>> = [
  ["add", "sum", "plus", "total"],
  ["list", "show", "enumerate"],
  ["read", "cat", "show", "print", "open", "display", "view"],
  ["write", "save", "store", "put", "create"],
  ["create", "make", "new"],
  ["search", "find", "look", "query", "grep", "glob"],
  ["delete", "remove", "rm"],
  ["move", "rename", "mv"],
  ["edit", "change", "replace", "modify"],
  ["directory", "file"],
  ["echo", "repeat", "say"],
  ["run", "execute", "command", "bash", "shell"],
  ["image", "picture", "logo"]
].map((group) => new Set(group))
