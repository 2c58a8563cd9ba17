/**
 * harness9/testing: what a test of a program on harness9 needs.
 *
 * @since 0.1.0
 */
export * as CassetteModel from "./engine/model/CassetteModel.ts"
export * as Cassette from "./mcp/Cassette.ts"
export * as CassettePlayer from "./mcp/CassettePlayer.ts"
export * as CassetteRecorder from "./mcp/CassetteRecorder.ts"
export * as CassetteTransport from "./mcp/CassetteTransport.ts"
export * as ScriptedModel from "./testing/ScriptedModel.ts"
export * as TestServer from "./testing/TestServer.ts"
export * as TestTransportFactory from "./testing/TestTransportFactory.ts"
export * as CassetteTools from "./tool/CassetteTools.ts"
