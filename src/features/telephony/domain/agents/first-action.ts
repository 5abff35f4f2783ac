import type { MyAgent } from './my-agent.ts'

/** What a customer is led to in the first week of an agent, before anything else. */
export type FirstAction = 'teach' | 'ring' | 'forward'

/** Returns what comes next; null if nothing can be done now, or the agent has answered a call. */
export function firstAction({ state, numbers, has_taught, has_called }: MyAgent): FirstAction | null {
  if (state === 'stopped' || state === 'not_set_up') return null
  if (!has_taught) return 'teach'
  if (numbers.length === 0 || has_called) return null
  return numbers.some(({ last_ring_at }) => last_ring_at !== null) ? 'forward' : 'ring'
}
