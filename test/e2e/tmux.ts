/**
 * A terminal for tests: a program in tmux, keys to it, and what its screen shows.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Leaks from "../leaks.ts"
import { folder, root } from "./cli.ts"

export interface Terminal {
  /** Types text as it is. */
  readonly type: (text: string) => Effect.Effect<void>
  /** Presses keys by tmux's names: `Enter`, `C-c`, `Escape`. */
  readonly press: (...keys: ReadonlyArray<string>) => Effect.Effect<void>
  readonly screen: Effect.Effect<string>
  /** The column in which the cursor stands, from 0. */
  readonly cursor: Effect.Effect<number>
  /** The screen with its colours. */
  readonly colors: Effect.Effect<string>
  /** Screen and scrollback. */
  readonly all: Effect.Effect<string>
  /** Waits until the screen shows it. */
  readonly shows: (wanted: string | RegExp) => Effect.Effect<void>
  /** Waits until the screen does not show it any more. */
  readonly hides: (unwanted: string | RegExp) => Effect.Effect<void>
  readonly resize: (columns: number, rows: number) => Effect.Effect<void>
  /** The folder that is home, state and configuration of what runs here. */
  readonly home: string
  /** The settings of the terminal before and after the program, once it has ended. */
  readonly settings: Effect.Effect<{ readonly before: string; readonly after: string }>
}

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0

const main = join(root, "dist/cli/main.js")

let count = 0

/** What the shell does with the command: runs it, and says how it ended. */
const once = (command: string): ReadonlyArray<string> => [
  "stty -a > before",
  command,
  "code=$?",
  "stty -a > after",
  'echo "ended with $code"'
]

/** The same in a shell with job control: a stopped command is continued once a line is typed. */
export const withJobControl = (command: string): ReadonlyArray<string> => [
  "set -m",
  "stty -a > before",
  command,
  "stty -a > after",
  'echo "in the shell"',
  "read line",
  "fg",
  'echo "ended with $?"'
]

/** Starts the CLI in a terminal; what runs in it ends with the Scope. */
export const open = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  shell: (command: string) => ReadonlyArray<string> = once
) =>
  Effect.gen(function* () {
    const home = yield* folder
    const socket = `harness9-${process.pid}-${++count}`
    const tmux = (...words: ReadonlyArray<string>) =>
      Effect.sync(() => spawnSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8" }).stdout)
    const variables = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config"), ...env }
    const words = [
      "env",
      "-u",
      "CI",
      "-u",
      "NO_COLOR",
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    ]
    const command = [...words, process.execPath, main, ...args].map(quoted).join(" ")
    const script = join(home, "script")
    const steps = [`cd ${quoted(home)}`, ...shell(command), "exec cat"]
    writeFileSync(script, steps.join("\n"))
    yield* Effect.acquireRelease(tmux("new-session", "-d", "-x", "100", "-y", "30", "/bin/sh", script), () =>
      tmux("kill-server")
    )
    yield* Effect.addFinalizer(() =>
      Effect.map(tmux("capture-pane", "-p", "-S", "-"), (text) => Leaks.said(text.replace(/\n */g, "")))
    )

    const screen = tmux("capture-pane", "-p")
    const until = (what: string, holds: (text: string) => boolean) =>
      screen.pipe(
        Effect.repeat({ until: holds, schedule: Schedule.spaced("50 millis") }),
        Effect.timeout("30 seconds"),
        Effect.catchAll(() => Effect.flatMap(screen, (text) => Effect.dieMessage(`${what}:\n${text}`))),
        Effect.asVoid
      )
    const matches = (text: string, wanted: string | RegExp) =>
      typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)
    const shows = (wanted: string | RegExp) => until(`never shown: ${wanted}`, (text) => matches(text, wanted))

    const terminal: Terminal = {
      type: (text) => Effect.asVoid(tmux("send-keys", "-l", text)),
      press: (...keys) => Effect.asVoid(tmux("send-keys", ...keys)),
      screen,
      cursor: Effect.map(tmux("display-message", "-p", "#{cursor_x}"), Number),
      colors: tmux("capture-pane", "-e", "-p"),
      all: tmux("capture-pane", "-p", "-S", "-"),
      shows,
      hides: (unwanted) => until(`still shown: ${unwanted}`, (text) => !matches(text, unwanted)),
      resize: (columns, rows) => Effect.asVoid(tmux("resize-window", "-x", `${columns}`, "-y", `${rows}`)),
      home,
      settings: Effect.as(shows("ended with"), home).pipe(
        Effect.map((path) => ({
          before: readFileSync(join(path, "before"), "utf8"),
          after: readFileSync(join(path, "after"), "utf8")
        }))
      )
    }
    return terminal
  })

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
