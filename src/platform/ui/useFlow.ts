import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Flow } from '#platform/browser/flow.ts'

/**
 * Makes a component's flow once, and opens it in the browser (never while the HTML is built).
 * @param open sends the first event, and may return a function that cleans up; it must be the same function at every
 *   render
 */
export function useFlow<State, Event>(
  make: () => Flow<State, Event>,
  open: (send: (event: Event) => void) => (() => void) | undefined,
): { state: State; send: (event: Event) => void } {
  const [{ state, send }] = useState(make)
  useEffect(() => open(send), [open, send])
  return { state: useStore(state), send }
}
