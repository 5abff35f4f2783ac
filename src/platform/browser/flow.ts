import { atom, type ReadableAtom } from 'nanostores'
import type { Transition } from '#platform/domain/transition.ts'
import { $toast, dismissToast } from './toast.ts'

export interface Flow<State, Event> {
  state: ReadableAtom<State>
  send: (event: Event) => void
}

interface Definition<State, Event, Command> {
  initial: State
  /** A pure function. It returns the state as it is if the state does not expect the event. */
  transition: (state: State, event: Event) => Transition<State, Command>
  /** Runs one command. The event that it returns, if any, is sent next; an expected failure is an event too. */
  run: (command: Command) => Event | undefined | Promise<Event | undefined>
}

/**
 * Creates a state machine that runs its commands. Events are handled one after another; the commands of a transition
 * start in order once the new state is set. A command that throws is a bug: it is reported, and the state stays.
 * A toast that a transition raises is about the new state, so the next change of the state removes it.
 */
export function createFlow<State, Event, Command>({
  initial,
  transition,
  run,
}: Definition<State, Event, Command>): Flow<State, Event> {
  const state = atom(initial)
  const queue: Event[] = []
  let isHandling = false
  let raised: number | undefined

  const start = async (command: Command): Promise<void> => {
    const event = await run(command)
    if (event !== undefined) send(event)
  }

  const send = (event: Event): void => {
    queue.push(event)
    if (isHandling) return
    isHandling = true
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { state: nextState, commands } = transition(state.get(), next)
        if (raised !== undefined && nextState !== state.get()) dismissToast(raised)
        state.set(nextState)
        const before = $toast.get()
        for (const command of commands) start(command).catch((error: unknown) => reportError(error))
        const after = $toast.get()
        if (after !== before) raised = after?.number
      }
    } finally {
      isHandling = false
    }
  }

  return { state, send }
}
