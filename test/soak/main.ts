/**
 * `npm run soak -- --minutes 10 --servers 100`: the run, its figures, and whether they are good.
 */
import { parseArgs } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Load from "./Load.ts"
import * as Resources from "./Resources.ts"
import * as Soak from "./Soak.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    servers: { type: "string", default: "100" },
    root: { type: "string", default: process.cwd() }
  }
})
const minutes = Number(values.minutes)
const servers = Number(values.servers)

/** A minute says little: what is only warming up, or the machine's, must not count there. */
const isLong = minutes >= 5

/** What the programs' restarts may hold at once: each of the present ones, and those that are about to end. */
const mostPrograms = servers * 2

let unhandled = 0
process.on("unhandledRejection", () => unhandled++)

const report = ({ calm, connected, faults, leaks, samples, settling, storm }: Soak.Figures): boolean => {
  const all = [calm, storm, settling]
  const sum = (of: (tally: Load.Tally) => number) => all.reduce((total, tally) => total + of(tally), 0)
  const answered = sum((tally) => tally.answered)
  const lost = sum((tally) => tally.lost)
  const wrong = sum((tally) => tally.wrong)
  const inPeace = sum((tally) => tally.calmFailures)
  const failed = new Map<string, number>()
  for (const [kind, count] of all.flatMap((tally) => [...tally.failed]))
    failed.set(kind, (failed.get(kind) ?? 0) + count)
  const done = [...faults.values()].reduce((total, count) => total + count, 0)
  const settled = samples.slice(Math.floor(samples.length * 0.4))
  const heap = Resources.slope(settled, ({ heapMb }) => heapMb)
  const files = Resources.slope(settled, (sample) => sample.files)
  const programs = Math.max(...samples.map((sample) => sample.programs))
  const end = samples.at(-1)
  const lines: ReadonlyArray<readonly [string, string, boolean]> = [
    ["servers", `${servers} stdio, ${servers} http; ${connected} connected at the start`, connected === 2 * servers],
    ["calls", `${sum(({ calls }) => calls)}, of which ${answered} answered`, answered > 0],
    ["failed with a reason", [...failed].map(([kind, count]) => `${count} ${kind}`).join(", ") || "0", true],
    ["calls lost", `${lost}`, lost === 0],
    ["answers of another call", `${wrong}`, wrong === 0],
    ["failed on servers left in peace", `${inPeace}`, inPeace === 0],
    ["faults injected", `${done} (${[...faults].map(([fault, count]) => `${fault} ${count}`).join(", ")})`, done > 0],
    ["left over at the end", leaks.length === 0 ? "0" : leaks.join(", "), leaks.length === 0],
    ["heap", `${shown(end?.heapMb)} MB, ${signed(heap)} MB a minute`, heap < (isLong ? 1 : 15)],
    ["open files", `${end?.files ?? 0}, ${signed(files)} a minute`, files < (isLong ? 5 : 100)],
    ["processes at most", `${programs}`, programs <= mostPrograms],
    latency(calm.calmTimes, storm.calmTimes),
    ["unhandled rejections", `${unhandled}`, unhandled === 0]
  ]
  for (const [what, figure, isGood] of lines) console.log(`${isGood ? "ok  " : "BAD "} ${what}: ${figure}`)
  return lines.every(([, , isGood]) => isGood)
}

/**
 * Faults of others must hardly move the median, and must not keep everybody waiting: to start programs and to read the configuration
 * again has its price.
 */
const latency = (without: ReadonlyArray<number>, faults: ReadonlyArray<number>) => {
  const [p50, p50Faults] = [Load.percentile(without, 0.5), Load.percentile(faults, 0.5)]
  const [p99, p99Faults] = [Load.percentile(without, 0.99), Load.percentile(faults, 0.99)]
  const [times, ms] = isLong ? [2, 5] : [3, 20]
  return [
    "latency of servers left in peace",
    `p50 ${shown(p50)} → ${shown(p50Faults)} ms, p99 ${shown(p99)} → ${shown(p99Faults)} ms`,
    p50Faults <= times * p50 + ms && p99Faults <= 5 * p99 + 250
  ] as const
}

const shown = (value = 0): string => value.toFixed(1)
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`

console.log(`${minutes} minutes, ${servers} servers of each kind`)
const exit = await Effect.runPromiseExit(Soak.run({ root: values.root, minutes, servers }))
if (Exit.isFailure(exit)) console.error(Cause.pretty(exit.cause, { renderErrorCause: true }))
process.exit(Exit.isSuccess(exit) && report(exit.value) ? 0 : 1)
