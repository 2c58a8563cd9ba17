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

/** What the programs' restarts may hold at once: each of the present ones, and those that are about to end. */
const mostPrograms = servers * 2

let unhandled = 0
process.on("unhandledRejection", () => unhandled++)

const report = ({ calm, connected, faults, leaks, samples, storm }: Soak.Figures): boolean => {
  const calls = calm.calls + storm.calls
  const settled = samples.slice(Math.floor(samples.length * 0.4))
  const heap = Resources.slope(settled, ({ heapMb }) => heapMb)
  const files = Resources.slope(settled, (sample) => sample.files)
  const [p50Before, p50, p99Before, p99] = [
    Load.percentile(calm.calmTimes, 0.5),
    Load.percentile(storm.calmTimes, 0.5),
    Load.percentile(calm.calmTimes, 0.99),
    Load.percentile(storm.calmTimes, 0.99)
  ]
  const programs = Math.max(...samples.map((sample) => sample.programs))
  const failed = [...storm.failed].map(([kind, count]) => `${count} ${kind}`).join(", ")
  const all = [...faults.values()].reduce((sum, count) => sum + count, 0)
  const end = samples.at(-1)
  const lines: ReadonlyArray<readonly [string, string, boolean]> = [
    ["servers", `${servers} stdio, ${servers} http; ${connected} connected at the start`, connected === 2 * servers],
    ["calls", `${calls}, of which ${calm.answered + storm.answered} answered`, calm.answered + storm.answered > 0],
    ["failed with a reason", failed === "" ? "0" : failed, true],
    ["calls lost", `${calm.lost + storm.lost}`, calm.lost + storm.lost === 0],
    ["answers of another call", `${calm.wrong + storm.wrong}`, calm.wrong + storm.wrong === 0],
    [
      "failed on servers left in peace",
      `${calm.calmFailures + storm.calmFailures}`,
      calm.calmFailures + storm.calmFailures === 0
    ],
    ["faults injected", `${all} (${[...faults].map(([fault, count]) => `${fault} ${count}`).join(", ")})`, all > 0],
    ["left over at the end", leaks.length === 0 ? "0" : leaks.join(", "), leaks.length === 0],
    ["heap", `${shown(end?.heapMb)} MB, ${signed(heap)} MB a minute`, heap < (minutes >= 5 ? 1 : 15)],
    ["open files", `${end?.files ?? 0}, ${signed(files)} a minute`, files < (minutes >= 5 ? 5 : 100)],
    ["processes at most", `${programs}`, programs <= mostPrograms],
    [
      "latency of servers left in peace",
      `p50 ${shown(p50Before)} → ${shown(p50)} ms, p99 ${shown(p99Before)} → ${shown(p99)} ms`,
      p50 <= 3 * p50Before + 10
    ],
    ["unhandled rejections", `${unhandled}`, unhandled === 0]
  ]
  for (const [what, figure, isGood] of lines) console.log(`${isGood ? "ok  " : "BAD "} ${what}: ${figure}`)
  return lines.every(([, , isGood]) => isGood)
}

const shown = (value = 0): string => value.toFixed(1)
const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`

console.log(`${minutes} minutes, ${servers} servers of each kind`)
const exit = await Effect.runPromiseExit(Soak.run({ root: values.root, minutes, servers }))
if (Exit.isFailure(exit)) console.error(Cause.pretty(exit.cause, { renderErrorCause: true }))
process.exit(Exit.isSuccess(exit) && report(exit.value) ? 0 : 1)
