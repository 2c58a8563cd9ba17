/**
 * Who harness9 is measured against: the least that Node can do, and the official SDK in both generations. Each opens a
 * connection and gives `call`, `list` and `close`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Client as Client2, StreamableHTTPClientTransport as HttpTransport2 } from "@modelcontextprotocol/client"
import { StdioClientTransport as StdioTransport2 } from "@modelcontextprotocol/client/stdio"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as StdioTransport1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as HttpTransport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Agent, request } from "undici"

const clientInfo = { name: "bench", version: "1" }
const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }

/** How the raw server over stdio is started. */
export const program = (tools = 2) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL("server.mjs", import.meta.url)), String(tools)]
})

/**
 * The same for the peers. harness9 gives each server a session of its own, and Linux shares a busy processor out by session: so
 * that all are scheduled alike, the peers' servers get one too.
 */
export const peerProgram = (tools = 2) => {
  const { args, command } = program(tools)
  return process.platform === "linux" ? { command: "setsid", args: [command, ...args] } : { command, args }
}

/** Starts the raw server over HTTP. */
export const httpServer = async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("http-server.mjs", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const [port] = await once(createInterface(child.stdout), "line")
  return { url: `http://127.0.0.1:${port}`, close: () => child.stdin.end() }
}

/** Lines to a program and from it, and a table of who waits: no timeout, no errors, nothing checked. */
export const bareStdio = async ({ args, command }) => {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] })
  const waiting = new Map()
  let id = 0
  let rest = ""
  child.stderr.resume()
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", (chunk) => {
    const lines = chunk.split("\n")
    lines[0] = rest + lines[0]
    rest = lines.pop()
    for (const line of lines) {
      const reply = JSON.parse(line)
      waiting.get(reply.id)(reply.result)
      waiting.delete(reply.id)
    }
  })
  const ask = (method, params) =>
    new Promise((resolve) => {
      id += 1
      waiting.set(id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    })
  await ask("initialize", initialize)
  return {
    call: (args) => ask("tools/call", { name: "tool_0", arguments: args }),
    list: () => ask("tools/list", {}),
    close: () => {
      child.stdin.end()
      return once(child, "exit")
    }
  }
}

/** A POST for each call over kept sockets, with nothing but what the call needs. */
export const bareHttp = async (url) => {
  const dispatcher = new Agent()
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  let id = 0
  const ask = async (method, params) => {
    id += 1
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params })
    const reply = await request(url, { dispatcher, method: "POST", headers, body })
    const text = await reply.body.text()
    return JSON.parse(text.startsWith("event:") ? text.slice(text.indexOf("data:") + 5) : text).result
  }
  await ask("initialize", initialize)
  return {
    call: (args) => ask("tools/call", { name: "tool_0", arguments: args }),
    close: () => dispatcher.close()
  }
}

const sdk = async (client, transport) => {
  await client.connect(transport)
  return {
    call: (args) => client.callTool({ name: "tool_0", arguments: args }),
    list: () => client.listTools(),
    close: () => client.close()
  }
}

export const sdk1Stdio = (server) => sdk(new Client1(clientInfo), new StdioTransport1({ ...server, stderr: "ignore" }))
export const sdk2Stdio = (server) => sdk(new Client2(clientInfo), new StdioTransport2({ ...server, stderr: "ignore" }))
export const sdk1Http = (url) => sdk(new Client1(clientInfo), new HttpTransport1(new URL(url)))
export const sdk2Http = (url) => sdk(new Client2(clientInfo), new HttpTransport2(new URL(url)))
