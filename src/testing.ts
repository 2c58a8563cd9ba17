/**
 * harness9/testing: what a test of a program on harness9 needs.
 *
 * @since 0.1.0
 */
export * as ScriptedModel from "./testing/ScriptedModel.ts"
export * as TestServer from "./testing/TestServer.ts"
export * as TestTransportFactory from "./testing/TestTransportFactory.ts"
