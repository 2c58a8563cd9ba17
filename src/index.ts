/**
 * harness9: an MCP host for language-model agents, as Effect services and Layers.
 *
 * @since 0.1.0
 */
export * as Engine from "./engine/Engine.ts"
export * as EngineEvent from "./engine/EngineEvent.ts"
export * as Permission from "./engine/Permission.ts"
export * as DurationText from "./mcp/DurationText.ts"
export * as JsonRpc from "./mcp/JsonRpc.ts"
export * as McpClient from "./mcp/McpClient.ts"
export * as McpConfig from "./mcp/McpConfig.ts"
export * as McpError from "./mcp/McpError.ts"
export * as McpManager from "./mcp/McpManager.ts"
export type * as McpSchema from "./mcp/McpSchema.ts"
export * as McpTransport from "./mcp/McpTransport.ts"
export * as MemoryTransport from "./mcp/MemoryTransport.ts"
export * as ProtocolVersion from "./mcp/ProtocolVersion.ts"
export * as ServerConfig from "./mcp/ServerConfig.ts"
export * as ServerStatus from "./mcp/ServerStatus.ts"
export * as StdioTransport from "./mcp/StdioTransport.ts"
export * as ToolName from "./mcp/ToolName.ts"
export * as TransportFactory from "./mcp/TransportFactory.ts"
export * as McpToolAdapter from "./tool/McpToolAdapter.ts"
export * as ModelSchema from "./tool/ModelSchema.ts"
export * as OutputBudget from "./tool/OutputBudget.ts"
export * as Tool from "./tool/Tool.ts"
export * as ToolRegistry from "./tool/ToolRegistry.ts"
