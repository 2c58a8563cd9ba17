/**
 * What each odd server of `test/fixtures/stdio` and `test/fixtures/http` must give, as its header says: its tools, and a call.
 */
import { expect } from "vitest"

export interface Row {
  /** Folder and name of the program. */
  readonly program: string
  readonly args?: ReadonlyArray<string>
  /** The path of the address (HTTP). */
  readonly path?: string
  /** How long connecting may take, in milliseconds. Default: a minute, since all of them start at once. */
  readonly connectTimeout?: number
  /** The tools on offer; nothing when the server cannot be connected. */
  readonly tools?: ReadonlyArray<string>
  /** A tool, what it is given, and what it answers; a failure begins with `error: `. */
  readonly call?: readonly [tool: string, args: Readonly<Record<string, unknown>>, answer: unknown]
  /** What `mcp call --json` has as text, where that is not what the model is given: blocks that are no text stand beside it. */
  readonly plain?: string
  /** Why the server cannot be connected, as `kind: message`, the last of its stderr included. */
  readonly fails?: unknown
}

const says = (pattern: RegExp): unknown => expect.stringMatching(pattern)

const version = (version: string): Row => ({
  program: "stdio/version",
  args: [version],
  tools: ["v"],
  call: ["v", {}, version]
})

const unknownVersion = (version: string): Row => ({
  program: "stdio/version",
  args: [version],
  fails: says(/^protocol: .*2025-11-25/)
})

const pages = (mode: string, tools: ReadonlyArray<string> = ["t1", "t2"]): Row => ({
  program: "stdio/pagination",
  args: [mode],
  tools,
  call: ["t2", {}, "t2"]
})

const result = (tool: string, answer: unknown, plain?: string): Row => ({
  program: "stdio/result-zoo",
  tools: zoo,
  call: [tool, {}, answer],
  ...(plain === undefined ? {} : { plain })
})

const zoo = [
  ...["struct_only", "struct_no_content", "both", "empty", "nothing", "legacy", "image", "image_bad", "audio", "link"],
  ...["res_text", "res_blob", "unknown", "junk", "content_string", "err_text", "err_struct", "err_empty", "bad_struct"],
  ...["img_twice", "rpc_error"]
]

const notified = (mode: string): Row => ({
  program: "http/notify-quirks",
  args: [mode],
  path: "/mcp",
  tools: ["ok"],
  call: ["ok", {}, "initialized:true"]
})

const redirected = (path: string, fails: RegExp): Row => ({ program: "http/redirect", path, fails: says(fails) })

const legacy = (mode: string, fails: RegExp): Row => ({
  program: "http/legacy-sse",
  args: [mode],
  path: "/sse",
  fails: says(fails)
})

const endless = Array.from({ length: 2000 }, (_, index) => `t${index + 1}`)

export const rows: ReadonlyArray<Row> = [
  { program: "stdio/stdout-noise", tools: ["echo"], call: ["echo", { text: "hi" }, "hi"] },
  { program: "stdio/line-separators", tools: ["sep"], call: ["sep", {}, "a\u2028b\u2029c\u0085d\u000be"] },
  { program: "stdio/huge-line", tools: ["big", "small", "endless"], call: ["big", {}, says(/^x{20000}/)] },
  {
    program: "stdio/huge-line",
    tools: ["big", "small", "endless"],
    call: ["endless", {}, says(/^error: .*line of more than \d+ bytes/)]
  },
  { program: "stdio/stderr-flood", tools: ["noisy"], call: ["noisy", {}, "done"] },
  {
    program: "stdio/early-traffic",
    tools: ["pong_seen"],
    call: ["pong_seen", {}, "pong:true initialized:true listsBeforeInit:0"]
  },
  { program: "stdio/server-requests", tools: ["ask"], call: ["ask", {}, says(/^ping=result( \S+=(result|-\d+)){4}$/)] },
  { program: "stdio/no-tools", tools: [] },
  { program: "stdio/no-tools", args: ["liar"], tools: [] },
  pages("ok", ["t1", "t2", "t3", "t4", "t5", "t6"]),
  ...["loop", "empty", "null", "badpage"].map((mode) => pages(mode)),
  pages("endless", endless),
  { program: "stdio/null-optionals", tools: ["a", "b"], call: ["a", {}, "ok"] },
  {
    program: "stdio/bad-schemas",
    tools: ["good1", "good2", "good3", ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `fix${n}`), "bad_required"],
    call: ["good1", {}, "good1"]
  },
  {
    program: "stdio/tool-names",
    tools: [
      ...["admin.tools.list", "user-profile/update", "has space", "日本語", "2fast", "***", "a".repeat(64)],
      ...["b".repeat(128), `${"c".repeat(60)}one`, `${"c".repeat(60)}two`, "read-file", "my__server__tool"],
      ...["_status", "UPPER"]
    ],
    call: ["user-profile/update", {}, "raw:user-profile/update"]
  },
  result("struct_only", '{"n":42}', ""),
  result("both", "1 item"),
  result("image", "[image image/png, 70 bytes]", ""),
  result("unknown", "a\n[hologram]\nb", "a\nb"),
  result("err_struct", "error: denied"),
  result("rpc_error", says(/^error: .*args/)),
  {
    program: "stdio/progress",
    tools: ["slow", "late", "made_up", "no_token", "silent"],
    call: ["slow", { ms: 300, every: 50 }, "done"]
  },
  ...["late", "made_up", "no_token"].map(
    (tool): Row => ({
      program: "stdio/progress",
      tools: ["slow", "late", "made_up", "no_token", "silent"],
      call: [tool, {}, "done"]
    })
  ),
  { program: "stdio/crash", tools: ["die"], call: ["die", {}, says(/^error: .*code 7.*boom/s)] },
  { program: "stdio/crash", args: ["partial"], tools: ["die"], call: ["die", {}, "whole"] },
  { program: "stdio/crash", args: ["signal"], tools: ["die"], call: ["die", {}, says(/^error: .*SIGKILL/)] },
  { program: "stdio/crash", args: ["start"], fails: says(/^exit: .*code 1.*missing module/s) },
  { program: "stdio/stubborn", tools: ["pids"], call: ["pids", {}, says(/^\{"pid":\d+,"child":\d+\}$/)] },
  ...["2024-11-05", "2025-03-26", "2025-06-18"].map(version),
  { program: "stdio/version", args: ["reject"], tools: ["v"], call: ["v", {}, "reject"] },
  ...["1999-01-01", "2999-01-01", "missing", "number", "empty"].map(unknownVersion),
  {
    program: "stdio/terminal-injection",
    tools: [says(/^read/) as string],
    call: ["*", {}, says(/^before .*after$/s)]
  },
  {
    program: "stdio/env-report",
    tools: ["env", "args"],
    call: ["args", {}, says(/^\{(?=.*"name":"args")(?=.*"arguments":\{\}).*\}$/)]
  },
  { program: "stdio/slow-start", args: ["200"], tools: ["slow"], call: ["slow", {}, "ok"] },
  { program: "stdio/slow-start", args: ["never"], connectTimeout: 5000, fails: says(/^timeout: /) },
  ...["202", "200empty", "204", "null", "text", "sseempty", "obj"].map(notified),
  ...["", "stateless", "errid"].map(
    (mode): Row => ({
      program: "http/session",
      args: [mode],
      path: "/mcp",
      tools: ["whoami", "stats"],
      call: ["whoami", {}, says(/^s\d$/)]
    })
  ),
  { program: "http/session", args: ["dead"], path: "/mcp", tools: ["whoami", "stats"] },
  ...["crlf", "cr", "multi", "split"].map(
    (tool): Row => ({
      program: "http/sse-framing",
      path: "/mcp",
      tools: ["crlf", "cr", "multi", "split"],
      call: [tool, {}, `${tool} é日😀`]
    })
  ),
  { program: "http/redirect", path: "/mcp", tools: ["ok"], call: ["ok", {}, "auth:none"] },
  redirected("/away", /^http: .*127\.0\.0\.1:\d+/),
  redirected("/moved", /^http: .*redirect/),
  redirected("/loop", /^http: .*redirect/),
  redirected("/login", /^http: .*redirect/),
  { program: "http/legacy-sse", path: "/sse", tools: ["old"], call: ["old", {}, "old ok"] },
  legacy("cross", /127\.0\.0\.1:9/),
  { ...legacy("noendpoint", /^timeout: /), connectTimeout: 5000 },
  legacy("fail500", /^http: .*500/),
  legacy("fail401", /^needs-auth: /)
]
