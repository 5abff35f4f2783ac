import type { Transition } from '#platform/domain/transition.ts'
import type { TestTicket } from './voice-line.ts'

/** A call from the browser to an agent of the customer. `attempt` tells it from an earlier one. */
export type TestCall =
  | { status: 'idle'; problem: string | null }
  /** The browser asks for the microphone. */
  | { status: 'requestingMicrophone'; attempt: number; agent: string }
  /** The provider prepares the call, and the page joins it. */
  | { status: 'connecting'; attempt: number }
  | { status: 'talking'; attempt: number; since: number }
  | { status: 'ended'; seconds: number }

export type TestCallEvent =
  | { type: 'callPressed'; attempt: number; agent: string }
  | { type: 'microphoneAllowed'; attempt: number }
  | { type: 'prepared'; attempt: number; ticket: TestTicket }
  | { type: 'joined'; attempt: number; at: number }
  | { type: 'failed'; attempt: number; problem: string }
  /** Either the agent has hung up, or the connection is lost. */
  | { type: 'ended'; attempt: number; at: number }
  | { type: 'hangUpPressed'; at: number }

export type TestCallCommand =
  | { type: 'requestMicrophone'; attempt: number }
  | { type: 'prepare'; attempt: number; agent: string }
  | { type: 'join'; attempt: number; ticket: TestTicket }
  | { type: 'hangUp' }

/** A call that the page has joined, or is joining. */
export interface JoinedCall {
  /** Settles once the agent can be heard. */
  joined: Promise<void>
  hangUp: () => void
}

export const testCallProblems = {
  refused:
    'The microphone is not allowed on this page. Allow it in your browser’s settings for this site, then call again.',
  'no-microphone': 'No microphone was found. Connect one, then call again.',
  'microphone-in-use':
    'The microphone could not be opened. Another program may be using it: close that, then call again.',
  unsupported: 'This browser cannot make calls. Test your agent with “Start AI Conversation”.',
  lost: 'The call could not be connected. Test your agent with “Start AI Conversation”, or call again later.',
} as const

type TestCallTransition = Transition<TestCall, TestCallCommand>
const to = (state: TestCall, ...commands: TestCallCommand[]): TestCallTransition => ({ state, commands })

/** An event that a state does not expect, or of an earlier attempt, changes nothing. */
export function transition(state: TestCall, event: TestCallEvent): TestCallTransition {
  if (event.type === 'callPressed') {
    if (state.status !== 'idle' && state.status !== 'ended') return to(state)
    const { attempt, agent } = event
    return to({ status: 'requestingMicrophone', attempt, agent }, { type: 'requestMicrophone', attempt })
  }
  if (state.status === 'idle' || state.status === 'ended') return to(state)
  if ('attempt' in event && event.attempt !== state.attempt) return to(state)
  const { attempt } = state
  switch (event.type) {
    case 'microphoneAllowed':
      return state.status === 'requestingMicrophone'
        ? to({ status: 'connecting', attempt }, { type: 'prepare', attempt, agent: state.agent })
        : to(state)
    case 'prepared':
      return state.status === 'connecting'
        ? to(state, { type: 'join', attempt, ticket: event.ticket })
        : to(state)
    case 'joined':
      return state.status === 'connecting' ? to({ status: 'talking', attempt, since: event.at }) : to(state)
    case 'failed':
      return to({ status: 'idle', problem: event.problem }, { type: 'hangUp' })
    case 'ended':
    case 'hangUpPressed':
      return to(
        state.status === 'talking'
          ? { status: 'ended', seconds: secondsOf(state.since, event.at) }
          : { status: 'idle', problem: event.type === 'ended' ? testCallProblems.lost : null },
        { type: 'hangUp' },
      )
  }
}

/** Returns the whole seconds between two moments. */
export const secondsOf = (since: number, at: number): number => Math.max(0, Math.floor((at - since) / 1000))
