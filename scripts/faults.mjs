/**
 * Makes docs/faults.md out of the tests: for each item of the list of what broke other hosts, what harness9 does about it and the
 * tests that show it. With --check it only says whether the file is current.
 *
 * It reads the calls of `fault` as they stand in the source: the number, the behaviour, the names of the tests inside, and `see`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const document = join(root, "docs/faults.md")
/** The public reports of each item. */
const reports = JSON.parse(readFileSync(join(root, "test/faults/reports.json"), "utf8"))
const numbers = Object.keys(reports).map(Number)

const text = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`
const unquoted = (literal) => literal.slice(1, -1).replace(/\\(.)/g, "$1")
const matches = (source, pattern) => [...source.matchAll(new RegExp(pattern, "gm"))]

const read = (file) => {
  const source = readFileSync(join(root, file), "utf8")
  const lists = new Map(matches(source, String.raw`^const (\w+) = \[([^\]]*)\]$`).map(([, name, list]) => [name, list]))
  const starts = matches(source, String.raw`^fault\(\s*(\d+),\s*(${text}),`)
  return starts.map((start, index) => {
    const body = source.slice(start.index, starts[index + 1]?.index)
    const seen = /\{\s*see: (\[[^\]]*\]|\w+)\s*\}/.exec(body)?.[1] ?? ""
    const expanded = seen.replace(/\b[a-z]\w*\b(?=[,\]]|$)/g, (name) => lists.get(name) ?? name)
    return {
      section: /^ \* ([A-J]\. [^.:]*)/m.exec(source)?.[1] ?? "",
      file,
      item: Number(start[1]),
      behaviour: unquoted(start[2]),
      tests: matches(body, String.raw`\bit(?:\.\w+)?\(\s*(${text})`).map(([, name]) => unquoted(name)),
      see: matches(expanded, text).map(([name]) => unquoted(name))
    }
  })
}

const folders = ["test/faults", "test/e2e"]
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`)
)
const faults = files.flatMap(read).sort((a, b) => a.item - b.item)

const stale = faults.flatMap(({ see }) => see).filter((file) => !existsSync(join(root, file)))
if (stale.length > 0) throw new Error(`there is no ${stale[0]}`)
const bare = faults.find(({ tests }) => tests.length === 0)
if (bare !== undefined) throw new Error(`item ${bare.item} of ${bare.file} has no test whose name is a plain text`)

const link = (report) => {
  const [repository, number] = report.split("#")
  return `[${report}](https://github.com/${repository}/issues/${number})`
}

/** An item whose second half is shown elsewhere (through the built program, say) is one entry. */
const entry = (item) => {
  const parts = faults.filter((fault) => fault.item === item)
  const [first] = parts
  if (first === undefined) return []
  const shown = parts.flatMap(({ file, tests }) => tests.map((name) => `- ${name} (\`${file}\`)`))
  const more = [...new Set(parts.flatMap(({ see }) => see))].map((file) => `\`${file}\``)
  return [
    `### ${item}. ${first.behaviour}`,
    `Reported elsewhere: ${reports[item].map(link).join(", ")}.`,
    [...shown, ...(more.length > 0 ? [`- and in ${more.join(", ")}`] : [])].join("\n")
  ]
}

/** Of an item that only a file without a section is about, that of the items before it. */
const sectionOf = (item) => faults.findLast((fault) => fault.section !== "" && fault.item <= item)?.section ?? ""
const covered = [...new Set(faults.map(({ item }) => item))]
const sections = [...new Set(covered.map(sectionOf))].sort()
const open = numbers.filter((item) => !covered.includes(item))

const markdown = `${[
  "# What broke other hosts, and what harness9 does",
  `Made by \`npm run docs:faults\` from the tests, which \`npm run test:faults\` runs. Its ${numbers.length} items are public bug reports against other MCP hosts and SDKs; the tests cover the kind of fault, not the one report.`,
  ...sections.flatMap((section) => [
    `## ${section}`,
    ...covered.filter((item) => sectionOf(item) === section).flatMap(entry)
  ]),
  ...(open.length > 0 ? ["## Without a test of their own", `Items ${open.join(", ")}.`] : [])
].join("\n\n")}\n`

if (!process.argv.includes("--check")) writeFileSync(document, markdown)
else if (!existsSync(document) || readFileSync(document, "utf8") !== markdown) {
  console.error("docs/faults.md is not what the tests say: npm run docs:faults")
  process.exit(1)
}
