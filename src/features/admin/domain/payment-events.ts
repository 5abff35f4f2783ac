import { adminTabs } from './tabs.ts'

/** The address of the payment events that have failed. */
export const failedEventsPath = `${adminTabs.pathOf('payments')}?events=failed`

/** Whether an address shows only the events that have failed. */
export const showsFailedEvents = ({ search }: Pick<Location, 'search'>): boolean =>
  new URLSearchParams(search).get('events') === 'failed'

/** How far the replay of the failed events has come. */
export interface Replay {
  all: number
  done: number
  /** Those that failed again, and why. */
  failed: readonly { id: string; message: string }[]
}

const events = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`

/** Says how far a replay has come, or what came of it. */
export function replayText({ all, done, failed }: Replay, isRunning: boolean): string {
  if (isRunning) return `Replaying: ${done} of ${events(all)}.`
  if (all === 0) return 'No event has failed.'
  const stopped = done < all ? `Stopped after ${done} of ${events(all)}. ` : ''
  const replayed = done - failed.length
  return failed.length === 0
    ? `${stopped}${events(replayed)} replayed.`
    : `${stopped}${events(replayed)} replayed, ${failed.length} failed again:`
}

/** Groups the events that failed again by the reason. */
export function byMessage(failed: Replay['failed']): [message: string, ids: string[]][] {
  const groups = new Map<string, string[]>()
  for (const { id, message } of failed) groups.set(message, [...(groups.get(message) ?? []), id])
  return [...groups]
}
