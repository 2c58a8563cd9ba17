/**
 * What each kind of failure means, where it comes from and what to do: the text of `harness9 help KIND` and of docs/troubleshooting.md.
 *
 * @since 0.1.0
 */
import type { Kind } from "../mcp/McpError.ts"

/**
 * A kind of failure, for whoever meets it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Trouble {
  /** One sentence. */
  readonly meaning: string
  /** The usual causes, the likeliest first, each with its remedy. */
  readonly causes: ReadonlyArray<readonly [cause: string, remedy: string]>
}

/**
 * By the kind that `mcp doctor --json` and `mcp call --json` name.
 *
 * @since 0.1.0
 * @category constants
 */
export const troubles: Readonly<Record<Kind, Trouble>> = {
  config: {
    meaning: "The configuration, or one entry of it, cannot be used as it is written.",
    causes: [
      [
        "A field has a wrong name or value",
        "Correct it at the place that the message names; harness9 mcp get SERVER shows what was understood"
      ],
      ["A variable is not set", "Set it where harness9 is started, or give it a default: ${NAME:-default}"],
      ["The file is no JSON", "The message has the line and column; comments and trailing commas are allowed"],
      ["/etc/harness9/managed.json forbids the server", "Ask the administrator; nothing of yours loosens it"]
    ]
  },
  spawn: {
    meaning: "The server's program could not be started.",
    causes: [
      ["The command is not on the PATH that harness9 was started with", "Install it, or write its full path"],
      ["The whole command line stands in command", "Put the program alone into command and the rest into args"],
      [
        "The file may not be executed, or its first line names an interpreter that is not there",
        "chmod +x FILE; correct the #! line"
      ],
      ["cwd is not there", "Correct it: it is relative to the folder of the configuration file"],
      ["sandbox is asked for and cannot be had", "Install bubblewrap, or take sandbox out of the entry"]
    ]
  },
  exit: {
    meaning: "The server's program ended while it was needed.",
    causes: [
      [
        "It lacks an argument, a variable or a key",
        "Read the lines of stderr under the message, and add what they ask for to args or env"
      ],
      [
        "A variable of your shell is missing: programs get a minimal environment",
        'Name it in env: { "KEY": "${KEY}" }, or set "inheritEnv": true'
      ],
      ["It crashes", "Run it by hand; harness9 mcp doctor SERVER prints the command line"]
    ]
  },
  network: {
    meaning: "The address could not be reached, or the connection broke.",
    causes: [
      ["Nothing listens there", "Start the server; compare host and port of url"],
      ["The name is not known", "Correct url; look at the network and VPN"],
      ["A proxy stands in between", "Set HTTPS_PROXY, and NO_PROXY for what is reached without it"],
      ["The certificate is your company's own", 'Name its authority: "ca": "corporate-ca.pem"']
    ]
  },
  http: {
    meaning: "Something answered, but not as an MCP server does.",
    causes: [
      ["The path of url is wrong (404, 405, a web page)", "Most servers listen on /mcp, those of the old kind on /sse"],
      ["It speaks HTTP+SSE of 2024", '"type": "sse"'],
      ["A sign-in page or proxy answers in its place", "Sign in there, or go round it with NO_PROXY"],
      ["It is down or busy (429, 502, 503, 504)", "Wait; in the UI and in a run harness9 tries again by itself"]
    ]
  },
  "session-lost": {
    meaning:
      "The server no longer knows the session. harness9 opens a new one by itself; you see this only where that failed too.",
    causes: [
      [
        "The server was started anew and refuses the next session as well",
        "harness9 mcp doctor SERVER; look at the server's log"
      ],
      [
        "Several copies behind a balancer do not share sessions",
        "Bind a session to a copy, by the Mcp-Session-Id header"
      ]
    ]
  },
  "needs-auth": {
    meaning: "The server wants a login, or refuses the one that it was given.",
    causes: [
      ["Nobody has logged in yet, or the login has ended", "harness9 mcp login SERVER, or Enter on it in /mcp"],
      [
        "A token in headers or bearerTokenEnv is wrong or has run out",
        "Get a new one, and set the variable where harness9 is started"
      ],
      [
        "The login does not reach far enough",
        "harness9 mcp login SERVER asks for what is missing; else add oauth.scopes"
      ],
      ["A run in CI has nobody to log in", 'A machine account: "oauth": { "grant": "client_credentials", … }']
    ]
  },
  closed: {
    meaning: "The connection is closed, or not there yet.",
    causes: [
      ["The server is still connecting", "Wait for it: the bar shows when it is ready"],
      ["It was disconnected, switched off or reloaded during the call", "Call again; r in /mcp connects it"]
    ]
  },
  timeout: {
    meaning: "No answer came within the time allowed.",
    causes: [
      ["npx or docker downloads the server at its first start", "--connect-timeout 5m, or connectTimeout in the entry"],
      ["The tool takes longer than a minute and tells no progress", "--tool-timeout 10m, or timeout in the entry"],
      [
        "The program is no MCP server over stdio and waits for something else",
        "Run it by hand; harness9 mcp doctor SERVER shows what it wrote"
      ]
    ]
  },
  protocol: {
    meaning: "The server said something that the protocol does not allow at this point.",
    causes: [
      [
        "It prints logs to stdout, where messages belong",
        "Make it log to stderr; harness9 mcp doctor SERVER shows the lines"
      ],
      [
        "It speaks none of the revisions that harness9 does, or not the pinned one",
        "Update it; take protocolVersion out of the entry"
      ],
      ["Its lists or replies are malformed", "Tell its author what mcp doctor says: what can be used of them is used"]
    ]
  },
  rpc: {
    meaning: "The server understood the request and answered with an error. The connection is fine.",
    causes: [
      ["The tool does not take such arguments", "harness9 mcp tools SERVER shows its schema"],
      ["The server failed inside", "The message is the server's own; look at its log (i in /mcp)"],
      ["It does not have what was asked for", "harness9 mcp get SERVER shows its capabilities"]
    ]
  },
  "too-large": {
    meaning: "A message was over the size limit.",
    causes: [
      ["The tool returns a whole file or table", "Ask it for less: most have a limit, a page or a filter"],
      ["The limit is too low for this server", '"limits": { "maxLineBytes": … } (stdio) or "maxBodyBytes" (http, sse)']
    ]
  },
  disabled: {
    meaning: "The entry is switched off: the server is listed, and never started or contacted.",
    causes: [['It says "disabled": true or "enabled": false', "harness9 mcp enable SERVER"]]
  },
  "needs-approval": {
    meaning: "The entry comes with the project, and you have not agreed yet to what it starts.",
    causes: [
      [
        "The project is new to you, or the entry has changed",
        "Read what it starts, then harness9 mcp approve SERVER, or a in /mcp"
      ],
      ["A run in CI has nobody to agree", "--trust for that run, or --config FILE: naming a file is consent"]
    ]
  },
  "unknown-server": {
    meaning: "No entry has that name.",
    causes: [
      [
        "A slip of the pen, or another directory",
        "harness9 mcp doctor shows every server, and the file that its entry stands in"
      ],
      ["The entry is broken, and was left out", "harness9 mcp doctor tells what is wrong with it"]
    ]
  }
}

/**
 * The kinds in the order in which help lists them.
 *
 * @since 0.1.0
 * @category constants
 */
// The record's keys are exactly the kinds.
export const kinds = Object.keys(troubles) as ReadonlyArray<Kind>
