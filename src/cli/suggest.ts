/**
 * What a person may have meant by a name that is not there.
 *
 * @since 0.1.0
 */
import { nearest } from "../tool/internal/NearestNames.ts"

/**
 * The nearest names as a question: `did you mean echo or get-sum?`; nothing when nothing is near.
 *
 * @since 0.1.0
 * @category formatting
 */
export const didYouMean = (wrong: string, names: Iterable<string>): string | undefined => {
  const near = nearest(wrong, names)
  return near.length === 0 ? undefined : `did you mean ${near.join(" or ")}?`
}
