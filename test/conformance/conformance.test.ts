import { scenarios } from "./suite.ts"

await scenarios({ name: "conformance", size: 48 })
await scenarios({ name: "conformance-legacy", size: 26, alone: /^sse-retry$/ })
