/**
 * How long a key takes from the terminal's bytes to the frame that shows it: with a long conversation, and in the panel of a
 * server with very many tools. Prints a JSON document.
 */
import { EventEmitter, once } from "node:events"
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as ServerConfig from "../../src/mcp/ServerConfig.ts"
import { ServerStatus } from "../../src/mcp/ServerStatus.ts"
import * as Screen from "../../src/tui/Screen.tsx"
import * as Transcript from "../../src/tui/Transcript.ts"
import * as UiState from "../../src/tui/UiState.ts"
import * as UiStore from "../../src/tui/UiStore.ts"

const messages = 5_000
const tools = 10_000

class Stdin extends EventEmitter {
  readonly isTTY = true
  readonly destroyed = false
  setRawMode() {}
  setEncoding() {}
  resume() {}
  pause() {}
}

class Stdout extends EventEmitter {
  readonly isTTY = true
  readonly columns = 120
  readonly rows = 40
  write(_data: string): boolean {
    this.emit("frame")
    return true
  }
}

const conversation = (): Transcript.Transcript => ({
  ...Transcript.empty,
  items: Array.from({ length: messages }, (_, index) =>
    index % 2 === 0
      ? Transcript.Item.User({ text: `question ${index}` })
      : Transcript.Item.Answer({ text: `The answer to **${index}** is in \`file-${index}.ts\`.`, first: true })
  )
})

const server = ServerStatus.Connected({
  name: "large",
  protocolVersion: "2025-11-25",
  serverInfo: { name: "large", version: "1" },
  capabilities: { tools: {} },
  instructions: undefined,
  tools: Array.from({ length: tools }, (_, index) => ({
    name: `tool_${index}_${["create", "list", "delete", "search"][index % 4]}_${["issue", "file", "user"][index % 3]}`,
    description: `Does thing number ${index} with the ${["repository", "database", "calendar"][index % 3]} of a team, and says how it went.`,
    inputSchema: { type: "object" }
  })),
  connectMs: 100
})

/** A person types at most so fast; a frame that is late is then not taken for the next one's. */
const pauseMs = 40

interface Time {
  readonly wall: number
  readonly cpu: number
}

const spread = (times: ReadonlyArray<number>) => {
  const sorted = times.toSorted((left, right) => left - right)
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }
}

const percentile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0

const main = Effect.gen(function* () {
  const stdin = new Stdin()
  const stdout = new Stdout()
  const initial = UiState.make({
    columns: stdout.columns,
    rows: stdout.rows,
    now: 0,
    model: "offline",
    directory: "~",
    sandbox: "~, not confined",
    plain: false
  })
  const configs = [ServerConfig.stdio("large", { command: "server" })]
  const store = yield* UiStore.make(
    UiState.onStatuses(UiState.onConfigs({ ...initial, transcript: conversation() }, configs), [server])
  )
  yield* Screen.make(store, {
    // What the screen uses of both is there.
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream
  })

  /** The time until the frame has been written, and the processor's part of it: on a busy machine the first says little. */
  const key = async (bytes: string): Promise<Time> => {
    await setTimeout(pauseMs)
    const frame = once(stdout, "frame", { signal: AbortSignal.timeout(5_000) })
    const cpu = process.cpuUsage()
    const start = performance.now()
    stdin.emit("data", bytes)
    await frame
    const wall = performance.now() - start
    const { system, user } = process.cpuUsage(cpu)
    return { wall, cpu: (system + user) / 1_000 }
  }

  const keys = async (bytes: ReadonlyArray<string>) => {
    const times: Array<Time> = []
    for (const each of bytes) times.push(await key(each))
    return { keys: times.length, wall: spread(times.map(({ wall }) => wall)), cpu: spread(times.map(({ cpu }) => cpu)) }
  }

  const measure = async () => {
    const text = "the quick brown fox jumps over the lazy dog "
    const typing = Array.from(text.repeat(4))
    await keys(typing.slice(0, 40))
    // What the set-up has left behind is no part of a key.
    global.gc?.()
    const chat = await keys(typing)
    await key("\x15")
    await keys([..."/mcp", "\r"])
    await key("\r")
    await keys(Array.from("jjjjkkkk"))
    const scrolling = await keys(Array.from({ length: 150 }, (_, index) => (index % 10 === 9 ? "\x1b[6~" : "j")))
    await key("/")
    const words = ["issue", "search database", "tool_77", "nothing fits this"]
    const filtering = await keys(words.flatMap((word) => [...word, "\x15"]))
    return { chat, scrolling, filtering }
  }
  yield* Effect.promise(async () => void process.stdout.write(`${JSON.stringify(await measure())}\n`))
}).pipe(Effect.scoped)

Effect.runPromise(main).then(() => process.exit(0))
