/**
 * A transition with consequences: the state that follows, and what it asks of the world.
 *
 * @since 0.1.0
 */
import type { Intent } from "./Intent.ts"
import type { UiState } from "./UiState.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Step {
  readonly state: UiState
  readonly intents: ReadonlyArray<Intent>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const step = (state: UiState, ...intents: ReadonlyArray<Intent>): Step => ({ state, intents })
