import { fileURLToPath } from "node:url"
import * as StdioTransport from "../../src/mcp/StdioTransport.ts"
import { pipeSuite, transportSuite } from "./transportSuite.ts"

const make = StdioTransport.make({
  server: "suite",
  command: process.execPath,
  args: [fileURLToPath(new URL("../fixtures/suite-server.mjs", import.meta.url))]
})

transportSuite("stdio", make)
pipeSuite("stdio", make)
