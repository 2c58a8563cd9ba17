import { scenarios } from "./suite.ts"

/** `npm run conformance` runs every scenario; any other run leaves out the many of `auth/`. */
const only = process.env.npm_lifecycle_event === "conformance" ? /./ : /^(?!auth\/)/

scenarios({ name: "conformance", only })
scenarios({ name: "conformance-legacy", only, alone: /^sse-retry$/ })
