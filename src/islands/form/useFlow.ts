import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Flow } from '#stores/flow.ts'

/**
 * Gives a component its flow: made once, opened when the page can be read (never while the HTML is built).
 * @param make a function that stays the same, as `open` does
 * @param open sends the first event; what it returns, if anything, ends what it began
 */
export function useFlow<State, Event>(
  make: () => Flow<State, Event>,
  open: (send: (event: Event) => void) => (() => void) | undefined,
): { state: State; send: (event: Event) => void } {
  const [{ state, send }] = useState(make)
  useEffect(() => open(send), [open, send])
  return { state: useStore(state), send }
}
