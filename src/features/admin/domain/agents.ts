import type { AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { agentPrompt, type AgentMaterial } from '#agent/domain/prompt.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { plans } from '#plans/domain/plans.ts'
import { adminTabs } from './tabs.ts'

/** The states of an agent (SQL: `private.agents_with_state`), those that need the admin first. */
export const agentStates = [
  'waiting',
  'needs_attention',
  'setting_up',
  'changing',
  'live',
  'paused',
  'stopped',
  'leaving',
] as const
export type AgentState = (typeof agentStates)[number]

/** The admin's names of the states, the tones of their badges, and what happens next. */
export const agentStateTexts: Record<
  AgentState,
  { name: string; tone: 'ok' | 'warn' | 'bad' | 'off'; next: string }
> = {
  waiting: {
    name: 'to be set up',
    tone: 'warn',
    next: 'Set it up as the customer has chosen, give it a number, then press “Mark as live”.',
  },
  needs_attention: {
    name: 'needs attention',
    tone: 'bad',
    next: 'The voice provider has refused several times. We try again automatically, at least every hour.',
  },
  setting_up: { name: 'being set up', tone: 'off', next: 'The voice provider makes it within minutes.' },
  changing: { name: 'live, changing', tone: 'ok', next: 'The customer’s last change is on its way to it.' },
  live: { name: 'live', tone: 'ok', next: 'It answers the calls to its number.' },
  paused: { name: 'paused', tone: 'off', next: 'The customer has paused it.' },
  stopped: {
    name: 'stopped',
    tone: 'off',
    next: 'It answers nobody: the account does not pay, is blocked, or has given it back.',
  },
  leaving: {
    name: 'leaving',
    tone: 'warn',
    next: 'The account is deleted. What the voice provider has of the agent is removed automatically.',
  },
}

/** What the admin reads if an agent was set up by hand and is leaving. */
export const removeByHand =
  'The account is deleted, or has not been entitled to this agent for 30 days. Switch it off where you have set it up, then press “Mark as removed”.'

/** Returns the path of the list with a state, or without one. */
export const agentsPath = (state: AgentState | null): string =>
  adminTabs.pathOf('agents') + (state === null ? '' : `?state=${state}`)

/** Returns the state that an address names; null if it names none. */
export function stateOfAddress({ search }: { search: string }): AgentState | null {
  const named = new URLSearchParams(search).get('state')
  return agentStates.find((state) => state === named) ?? null
}

/** What the admin reads if a change was not made. */
export const refusals = {
  conflict: 'The customer has changed something meanwhile. Look at it again.',
  no_number: 'Give the agent a number first.',
  at_provider: 'The voice provider has this agent, so it is not done by hand.',
  missing: 'It no longer exists.',
  taken: 'Another agent already has this number.',
  elsewhere: 'The voice provider has this agent, but not this number.',
} as const

/** Returns how many phone lines a plan has; null without a limit. */
export const lineLimit = (plan: string): number | null =>
  plans.find(({ id }) => id === plan)?.lines.count ?? null

/** Describes how many lines of its plan an agent uses. */
export function linesLabel(plan: string | null, count: number): string {
  const limit = plan === null ? null : lineLimit(plan)
  return limit === null ? grouped(count) : `${count} of ${limit}`
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })

/** Describes what a customer has chosen and taught: each a term and a text. */
export function choicesOf(
  material: AgentMaterial & {
    ownNumber: string | null
    fallbackNumber: string | null
    template: string | null
  },
): [string, string][] {
  const { knowledge, greeting, business, isRecorded, ownNumber, fallbackNumber, template } = material
  const { transfer, languages } = knowledge
  return [
    ['Business', business ?? 'Not named'],
    ['Template', template?.replaceAll('-', ' ') ?? 'None chosen'],
    ['Greeting', greeting ?? 'The standard one'],
    ['Languages', languages.map((locale) => languageNames.of(locale)).join(', ')],
    ['Customer’s number', ownNumber ?? 'Not given'],
    ['Fallback number', fallbackNumber ?? 'None'],
    [
      'Calls handed over to',
      transfer.number === null
        ? 'Nobody'
        : `${transfer.number}, ${transfer.first === 'staff' ? 'first while the business is open' : 'after the agent'}`,
    ],
    ['Recordings', isRecorded ? 'Yes' : 'No'],
    ['Knowledge', outlineOf(knowledge, agentPrompt(material).leftOut)],
  ]
}

function outlineOf(knowledge: AgentKnowledge, leftOut: number): string {
  const { about, address, hours, holidays, services, answers, bookings, complaints, emergencies } = knowledge
  const count = (list: readonly unknown[], one: string, many: string): string | false =>
    list.length > 0 && `${list.length} ${list.length === 1 ? one : many}`
  const parts = [
    about.trim() && 'what it does',
    address.trim() && 'address',
    hours && `hours (${knowledge.timeZone})`,
    count(holidays, 'holiday', 'holidays'),
    count(services, 'service', 'services'),
    count(answers, 'answer', 'answers'),
    bookings.trim() && 'bookings',
    complaints.trim() && 'complaints',
    emergencies.trim() && 'emergencies',
  ].filter(Boolean)
  const texts = parts.length > 0 ? parts.join(', ') : 'Nothing taught yet'
  return leftOut > 0 ? `${texts}; ${leftOut} left out for length` : texts
}
