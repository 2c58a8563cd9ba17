#!/usr/bin/env node
/**
 * The `harness9` program. The version is answered without loading anything.
 *
 * @since 0.1.0
 */
import { version } from "../mcp/internal/version.ts"

const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) process.stdout.write(`${version}\n`)
else void import("./start.ts").then(({ start }) => start(argv))
