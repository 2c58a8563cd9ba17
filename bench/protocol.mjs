/**
 * What the benchmarks' servers answer.
 */

/** Tools of the size that published servers have on average. */
export const toolList = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: `Tool number ${index} does a thing with its input and returns it`,
    inputSchema: {
      type: "object",
      properties: { text: { type: "string", description: "text to return" }, n: { type: "integer" } },
      required: ["text"]
    }
  }))

/** The reply to a message; undefined for one that wants none. */
export const answerTo = ({ id, method, params }, tools) => {
  if (id === undefined) return undefined
  switch (method) {
    case "initialize":
      return result(id, {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "raw", version: "1" }
      })
    case "tools/list":
      return result(id, { tools })
    case "tools/call":
      return result(id, { content: [{ type: "text", text: toolText(params.arguments) }] })
    case "ping":
      return result(id, {})
    default:
      return { jsonrpc: "2.0", id, error: { code: -32601, message: `there is no ${method}` } }
  }
}

const result = (id, value) => ({ jsonrpc: "2.0", id, result: value })

/** The text itself, or as many characters as were asked for; `stderr` is how many KiB go to stderr besides. */
const toolText = ({ characters, stderr, text }) => {
  if (stderr !== undefined) process.stderr.write(line.repeat(stderr))
  return characters === undefined ? text : "x".repeat(characters)
}

const line = `${"e".repeat(1023)}\n`
