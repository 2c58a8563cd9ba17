/**
 * What ends the servers of a host that was killed by SIGKILL, which no hook of its own can see (POSIX).
 *
 * While any group of processes is guarded, a small shell script runs beside the host, in a session of its own, and reads
 * from a pipe which groups there are. The pipe breaks when the host is gone, in whatever way. Servers that then see the end
 * of their stdin have two seconds for it; what is left gets SIGTERM, and SIGKILL a second later.
 *
 * A group that ends while the host lives is taken off the list, so that a number which the system has given to somebody
 * else is never signalled. Without a shell there is no watchdog, and nothing else changes.
 */
import * as ChildProcess from "node:child_process"
import type { Writable } from "node:stream"

const script = `
trap '' HUP INT TERM
groups=
forget() {
  left=
  for each in $groups; do [ "$each" = "$1" ] || left="$left $each"; done
  groups=$left
}
send() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null || forget "$group"; done
}
bear() {
  pauses=$1
  while send 0; [ -n "$groups" ] && [ "$pauses" -gt 0 ]; do
    sleep 0.5
    pauses=$((pauses - 1))
  done
}
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) forget "$group" ;;
  esac
done
bear 4
send TERM
bear 2
send KILL
`

const guarded = new Set<number>()

let pipe: Writable | undefined
let starting: NodeJS.Immediate | undefined

/** Ends the group when the host is gone without `release` having been called. */
export const guard = (group: number): { readonly release: () => void } => {
  if (process.platform === "win32") return { release: () => undefined }
  guarded.add(group)
  if (pipe === undefined) starting ??= setImmediate(start)
  else pipe.write(`+ ${group}\n`)
  return {
    release: () => {
      if (!guarded.delete(group)) return
      pipe?.write(`- ${group}\n`)
      if (guarded.size === 0) stop()
    }
  }
}

/** To start a process takes milliseconds: that is done while the server starts too, once it has been sent its first message. */
const start = () => {
  starting = undefined
  try {
    pipe = launch()
  } catch {
    pipe = undefined // out of files or processes: the next group tries again
  }
}

/** Starts the script, and tells it of every guarded group. Neither it nor its pipe keeps the host alive. */
const launch = (): Writable => {
  const watcher = ChildProcess.spawn("/bin/sh", ["-c", script], {
    cwd: "/",
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"]
  })
  const { stdin } = watcher
  const lost = () => {
    if (pipe === stdin) pipe = undefined // the next group starts another
  }
  watcher.on("error", lost)
  watcher.on("exit", lost)
  watcher.unref()
  stdin.on("error", lost)
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref()
  for (const group of guarded) stdin.write(`+ ${group}\n`)
  return stdin
}

const stop = () => {
  clearImmediate(starting)
  starting = undefined
  pipe?.end()
  pipe = undefined
}
