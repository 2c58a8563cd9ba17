/**
 * A raw MCP server over Streamable HTTP, in a process of its own: it answers with JSON under `/json` and with an event stream
 * under `/sse`. It tells its port on stdout, and ends when its stdin does.
 */
import { createServer } from "node:http"
import { answerTo, toolList } from "./protocol.mjs"

const tools = toolList(2)

const server = createServer((request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end()
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (chunk) => {
    body += chunk
  })
  request.on("end", () => {
    const reply = answerTo(JSON.parse(body), tools)
    if (reply === undefined) return response.writeHead(202).end()
    const text = JSON.stringify(reply)
    if (request.url === "/json") response.writeHead(200, { "content-type": "application/json" }).end(text)
    else response.writeHead(200, { "content-type": "text/event-stream" }).end(`event: message\ndata: ${text}\n\n`)
  })
})

server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => console.log(server.address().port))
process.stdin.on("end", () => process.exit(0)).resume()
