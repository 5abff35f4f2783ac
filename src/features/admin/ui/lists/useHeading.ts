import { useRef, type RefObject } from 'react'
import { flushSync } from 'react-dom'

interface Heading {
  /** The ref of the tab's heading. */
  heading: RefObject<HTMLHeadingElement | null>
  /** Makes a change after which the focused element may be gone, and moves the focus to the heading. */
  thenFocus: (change: () => void) => void
}

/** Gives the focus to a tab's heading when a form or dialog closes together with the row that it was opened from. */
export function useHeading(): Heading {
  const heading = useRef<HTMLHeadingElement>(null)
  return {
    heading,
    thenFocus(change) {
      flushSync(change)
      heading.current?.focus()
    },
  }
}
