/**
 * The commands inside of a shell's command line, for rules that forbid: rather one too many than one too few.
 *
 * Quotes are not understood: what stands in them is looked at as if it ran, since it may (`bash -c '…'`, `eval "…"`). What a command
 * makes of variables, encodings or files cannot be seen here.
 */
import { posix } from "node:path"

/** What joins, nests or redirects commands. */
const joints = /[;&|()`{}<>\r\n]|\$\(/

/** Whether the text is more than one plain command. */
export const isJoined = (text: string): boolean => joints.test(text)

/** Words that run the command after them. */
const runners = new Set(
  "sudo doas env command builtin exec eval time nohup nice ionice timeout stdbuf setsid xargs find watch bash sh zsh dash ksh if then else elif while until do !".split(
    " "
  )
)

/** Every command as the words that it would be, the program also without its folder. */
export const of = (command: string): ReadonlyArray<string> => {
  const bare = command.replace(/\\\r?\n/g, "").replace(/["'\\]/g, "")
  return [command.replace(/\\\r?\n/g, ""), bare].flatMap((text) => text.split(new RegExp(joints, "g"))).flatMap(starts)
}

const starts = (part: string): ReadonlyArray<string> => {
  const words = part.split(/\s+/).filter((word) => word !== "")
  const first = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word))
  const [program, ...rest] = first === -1 ? [] : words.slice(first)
  if (program === undefined) return []
  const base = posix.basename(program)
  const whole = [program, base].map((name) => [name, ...rest].join(" "))
  return runners.has(base) ? [...whole, ...rest.flatMap((_, index) => ofWords(rest.slice(index)))] : whole
}

const ofWords = ([program = "", ...rest]: ReadonlyArray<string>): ReadonlyArray<string> =>
  [program, posix.basename(program)].map((name) => [name, ...rest].join(" "))
