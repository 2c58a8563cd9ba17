/**
 * A raw MCP server over stdio, which costs as little as a server can: no SDK, one write for each chunk that is read.
 * Argument: how many tools it has (default 2).
 */
import { answerTo, toolList } from "./protocol.mjs"

const [, , count = "2"] = process.argv
const tools = toolList(Number(count))
let rest = ""

process.stdin.setEncoding("utf8")
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n")
  rest = lines.pop() ?? ""
  let out = ""
  for (const line of lines) {
    const reply = answerTo(JSON.parse(line), tools)
    if (reply !== undefined) out += `${JSON.stringify(reply)}\n`
  }
  if (out !== "") process.stdout.write(out)
})
process.stdin.on("end", () => process.exit(0))
