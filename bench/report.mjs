/**
 * What a benchmark has found: rows with a goal, as a table for a person, or as JSON for `npm run bench`.
 */
const number = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

/** harness9 is at least so many times as fast as the other. */
export const speed = (what, medians, peer, atLeast) => {
  const ratio = medians[peer] / medians.harness9
  return { ...row(what, `${number(ratio)} × ${peer}`, `≥ ${atLeast}`, ratio, ratio >= atLeast), against: peer }
}

/** harness9 takes at most so many times what the other takes. */
export const cost = (what, medians, peer, atMost) => {
  const ratio = medians.harness9 / medians[peer]
  return { ...row(what, `${number(ratio)} × ${peer}`, `≤ ${atMost}`, ratio, ratio <= atMost), against: peer }
}

/** A figure of its own that is at most so much. */
export const atMost = (what, value, limit, unit) =>
  row(what, `${number(value)} ${unit}`, `≤ ${limit} ${unit}`, value, value <= limit)

/** Something that holds or does not. */
export const holds = (what, isSo) => row(what, isSo ? "yes" : "no", "yes", isSo ? 1 : 0, isSo)

/** Measured for comparison, without a goal. */
export const info = (what, measured) => ({ what, measured })

const row = (what, measured, goal, value, met) => ({ what, measured, goal, value, met })

export const table = (rows) =>
  ["| | measured | goal | |", "|---|---|---|---|"]
    .concat(rows.map(({ goal = "", measured, met, what }) => `| ${what} | ${measured} | ${goal} | ${verdict(met)} |`))
    .join("\n")

const verdict = (met) => (met === undefined ? "" : met ? "met" : "missed")

/** Per call or per whole run, as the benchmark says. */
export const medians = (what, found, unit) =>
  info(
    what,
    Object.entries(found)
      .map(([name, value]) => `${name} ${number(value)} ${unit}`)
      .join(", ")
  )

export const publish = (rows) => {
  console.log(process.argv.includes("--json") ? JSON.stringify(rows) : table(rows))
}
