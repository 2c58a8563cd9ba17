/**
 * A group of processes, by the number of its leader (POSIX): whether any of it is alive, and signals to all of it.
 */
import { readdirSync, readFileSync } from "node:fs"

/** Sends a signal to every process of the group. False when there is none that could be signalled. */
export const signal = (group: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-group, name)
  } catch {
    return false
  }
}

/**
 * Whether a process of the group is alive. A dead one counts for the system until its parent takes note, and where the
 * parent is the first process of a container that may be late or never: on Linux those are told apart.
 */
export const isAlive = (group: number): boolean =>
  signal(group, 0) && (process.platform !== "linux" || processes().some((pid) => isLivingMember(pid, group)))

const processes = (): ReadonlyArray<string> => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** `/proc/PID/stat` reads `PID (name) state parent group …`, and the name may hold anything. */
const isLivingMember = (pid: string, group: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return Number(itsGroup) === group && state !== "Z" && state !== "X"
  } catch {
    return false
  }
}
