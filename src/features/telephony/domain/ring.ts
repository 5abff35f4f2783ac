import * as z from 'zod/mini'
import { messageWords, recordedNotice } from '#agent/domain/disclosure.ts'
import { isOpen, parseKnowledge, type AgentKnowledge } from '#agent/domain/knowledge.ts'
import { agentThere, type RingAnswer } from './voice-line.ts'

/**
 * What happens once a plan's minutes are used up: packages are bought within the cap and the agent goes on answering, it
 * takes a message, or it hands the call over. Beyond the cap it takes a message, too.
 */
export const limitPolicies = ['answer', 'message', 'hand_over'] as const

/** What decides about a ringing call (SQL: `ring_facts`). */
export const ringFacts = z.object({
  account: z.string(),
  /** Null until the agent is made. */
  there: z.nullable(agentThere),
  is_entitled: z.boolean(),
  is_paused: z.boolean(),
  is_recorded: z.boolean(),
  is_caller_blocked: z.boolean(),
  minutes_limit: z.nullable(z.number()),
  minutes_used: z.number(),
  limit_policy: z.enum(limitPolicies),
  fallback_number: z.nullable(z.string()),
  /** Those of the fallback and the transfer number that lead back to an agent (SQL: `loops_of`). */
  loops: z.array(z.string()),
  /** The name of the business. */
  business: z.nullable(z.string()),
  knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)),
})
export type RingFacts = z.infer<typeof ringFacts>

export const words = {
  noAnswer: 'We cannot take your call at the moment. Please try again later.',
  blocked: 'This number does not take your call.',
  handOver: 'One moment, I am putting you through.',
} as const

interface Destinations extends Pick<RingFacts, 'fallback_number' | 'loops'> {
  knowledge: Pick<AgentKnowledge, 'transfer'>
}

/** Returns the number of a person to whom the agent may put callers through; null without one, or if it leads back. */
export const transferNumber = ({
  knowledge,
  loops,
}: Omit<Destinations, 'fallback_number'>): string | null => {
  const { number } = knowledge.transfer
  return number !== null && loops.includes(number) ? null : number
}

/** Returns the number that rings if the agent cannot answer; null without one, or if it leads back. */
export const fallbackNumber = ({ fallback_number: chosen, ...facts }: Destinations): string | null =>
  chosen !== null && !facts.loops.includes(chosen) ? chosen : transferNumber(facts)

/**
 * Decides what becomes of a ringing call. Nothing is left unanswered: if the agent may not talk, the caller is put through
 * to a person, or leaves a message, or hears why not.
 * @param facts null if no account has the number
 * @param now in milliseconds since 1970
 */
export function decide(facts: RingFacts | null, now: number): RingAnswer {
  if (!facts) return { do: 'refuse', words: words.noAnswer }
  if (facts.is_caller_blocked) return { do: 'refuse', words: words.blocked }
  const { account, there: agent, knowledge, business, is_recorded: isRecorded } = facts
  const person = fallbackNumber(facts)
  const putThrough = (to: string | null): RingAnswer =>
    agent && to
      ? {
          do: 'put through',
          agent,
          account,
          to,
          words: words.handOver,
          ...(isRecorded ? { notice: recordedNotice(knowledge) } : {}),
        }
      : { do: 'refuse', words: words.noAnswer }

  if (!agent || !facts.is_entitled || facts.is_paused) return putThrough(person)
  const isOver = isOverLimit(facts)
  if (isOver && facts.limit_policy === 'hand_over' && person) return putThrough(person)
  if (isOver)
    return {
      do: 'take a message',
      agent,
      account,
      greeting: messageWords(knowledge, { business, isRecorded }),
    }
  const staff = transferNumber(facts)
  const isStaffFirst = knowledge.transfer.first === 'staff' && isOpen(knowledge, now) === true
  return isStaffFirst && staff
    ? putThrough(staff)
    : { do: 'answer', agent, account, now: nowAt(knowledge.timeZone, now) }
}

const isOverLimit = ({ minutes_limit: limit, minutes_used: used }: RingFacts): boolean =>
  limit !== null && used >= limit

/** Whether the agent can only answer if a package is bought. */
export const needsPackage = (facts: RingFacts): boolean =>
  isOverLimit(facts) &&
  facts.limit_policy === 'answer' &&
  facts.there !== null &&
  facts.is_entitled &&
  !facts.is_paused &&
  !facts.is_caller_blocked

/** Writes a moment as "Friday 20 November 2026, 14:06". */
export const nowAt = (timeZone: string, now: number): string =>
  new Date(now).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
