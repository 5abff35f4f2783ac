import * as z from 'zod/mini'
import { agentStates, refusals, type AgentState } from '#admin/domain/agents.ts'
import { retryAgentAnswer } from '#admin/domain/contracts.ts'
import { parseKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { industryTemplateIds } from '#agent/domain/industry-templates.ts'
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import { supabase } from '#platform/browser/supabase.ts'
import type { Result } from '#platform/domain/result.ts'
import { failureReason, refused, type Answer } from './admin-failure.ts'
import { recordsPerPage, withEmails, readPage, type Page } from '#admin/browser/content/records.ts'
import { deliveryResult } from '#connections/domain/connections.ts'

const queuedAgent = z.object({
  account: z.string(),
  is_gone: z.boolean(),
  email: z.nullable(z.string()),
  business: z.nullable(z.string()),
  plan: z.nullable(z.string()),
  state: z.enum(agentStates),
  by_hand: z.boolean(),
  error: z.nullable(z.string()),
  numbers: z.array(z.string()),
  created_at: z.string(),
})
export type QueuedAgent = z.infer<typeof queuedAgent>

const agentPage = z.object({
  counts: z.partialRecord(z.enum(agentStates), z.number()),
  more: z.boolean(),
  rows: z.array(queuedAgent),
})
export type AgentCounts = z.infer<typeof agentPage>['counts']

/** Reads one page of the agents; undefined if there is no readable answer. */
export async function listAgents(
  search: string,
  state: AgentState | null,
  page: number,
): Promise<(Page<QueuedAgent> & { counts: AgentCounts }) | undefined> {
  const { data } = await supabase().rpc('list_agents', {
    p_search: search,
    p_state: state,
    p_limit: recordsPerPage,
    p_offset: page * recordsPerPage,
  })
  const answer = z.safeParse(agentPage, data).data
  return answer && { entries: answer.rows, more: answer.more, counts: answer.counts }
}

const chosenAgent = z.object({
  account: z.string(),
  /** The customer's account; null if it is deleted. */
  user_id: z.nullable(z.string()),
  /** How many numbers its customer has asked for. */
  lines: z.number(),
  is_gone: z.boolean(),
  state: z.enum(agentStates),
  by_hand: z.boolean(),
  is_at_provider: z.boolean(),
  error: z.nullable(z.string()),
  tries: z.number(),
  /** Null if no try waits. */
  next_try_at: z.nullable(z.string()),
  wanted_at: z.string(),
  live_at: z.nullable(z.string()),
  plan: z.nullable(z.string()),
  business: z.nullable(z.string()),
  template: z.nullable(z.enum(industryTemplateIds)),
  greeting: z.nullable(z.string()),
  sample: z.nullable(z.object({ path: z.string(), name: z.nullable(z.string()) })),
  knowledge: z.pipe(z.unknown(), z.transform(parseKnowledge)),
  record_calls: z.boolean(),
  own_number: z.nullable(z.string()),
  fallback_number: z.nullable(z.string()),
  numbers: z.array(
    z.object({
      number: z.string(),
      at_provider: z.boolean(),
      /** When it is released; null unless the customer gave it back. */
      kept_until: z.nullable(z.string()),
    }),
  ),
})
export type ChosenAgent = z.infer<typeof chosenAgent>

/** Reads what a customer chose; null if the account has no agent, undefined if there is no readable answer. */
export async function readAgent(account: string): Promise<ChosenAgent | null | undefined> {
  const { data, error } = await supabase().rpc('agent_of_account', { p_account: account })
  return error ? undefined : z.safeParse(z.nullable(chosenAgent), data).data
}

/** Turns the outcome of a change into a result. */
function resultOf(answer: Answer & { data: unknown }): Result<true> {
  if (answer.error) return refused(failureReason(answer))
  if (answer.data === 'saved') return { ok: true, value: true }
  return refused(refusals[answer.data as keyof typeof refusals] ?? 'The database refused this change.')
}

/** Says that an agent is set up by hand, as its customer wanted it when the admin looked. */
export const setAgentLive = async ({ account, wanted_at }: ChosenAgent): Promise<Result<true>> =>
  resultOf(await supabase().rpc('set_agent_live', { p_account: account, p_wanted_at: wanted_at }))

/** Says that the agent of a deleted account is switched off by hand. */
export const setAgentRemoved = async (account: string): Promise<Result<true>> =>
  resultOf(await supabase().rpc('set_agent_removed', { p_account: account }))

export const giveNumber = async (account: string, number: string): Promise<Result<true>> =>
  resultOf(await supabase().rpc('give_phone_number', { p_account: account, p_number: number }))

export const takeNumber = async (account: string, number: string): Promise<Result<true>> =>
  resultOf(await supabase().rpc('take_phone_number', { p_account: account, p_number: number }))

/** Makes the server ask the voice provider again now. */
export async function retryAgent(account: string): Promise<Result<true>> {
  const answer = await invokeAsUser('retry-agent', { account }, retryAgentAnswer)
  if (!answer.ok) return answer
  return answer.value.updated ? { ok: true, value: true } : refused('It did not work. The reason is above.')
}

const phoneNumber = z.object({
  number: z.string(),
  at_provider: z.boolean(),
  bought: z.boolean(),
  account: z.nullable(z.string()),
  last_ring_at: z.nullable(z.string()),
})
export type PhoneNumber = z.infer<typeof phoneNumber> & { email: string | null }

/** Reads the company's phone numbers, free ones first. */
export const readPhoneNumbers = async (page: number): Promise<Page<PhoneNumber> | undefined> =>
  withEmails(
    readPage(
      phoneNumber,
      supabase()
        .from('phone_numbers')
        .select('number, at_provider, bought, account, last_ring_at')
        .order('assigned_at', { ascending: false, nullsFirst: true })
        .order('number'),
      page,
    ),
    ({ account }) => account,
  )

/** The longest choice of free numbers. */
const mostOffered = 100

/** Reads the free numbers, all or only those at the provider; undefined without a readable answer. */
export async function readFreeNumbers(atProvider: boolean): Promise<string[] | undefined> {
  const free = supabase().from('phone_numbers').select('number').is('account', null)
  const { data } = await (atProvider ? free.eq('at_provider', true) : free).order('number').limit(mostOffered)
  return z.safeParse(z.array(z.object({ number: z.string() })), data).data?.map(({ number }) => number)
}

/** Enters numbers. Returns how many of them were new. */
export async function addPhoneNumbers(
  numbers: readonly string[],
  atProvider: boolean,
): Promise<Result<number>> {
  const answer = await supabase().rpc('add_phone_numbers', {
    p_numbers: [...numbers],
    p_at_provider: atProvider,
  })
  if (answer.error) return refused(failureReason(answer))
  return { ok: true, value: z.parse(z.number(), answer.data) }
}

/** Takes a free number off the list. */
export async function removePhoneNumber(number: string): Promise<Result<true>> {
  const answer = await supabase().rpc('remove_phone_number', { p_number: number })
  if (answer.error) return refused(failureReason(answer))
  return answer.data === true ? { ok: true, value: true } : refused('An agent has this number by now.')
}

const failingWebhook = z.extend(deliveryResult, {
  id: z.string(),
  user_id: z.string(),
  email: z.string(),
  /** The rest of the address may be a secret. */
  host: z.string(),
  is_calendar: z.boolean(),
  failing_since: z.string(),
  disabled_at: z.nullable(z.string()),
})
export type FailingWebhook = z.infer<typeof failingWebhook>

/** Reads the customers' webhooks and calendars to which nothing arrives, those that have failed longest first. */
export const readFailingWebhooks = async (page: number): Promise<Page<FailingWebhook> | undefined> =>
  readPage(failingWebhook, supabase().rpc('failing_webhooks'), page)
