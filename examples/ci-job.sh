#!/usr/bin/env bash
# A CI job: an agent runs without a person, and the job depends on what came of it. stdout is one JSON document, the exit code says how
# the run ended (1: the run reported an error, 2: usage or configuration, 5: timed out), log lines go to stderr.
set -euo pipefail

harness9=(${HARNESS9:-npx harness9})
report="$(mktemp)"
trap 'rm -f "$report"' EXIT

# What the run may do is listed here; everything else is denied. --trust: in CI the checkout is what was reviewed.
"${harness9[@]}" run "echo the text 'released'" \
  --config "${CONFIG:-.mcp.json.example}" --model "${MODEL:-offline}" \
  --allow 'mcp__everything__echo' --max-turns 5 --no-session --output json >"$report"

node - "$report" <<'JS'
const { toolCalls, reason, turns } = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"))
const failed = toolCalls.filter(({ result }) => result === undefined || result.isError)
for (const { name, result } of toolCalls) console.log(`${name}: ${result?.text}`)
console.log(`${reason} after ${turns} turns, ${failed.length} of ${toolCalls.length} calls failed`)
process.exit(failed.length > 0 ? 1 : 0)
JS
