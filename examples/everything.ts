/**
 * The tools of the MCP server "everything", typed.
 * Written by `harness9 generate everything`, which writes it anew: changes do not stay.
 */

import * as Schema from "effect/Schema"
import { TypedTool } from "harness9"

const server = "everything"

export const EchoInput = Schema.Struct({
  /** Message to echo */
  message: Schema.String
})
export type EchoInput = typeof EchoInput.Type

/** Echoes back the input string */
export const echo = TypedTool.make({ server, tool: "echo", input: EchoInput })

export const GetAnnotatedMessageInput = Schema.Struct({
  /** Type of message to demonstrate different annotation patterns */
  messageType: Schema.Literal("error", "success", "debug"),
  /** Whether to include an example image. Default: false. */
  includeImage: Schema.optional(Schema.Boolean)
})
export type GetAnnotatedMessageInput = typeof GetAnnotatedMessageInput.Type

/** Demonstrates how annotations can be used to provide metadata about content. */
export const getAnnotatedMessage = TypedTool.make({
  server,
  tool: "get-annotated-message",
  input: GetAnnotatedMessageInput
})

export const GetEnvInput = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type GetEnvInput = typeof GetEnvInput.Type

/** Returns all environment variables, helpful for debugging MCP server configuration */
export const getEnv = TypedTool.make({ server, tool: "get-env", input: GetEnvInput })

export const GetResourceLinksInput = Schema.Struct({
  /** Number of resource links to return (1-10). Default: 3. The server asks for: minimum 1, maximum 10. */
  count: Schema.optional(Schema.Number)
})
export type GetResourceLinksInput = typeof GetResourceLinksInput.Type

/** Returns up to ten resource links that reference different types of resources */
export const getResourceLinks = TypedTool.make({ server, tool: "get-resource-links", input: GetResourceLinksInput })

export const GetResourceReferenceInput = Schema.Struct({
  /** Default: "Text". */
  resourceType: Schema.optional(Schema.Literal("Text", "Blob")),
  /** ID of the text resource to fetch. Default: 1. */
  resourceId: Schema.optional(Schema.Number)
})
export type GetResourceReferenceInput = typeof GetResourceReferenceInput.Type

/** Returns a resource reference that can be used by MCP clients */
export const getResourceReference = TypedTool.make({
  server,
  tool: "get-resource-reference",
  input: GetResourceReferenceInput
})

export const GetRootsListInput = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type GetRootsListInput = typeof GetRootsListInput.Type

/**
 * Lists the current MCP roots provided by the client. Demonstrates the roots protocol capability even though this
 * server doesn't access files.
 */
export const getRootsList = TypedTool.make({ server, tool: "get-roots-list", input: GetRootsListInput })

export const GetStructuredContentInput = Schema.Struct({
  /** Choose city */
  location: Schema.Literal("New York", "Chicago", "Los Angeles")
})
export type GetStructuredContentInput = typeof GetStructuredContentInput.Type

export const GetStructuredContentOutput = Schema.Struct({
  /** Temperature in celsius */
  temperature: Schema.Number,
  /** Weather conditions description */
  conditions: Schema.String,
  /** Humidity percentage */
  humidity: Schema.Number
})
export type GetStructuredContentOutput = typeof GetStructuredContentOutput.Type

/** Returns structured content along with an output schema for client data validation */
export const getStructuredContent = TypedTool.structured({
  server,
  tool: "get-structured-content",
  input: GetStructuredContentInput,
  output: GetStructuredContentOutput
})

export const GetSumInput = Schema.Struct({
  /** First number */
  a: Schema.Number,
  /** Second number */
  b: Schema.Number
})
export type GetSumInput = typeof GetSumInput.Type

/** Returns the sum of two numbers */
export const getSum = TypedTool.make({ server, tool: "get-sum", input: GetSumInput })

export const GetTinyImageInput = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type GetTinyImageInput = typeof GetTinyImageInput.Type

/** Returns a tiny MCP logo image. */
export const getTinyImage = TypedTool.make({ server, tool: "get-tiny-image", input: GetTinyImageInput })

export const GzipFileAsResourceInput = Schema.Struct({
  /** Name of the output file. Default: "README.md.gz". */
  name: Schema.optional(Schema.String),
  /**
   * URL or data URI of the file content to compress. Default:
   * "https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md". The server asks for:
   * format "uri".
   */
  data: Schema.optional(Schema.String),
  /**
   * How the resulting gzipped file should be returned. 'resourceLink' returns a link to a resource that can be read
   * later, 'resource' returns a full resource object. Default: "resourceLink".
   */
  outputType: Schema.optional(Schema.Literal("resourceLink", "resource"))
})
export type GzipFileAsResourceInput = typeof GzipFileAsResourceInput.Type

/**
 * Compresses a single file using gzip compression. Depending upon the selected output type, returns either the
 * compressed data as a gzipped resource or a resource link, allowing it to be downloaded in a subsequent request during
 * the current session.
 */
export const gzipFileAsResource = TypedTool.make({
  server,
  tool: "gzip-file-as-resource",
  input: GzipFileAsResourceInput
})

export const SimulateResearchQueryInput = Schema.Struct({
  /** The research topic to investigate */
  topic: Schema.String,
  /** Simulate an ambiguous query that requires clarification (triggers input_required status). Default: false. */
  ambiguous: Schema.optional(Schema.Boolean)
})
export type SimulateResearchQueryInput = typeof SimulateResearchQueryInput.Type

/**
 * Simulates a deep research operation that gathers, analyzes, and synthesizes information. Demonstrates MCP task-based
 * operations with progress through multiple stages. If 'ambiguous' is true and client supports elicitation, sends an
 * elicitation request for clarification.
 */
export const simulateResearchQuery = TypedTool.make({
  server,
  tool: "simulate-research-query",
  input: SimulateResearchQueryInput
})

export const ToggleSimulatedLoggingInput = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type ToggleSimulatedLoggingInput = typeof ToggleSimulatedLoggingInput.Type

/** Toggles simulated, random-leveled logging on or off. */
export const toggleSimulatedLogging = TypedTool.make({
  server,
  tool: "toggle-simulated-logging",
  input: ToggleSimulatedLoggingInput
})

export const ToggleSubscriberUpdatesInput = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type ToggleSubscriberUpdatesInput = typeof ToggleSubscriberUpdatesInput.Type

/** Toggles simulated resource subscription updates on or off. */
export const toggleSubscriberUpdates = TypedTool.make({
  server,
  tool: "toggle-subscriber-updates",
  input: ToggleSubscriberUpdatesInput
})

export const TriggerElicitationRequestInput = Schema.Record({ key: Schema.String, value: Schema.Unknown })
export type TriggerElicitationRequestInput = typeof TriggerElicitationRequestInput.Type

/** Trigger a Request from the Server for User Elicitation */
export const triggerElicitationRequest = TypedTool.make({
  server,
  tool: "trigger-elicitation-request",
  input: TriggerElicitationRequestInput
})

export const TriggerLongRunningOperationInput = Schema.Struct({
  /** Duration of the operation in seconds. Default: 10. */
  duration: Schema.optional(Schema.Number),
  /** Number of steps in the operation. Default: 5. */
  steps: Schema.optional(Schema.Number)
})
export type TriggerLongRunningOperationInput = typeof TriggerLongRunningOperationInput.Type

/** Demonstrates a long running operation with progress updates. */
export const triggerLongRunningOperation = TypedTool.make({
  server,
  tool: "trigger-long-running-operation",
  input: TriggerLongRunningOperationInput
})

export const TriggerSamplingRequestInput = Schema.Struct({
  /** The prompt to send to the LLM */
  prompt: Schema.String,
  /** Maximum number of tokens to generate. Default: 100. */
  maxTokens: Schema.optional(Schema.Number)
})
export type TriggerSamplingRequestInput = typeof TriggerSamplingRequestInput.Type

/** Trigger a Request from the Server for LLM Sampling */
export const triggerSamplingRequest = TypedTool.make({
  server,
  tool: "trigger-sampling-request",
  input: TriggerSamplingRequestInput
})

export const TriggerUrlElicitationInput = Schema.Struct({
  /** The URL the user should open. The server asks for: format "uri". */
  url: Schema.String,
  /** Message shown to the user before opening the URL. Default: "Please open the link to complete this action.". */
  message: Schema.optional(Schema.String),
  /** Optional explicit elicitation ID. Defaults to a random UUID. */
  elicitationId: Schema.optional(Schema.String),
  /**
   * Controls which elicitation mechanism is used. When false (default), sends an elicitation/create request (request
   * path). When true, throws a UrlElicitationRequiredError (MCP error code -32042) so the client handles the URL
   * elicitation via the error path rather than waiting for a response. To clear the error, satisfy the prerequisite and
   * retry this call with the same arguments; the retry ignores errorPath and proceeds, so the client does not loop on
   * the same error. Default: false.
   */
  errorPath: Schema.optional(Schema.Boolean)
})
export type TriggerUrlElicitationInput = typeof TriggerUrlElicitationInput.Type

/**
 * Trigger a URL elicitation so the client can direct the user to a browser flow. Supports two mechanisms: the request
 * path (elicitation/create, default) which awaits the user's response, and the error path (UrlElicitationRequiredError,
 * -32042) which signals the client to handle URL elicitation via the error response. Set errorPath=true to use the
 * error path.
 */
export const triggerUrlElicitation = TypedTool.make({
  server,
  tool: "trigger-url-elicitation",
  input: TriggerUrlElicitationInput
})

/*
 * What the server says of its tools, for harness9 generate --check:
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Echoes back the input string","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"message":{"description":"Message to echo","type":"string"}},"required":["message"],"type":"object"},"name":"echo","title":"Echo Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Demonstrates how annotations can be used to provide metadata about content.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"includeImage":{"default":false,"description":"Whether to include an example image","type":"boolean"},"messageType":{"description":"Type of message to demonstrate different annotation patterns","enum":["error","success","debug"],"type":"string"}},"required":["messageType"],"type":"object"},"name":"get-annotated-message","title":"Get Annotated Message Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Returns all environment variables, helpful for debugging MCP server configuration","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{},"type":"object"},"name":"get-env","title":"Print Environment Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Returns up to ten resource links that reference different types of resources","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"count":{"default":3,"description":"Number of resource links to return (1-10)","maximum":10,"minimum":1,"type":"number"}},"type":"object"},"name":"get-resource-links","title":"Get Resource Links Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Returns a resource reference that can be used by MCP clients","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"resourceId":{"default":1,"description":"ID of the text resource to fetch","type":"number"},"resourceType":{"default":"Text","enum":["Text","Blob"],"type":"string"}},"type":"object"},"name":"get-resource-reference","title":"Get Resource Reference Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Lists the current MCP roots provided by the client. Demonstrates the roots protocol capability even though this server doesn't access files.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{},"type":"object"},"name":"get-roots-list","title":"Get Roots List Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Returns structured content along with an output schema for client data validation","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"location":{"description":"Choose city","enum":["New York","Chicago","Los Angeles"],"type":"string"}},"required":["location"],"type":"object"},"name":"get-structured-content","outputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","additionalProperties":false,"properties":{"conditions":{"description":"Weather conditions description","type":"string"},"humidity":{"description":"Humidity percentage","type":"number"},"temperature":{"description":"Temperature in celsius","type":"number"}},"required":["temperature","conditions","humidity"],"type":"object"},"title":"Get Structured Content Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Returns the sum of two numbers","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"description":"First number","type":"number"},"b":{"description":"Second number","type":"number"}},"required":["a","b"],"type":"object"},"name":"get-sum","title":"Get Sum Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Returns a tiny MCP logo image.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{},"type":"object"},"name":"get-tiny-image","title":"Get Tiny Image Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":true,"readOnlyHint":false},"description":"Compresses a single file using gzip compression. Depending upon the selected output type, returns either the compressed data as a gzipped resource or a resource link, allowing it to be downloaded in a subsequent request during the current session.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"data":{"default":"https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md","description":"URL or data URI of the file content to compress","format":"uri","type":"string"},"name":{"default":"README.md.gz","description":"Name of the output file","type":"string"},"outputType":{"default":"resourceLink","description":"How the resulting gzipped file should be returned. 'resourceLink' returns a link to a resource that can be read later, 'resource' returns a full resource object.","enum":["resourceLink","resource"],"type":"string"}},"type":"object"},"name":"gzip-file-as-resource","title":"GZip File as Resource Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false},"description":"Simulates a deep research operation that gathers, analyzes, and synthesizes information. Demonstrates MCP task-based operations with progress through multiple stages. If 'ambiguous' is true and client supports elicitation, sends an elicitation request for clarification.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"ambiguous":{"default":false,"description":"Simulate an ambiguous query that requires clarification (triggers input_required status)","type":"boolean"},"topic":{"description":"The research topic to investigate","type":"string"}},"required":["topic"],"type":"object"},"name":"simulate-research-query","title":"Simulate Research Query"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false},"description":"Toggles simulated, random-leveled logging on or off.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{},"type":"object"},"name":"toggle-simulated-logging","title":"Toggle Simulated Logging"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false},"description":"Toggles simulated resource subscription updates on or off.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{},"type":"object"},"name":"toggle-subscriber-updates","title":"Toggle Subscriber Updates"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":false},"description":"Trigger a Request from the Server for User Elicitation","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{},"type":"object"},"name":"trigger-elicitation-request","title":"Trigger Elicitation Request Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Demonstrates a long running operation with progress updates.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"duration":{"default":10,"description":"Duration of the operation in seconds","type":"number"},"steps":{"default":5,"description":"Number of steps in the operation","type":"number"}},"type":"object"},"name":"trigger-long-running-operation","title":"Trigger Long Running Operation Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":false},"description":"Trigger a Request from the Server for LLM Sampling","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"maxTokens":{"default":100,"description":"Maximum number of tokens to generate","type":"number"},"prompt":{"description":"The prompt to send to the LLM","type":"string"}},"required":["prompt"],"type":"object"},"name":"trigger-sampling-request","title":"Trigger Sampling Request Tool"}
 * {"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":false},"description":"Trigger a URL elicitation so the client can direct the user to a browser flow. Supports two mechanisms: the request path (elicitation/create, default) which awaits the user's response, and the error path (UrlElicitationRequiredError, -32042) which signals the client to handle URL elicitation via the error response. Set errorPath=true to use the error path.","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"elicitationId":{"description":"Optional explicit elicitation ID. Defaults to a random UUID.","type":"string"},"errorPath":{"default":false,"description":"Controls which elicitation mechanism is used. When false (default), sends an elicitation/create request (request path). When true, throws a UrlElicitationRequiredError (MCP error code -32042) so the client handles the URL elicitation via the error path rather than waiting for a response. To clear the error, satisfy the prerequisite and retry this call with the same arguments; the retry ignores errorPath and proceeds, so the client does not loop on the same error.","type":"boolean"},"message":{"default":"Please open the link to complete this action.","description":"Message shown to the user before opening the URL","type":"string"},"url":{"description":"The URL the user should open","format":"uri","type":"string"}},"required":["url"],"type":"object"},"name":"trigger-url-elicitation","title":"Trigger URL Elicitation Tool"}
 */
