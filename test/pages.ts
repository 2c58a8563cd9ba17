/**
 * The pages that people read, and what is in them.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** A block of code, and the comment right before it: `<!-- run: engine -->`. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly mark: string | undefined
  readonly code: string
}

/** The paths of the pages. */
export const paths: ReadonlyArray<string> = [
  "README.md",
  "AGENTS.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
]

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

const fence = /(?:<!-- (?<mark>[^>]*) -->\n)?^ *```(?<language>\w*)\n(?<code>.*?)^ *```$/gms

const blocksOf = (page: string): ReadonlyArray<Block> => {
  const text = read(page)
  return [...text.matchAll(fence)].map(({ groups = {}, index }) => ({
    page,
    line: text.slice(0, index).split("\n").length,
    language: groups.language ?? "",
    mark: groups.mark,
    code: groups.code ?? ""
  }))
}

/** The blocks of all pages in these languages. */
export const blocks = (...languages: ReadonlyArray<string>): ReadonlyArray<Block> =>
  paths.flatMap(blocksOf).filter(({ language }) => languages.includes(language))
