/**
 * Colours for people: on in a terminal, off elsewhere and where the person has said so.
 *
 * @since 0.1.0
 */

type Paint = (text: string) => string

/**
 * @since 0.1.0
 * @category models
 */
export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly red: Paint
  readonly cyan: Paint
}

const plain: Paint = (text) => text

/**
 * No colours.
 *
 * @since 0.1.0
 * @category constants
 */
export const none: Style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain }

const sgr =
  (open: number, close: number): Paint =>
  (text) =>
    `\x1b[${open}m${text}\x1b[${close}m`

/**
 * The sixteen colours that every terminal has.
 *
 * @since 0.1.0
 * @category constants
 */
export const ansi: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  red: sgr(31, 39),
  cyan: sgr(36, 39)
}

/**
 * Colours when the stream is a terminal that knows them and `NO_COLOR` is not set.
 *
 * @see https://no-color.org
 * @since 0.1.0
 * @category constructors
 */
export const forStream = (
  stream: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>
): Style => (stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb" ? ansi : none)
