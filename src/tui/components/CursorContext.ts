/**
 * How a component places the terminal's cursor, so that input methods and screen readers find what is being edited.
 *
 * @since 0.1.0
 */
import { createContext, useContext, useLayoutEffect } from "react"

/**
 * A place on the screen: rows up from the line below the last one, and a column.
 *
 * @since 0.1.0
 * @category models
 */
export interface CursorPlace {
  readonly up: number
  readonly column: number
}

/**
 * @since 0.1.0
 * @category contexts
 */
export const CursorContext = createContext<(place: CursorPlace | undefined) => void>(() => {})

/**
 * Places the cursor for as long as the component is there; nowhere, and it is hidden.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useCursor = (wanted: CursorPlace | undefined): void => {
  const place = useContext(CursorContext)
  const { column, up } = wanted ?? {}
  useLayoutEffect(() => {
    place(up === undefined || column === undefined ? undefined : { up, column })
  }, [place, up, column])
  useLayoutEffect(() => () => place(undefined), [place])
}
