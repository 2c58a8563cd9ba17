/**
 * The colours: names of the terminal's own palette, so that they suit light and dark backgrounds. Text itself has none.
 *
 * @since 0.1.0
 */
import type { Tone } from "./ServerView.ts"

/**
 * @since 0.1.0
 * @category constants
 */
export const color = {
  accent: "cyan",
  error: "red",
  success: "green",
  warning: "yellow"
} as const

/**
 * The colours of the MCP bar: 10, 11 and 9 of the palette.
 *
 * @since 0.1.0
 * @category constants
 */
export const tone: Readonly<Record<Tone, string | undefined>> = {
  good: "greenBright",
  waiting: "yellowBright",
  bad: "redBright",
  off: undefined
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/**
 * The spinner at a time.
 *
 * @since 0.1.0
 * @category formatting
 */
export const spinner = (now: number): string => frames[Math.floor(now / 100) % frames.length] ?? ""
