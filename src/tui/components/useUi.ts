/**
 * The store in React.
 *
 * @since 0.1.0
 */
import { useSyncExternalStore } from "react"
import type { UiState } from "../UiState.ts"
import type { UiStore } from "../UiStore.ts"

/**
 * A part of the state; the component is drawn anew when that part is another one.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useUi = <A>(store: UiStore, select: (state: UiState) => A): A =>
  useSyncExternalStore(store.subscribe, () => select(store.get()))
