/** Measures the tool search: quality on the labelled requests over the tools of published servers, and speed with 10,000 tools. */
import * as Effect from "effect/Effect"
import * as ToolSearch from "../../src/tool/ToolSearch.ts"
import * as Peers from "./peers.ts"
import * as Quality from "./quality.ts"
import { halves, kindNames, unknownLabels } from "./requests.ts"
import * as Speed from "./speed.ts"
import * as ToolLists from "./toolLists.ts"

const percent = ({ count, value }: Quality.Score): string => `${value.toFixed(3).replace(/^0/, "")} (${count})`

const row = (...cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const line = (columns: number): string => row(...Array<string>(columns).fill("---"))

const finder =
  ({ search }: ToolSearch.ToolSearch): Quality.Finder =>
  (request) =>
    search(request, { limit: 5 }).map(({ tool }) => Quality.labelOf(tool))

const print = (...lines: ReadonlyArray<string>) => Effect.sync(() => process.stdout.write(`${lines.join("\n")}\n`))

const bench = Effect.gen(function* () {
  const { failed, servers, tools } = yield* ToolLists.read
  yield* print(`${tools.length} tools of ${servers.length} servers`)
  for (const failure of failed) yield* print(`could not be asked: ${failure}`)
  const unknown = unknownLabels(new Set(tools.map(Quality.labelOf)))
  if (unknown.length > 0) yield* print(`labels without a tool: ${unknown.join(", ")}`)

  const many = Speed.replicate(tools)
  const texts = halves.report.map(({ text }) => text)
  const speeds = [
    ["harness9", yield* Speed.measure(ToolSearch.make(many).pipe(Effect.map(finder)), texts)] as const,
    [
      "MiniSearch, tuned",
      yield* Speed.measure(
        Effect.sync(() => Peers.miniSearchTuned(many)),
        texts
      )
    ] as const
  ]

  const finders: ReadonlyArray<readonly [string, Quality.Finder]> = [
    ["substrings", Peers.substring(tools)],
    ["MiniSearch as it is", Peers.miniSearchAsItIs(tools)],
    ["MiniSearch, tuned", Peers.miniSearchTuned(tools)],
    ["harness9", finder(yield* ToolSearch.make(tools))]
  ]
  for (const [name, half] of Object.entries(halves)) {
    yield* print("", row(`recall@5, ${name} half`, "all", "plain kinds", ...kindNames), line(kindNames.length + 3))
    for (const [subject, find] of finders) {
      const { all, kinds, plain } = Quality.measure(find, half)
      yield* print(row(subject, percent(all), percent(plain), ...kindNames.map((kind) => percent(kinds[kind]))))
    }
  }

  const ms = (value: number): string => `${value.toFixed(1)} ms`
  const titles = ["10,000 tools", "index, CPU", "index", "longest hold", "query, median", "query, 95 %"]
  yield* print("", row(...titles), line(titles.length))
  for (const [subject, speed] of speeds) {
    const { index, indexCpu, longestHold, query95, queryMedian } = speed
    yield* print(row(subject, ...[indexCpu, index, longestHold, queryMedian, query95].map(ms)))
  }
})

void Effect.runPromise(bench)
