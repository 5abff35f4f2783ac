import { atom, type ReadableAtom } from 'nanostores'

/** What a transition answers: the next state, and what is to be done about it, in order. */
export interface Step<State, Command> {
  state: State
  commands: readonly Command[]
}

export interface Flow<State, Event> {
  state: ReadableAtom<State>
  send: (event: Event) => void
}

interface Definition<State, Event, Command> {
  initial: State
  /** Pure: decides. An event that a state does not expect leaves it as it is. */
  transition: (state: State, event: Event) => Step<State, Command>
  /** Does one command; what it answers, if anything, is the next event. Expected failures are events too. */
  run: (command: Command) => Event | undefined | Promise<Event | undefined>
}

/**
 * Runs a flow: events go through the transition one after another, and their commands start in order once the
 * state is set. A command that throws is a bug; it is reported and the flow stays where it is.
 */
export function createFlow<State, Event, Command>({
  initial,
  transition,
  run,
}: Definition<State, Event, Command>): Flow<State, Event> {
  const state = atom(initial)
  const waiting: Event[] = []
  let busy = false

  const start = async (command: Command): Promise<void> => {
    const event = await run(command)
    if (event !== undefined) send(event)
  }

  const send = (event: Event): void => {
    waiting.push(event)
    if (busy) return
    busy = true
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const step = transition(state.get(), next)
        state.set(step.state)
        for (const command of step.commands) start(command).catch((error: unknown) => reportError(error))
      }
    } finally {
      busy = false
    }
  }

  return { state, send }
}
