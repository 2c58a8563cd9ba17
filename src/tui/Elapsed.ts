/**
 * Times as they are shown.
 *
 * @since 0.1.0
 */

/**
 * A time that something took.
 *
 * @since 0.1.0
 * @category formatting
 */
export const duration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`
}
