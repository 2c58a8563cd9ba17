/**
 * Every command by its name. A command's file is loaded when the command runs, so that each pays for what it uses.
 *
 * @since 0.1.0
 */
import type { Command } from "./Command.ts"

/**
 * A command that has not been loaded.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  readonly load: () => Promise<{ readonly command: Command }>
}

/**
 * In the order of help. The empty name is what the program does without a command.
 *
 * @since 0.1.0
 * @category constants
 */
export const commands: ReadonlyArray<Entry> = [
  { name: "", summary: "Open the terminal UI", load: () => import("./commands/chat.ts") },
  { name: "run", summary: "Run one prompt to its answer", load: () => import("./commands/run.ts") },
  {
    name: "mcp list",
    summary: "Connect to every server and show its state",
    load: () => import("./commands/mcpList.ts")
  },
  { name: "mcp tools", summary: "Show the tools as the model sees them", load: () => import("./commands/mcpTools.ts") },
  { name: "mcp search", summary: "Find tools as a model's search does", load: () => import("./commands/mcpSearch.ts") },
  { name: "mcp call", summary: "Call one tool of one server", load: () => import("./commands/mcpCall.ts") },
  { name: "mcp get", summary: "Show everything about one server", load: () => import("./commands/mcpGet.ts") },
  { name: "mcp resources", summary: "List a server's resources", load: () => import("./commands/mcpResources.ts") },
  {
    name: "mcp templates",
    summary: "List a server's resource templates",
    load: () => import("./commands/mcpTemplates.ts")
  },
  { name: "mcp read", summary: "Read a resource", load: () => import("./commands/mcpRead.ts") },
  { name: "mcp prompts", summary: "List a server's prompts", load: () => import("./commands/mcpPrompts.ts") },
  { name: "mcp prompt", summary: "Fill in a prompt", load: () => import("./commands/mcpPrompt.ts") },
  {
    name: "mcp complete",
    summary: "Ask what an argument may be",
    load: () => import("./commands/mcpComplete.ts")
  },
  {
    name: "mcp doctor",
    summary: "Say what is the matter with each server, and what to do",
    load: () => import("./commands/mcpDoctor.ts")
  },
  { name: "mcp add", summary: "Add a server that has been seen to work", load: () => import("./commands/mcpAdd.ts") },
  { name: "mcp add-json", summary: "Add a server by its entry", load: () => import("./commands/mcpAddJson.ts") },
  { name: "mcp remove", summary: "Take a server out", load: () => import("./commands/mcpRemove.ts") },
  { name: "mcp enable", summary: "Switch a server on again", load: () => import("./commands/mcpEnable.ts") },
  { name: "mcp disable", summary: "Switch a server off", load: () => import("./commands/mcpDisable.ts") },
  {
    name: "mcp serve",
    summary: "Serve all servers as one MCP server",
    load: () => import("./commands/mcpServe.ts")
  },
  { name: "mcp login", summary: "Log in at a remote server", load: () => import("./commands/mcpLogin.ts") },
  { name: "mcp logout", summary: "Forget a login", load: () => import("./commands/mcpLogout.ts") },
  {
    name: "mcp approve",
    summary: "Agree to what a project's file starts",
    load: () => import("./commands/mcpApprove.ts")
  },
  { name: "mcp revoke", summary: "Take that back", load: () => import("./commands/mcpRevoke.ts") },
  { name: "mcp lock", summary: "Pin the tools to what they are now", load: () => import("./commands/mcpLock.ts") },
  {
    name: "mcp verify",
    summary: "Compare the tools with what was pinned",
    load: () => import("./commands/mcpVerify.ts")
  },
  { name: "mcp import", summary: "Take servers over from another host", load: () => import("./commands/mcpImport.ts") },
  { name: "sessions", summary: "List the conversations that are kept", load: () => import("./commands/sessions.ts") },
  { name: "sessions show", summary: "Show a conversation", load: () => import("./commands/sessionsShow.ts") },
  {
    name: "sessions remove",
    summary: "Forget conversations",
    load: () => import("./commands/sessionsRemove.ts")
  },
  {
    name: "permissions",
    summary: "Show the rules over tool calls, and which decides about one",
    load: () => import("./commands/permissions.ts")
  },
  {
    name: "generate",
    summary: "Write a server's tools as a typed module",
    load: () => import("./commands/generate.ts")
  },
  {
    name: "completions",
    summary: "Print a shell's completions",
    load: () => import("./commands/completions.ts")
  },
  { name: "help", summary: "Explain a command or a kind of failure", load: () => import("./commands/help.ts") }
]
