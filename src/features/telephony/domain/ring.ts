import * as z from 'zod/mini'
import { messageWords } from '#agent/domain/disclosure.ts'
import { isOpen, parseKnowledge, type AgentKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { comingDays } from '#bookings/domain/booking-words.ts'
import { limitPolicies } from '#billing/domain/minutes/at-limit.ts'
import type { CallLimit } from '#calls/domain/calls.ts'
import { lineWords } from './line-words.ts'
import type { RingAnswer } from './voice-line.ts'

/** What decides about a ringing call (SQL: `ring_facts`). */
export const ringFacts = z.object({
  account: z.string(),
  /** The agent; null until it is made. */
  provider_id: z.nullable(z.string()),
  is_entitled: z.boolean(),
  is_paused: z.boolean(),
  is_recorded: z.boolean(),
  is_caller_blocked: z.boolean(),
  minutes_limit: z.nullable(z.number()),
  minutes_used: z.number(),
  /** The plan's phone lines, and how many other calls its agents are answering. */
  lines: z.nullable(z.number()),
  running: z.number(),
  /** How long this caller, and all callers, have talked in the last 24 hours, and the most that each may, in minutes. */
  caller_minutes: z.number(),
  caller_minutes_a_day: z.nullable(z.number()),
  account_minutes: z.number(),
  account_minutes_a_day: z.nullable(z.number()),
  limit_policy: z.enum(limitPolicies),
  fallback_number: z.nullable(z.string()),
  /** Those of the fallback and the transfer number that lead back to an agent (SQL: `loops_of`). */
  loops: z.array(z.string()),
  /** The name of the business. */
  business: z.nullable(z.string()),
  knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)),
})
export type RingFacts = z.infer<typeof ringFacts>

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
 * to a person, or leaves a message, or hears why not. Beyond the plan's lines a person is called, if there is one; beyond
 * the other limits, the customer's policy decides. A caller who goes on to twice the daily limit hears to call tomorrow.
 * @param facts null if no account has the number
 * @param now in milliseconds since 1970
 */
export function decide(facts: RingFacts | null, now: number): RingAnswer {
  const words = lineWords(facts?.knowledge.languages ?? [])
  if (!facts) return { action: 'refuse', words: words.noAnswer }
  if (facts.is_caller_blocked) return { action: 'refuse', words: words.blocked }
  const { account, provider_id: agent, knowledge, business, is_recorded: isRecorded } = facts
  const person = fallbackNumber(facts)
  const forward = (to: string | null, limit?: CallLimit): RingAnswer =>
    to
      ? { action: 'forward', to, words: words.handOver, ...(limit ? { limit } : {}) }
      : { action: 'refuse', words: words.noAnswer }

  if (!agent || !facts.is_entitled || facts.is_paused) return forward(person)
  const staff = transferNumber(facts)
  const isStaffFirst = knowledge.transfer.first === 'staff' && isOpen(knowledge, now) === true
  if (isStaffFirst && staff) return forward(staff)
  const limit = limitOf(facts)
  if (!limit) return { action: 'answer', agent, account, now: nowAt(knowledge.timeZone, now) }
  if (limit === 'caller' && isOver(facts.caller_minutes / 2, facts.caller_minutes_a_day))
    return { action: 'refuse', words: words.tooOften, limit }
  if (person && (limit === 'lines' || facts.limit_policy === 'hand_over')) return forward(person, limit)
  const greeting = messageWords(knowledge, { business, isRecorded })
  return { action: 'message', agent, account, greeting, limit }
}

const isOver = (used: number, limit: number | null): boolean => limit !== null && used >= limit

/** Returns the limit that keeps the agent from answering, if any. A package helps against the last one only. */
function limitOf(facts: RingFacts): CallLimit | undefined {
  if (isOver(facts.running, facts.lines)) return 'lines'
  if (isOver(facts.caller_minutes, facts.caller_minutes_a_day)) return 'caller'
  if (isOver(facts.account_minutes, facts.account_minutes_a_day)) return 'account'
  return isOver(facts.minutes_used, facts.minutes_limit) ? 'minutes' : undefined
}

/** Whether the agent can only answer if a package is bought. */
export function needsPackage(facts: RingFacts, now: number): boolean {
  const answer = decide(facts, now)
  return facts.limit_policy === 'answer' && answer.action === 'message' && answer.limit === 'minutes'
}

/**
 * Writes a moment as "Friday 20 November 2026, 14:06 (coming days: Friday 2026-11-20, …)": the agent's tools take days as
 * YYYY-MM-DD, and "next Thursday" is one of these.
 */
export const nowAt = (timeZone: string, now: number): string => {
  const moment = new Date(now).toLocaleString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  })
  return `${moment} (coming days: ${comingDays(now, timeZone)})`
}
