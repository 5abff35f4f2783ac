import { callsWithoutAgent } from '#billing/domain/minutes/at-limit.ts'
import { isOver } from '#billing/domain/status.ts'

/** The states of a customer's agent (SQL: `my_agent`). */
export const agentStates = [
  'stopped',
  'not_set_up',
  'paused',
  'needs_attention',
  'waiting',
  'setting_up',
  'changing',
  'live',
] as const
export type AgentState = (typeof agentStates)[number]

const live = 'Your agent is live'
const preparing = 'Your agent is being set up'

/** What a customer reads about the state of an agent, in a heading. */
export const agentTitles: Record<AgentState, string> = {
  stopped: 'Your agent answers no calls',
  not_set_up: 'Your agent waits for you',
  paused: 'Your agent is paused',
  needs_attention: 'We are looking at your agent',
  waiting: preparing,
  setting_up: preparing,
  changing: live,
  live,
}

/** What happens next. */
const next: Record<Exclude<AgentState, 'stopped'>, string> = {
  not_set_up: 'Your agent is made once you have finished your setup. Your portal says when it answers calls.',
  paused: `${callsWithoutAgent} You resume it under Agent.`,
  needs_attention: 'Setting it up has not worked yet. We keep trying, and our team has been told.',
  waiting: 'Our team sets it up by hand, which takes 5 to 10 business days. You can teach it meanwhile.',
  setting_up: 'It gets its number as soon as it is ready. You can teach it meanwhile.',
  changing: 'What you changed last is on its way to it.',
  live: 'It answers the calls to its number.',
}

/** Says why an agent answers no calls, by the status of the subscription. */
function whyStopped(status: string): string {
  if (status === 'blocked') return 'Your account is blocked. Contact us, and we will sort it out together.'
  if (status === 'payment_failed') return 'Your agent answers again once your open invoice is paid.'
  if (isOver(status)) return 'Your agent answers once you have chosen and paid a plan.'
  return 'Your agent answers again once your plan has room for it.'
}

interface AgentFacts {
  state: AgentState
  /** The status of the subscription. */
  status: string
  /** Whether the customer has taught it anything. */
  hasTaught?: boolean
  /** What happens to calls, if the minutes are used up. */
  atLimit?: string
}

/** Says how a customer's agent is. Setup, the notices and the dashboard of the portal say this, and nothing else of it. */
export function agentWords({ state, status, hasTaught = true, atLimit }: AgentFacts): {
  title: string
  next: string
} {
  const title = agentTitles[state]
  if (state === 'stopped') return { title, next: whyStopped(status) }
  if (state === 'live' && atLimit) return { title: 'Your minutes are used up', next: atLimit }
  if (state === 'live' && !hasTaught)
    return {
      title: `${title}, and knows only its template`,
      next: 'It answers the calls to its number. Teach it about your business, so that it can say more.',
    }
  return { title, next: next[state] }
}
