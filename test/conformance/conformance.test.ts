import { scenarios } from "./suite.ts"

scenarios({ name: "conformance", only: /^(?!auth\/)/ })
scenarios({ name: "conformance-legacy", only: /^(?!auth\/)/, alone: /^sse-retry$/ })
