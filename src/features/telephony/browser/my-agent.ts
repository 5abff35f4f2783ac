import { atom } from 'nanostores'
import * as z from 'zod/mini'
import { accessToken } from '#account/browser/session.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { updateMyAgentAnswer } from '#telephony/domain/contracts.ts'
import type { GoingOn } from '#telephony/domain/agents/going-on.ts'
import { myAgent, type MyAgent } from '#telephony/domain/agents/my-agent.ts'

/** The state of this customer's agent, as it was read last. */
export const $myAgent = atom<MyAgent | null>(null)

/** Reads the state of this customer's agent; null if none was asked for, undefined without a readable answer. */
export async function readMyAgent(): Promise<MyAgent | null | undefined> {
  const { data, error } = await supabase().rpc('my_agent')
  const agent = error ? undefined : z.safeParse(z.nullable(myAgent), data).data
  if (agent) $myAgent.set(agent)
  return agent
}

/** How often a number is looked at while a call to it is awaited, and for how long, in milliseconds. */
const ringPollMs = 2_000
const ringTimeoutMs = 120_000

/** Waits for a call to a number of this customer; false if none has come within two minutes, or once it is aborted. */
export async function awaitRing(number: string, signal: AbortSignal): Promise<boolean> {
  let before: string | null | undefined
  for (let passed = 0; passed < ringTimeoutMs && !signal.aborted; passed += ringPollMs) {
    const rang = (await readMyAgent())?.numbers.find((each) => each.number === number)?.last_ring_at
    if (before === undefined) before = rang
    else if (rang && rang !== before) return true
    await new Promise((resolve) => setTimeout(resolve, ringPollMs))
  }
  return false
}

/** Tells the voice provider what has changed. If this fails, the scheduled function does it within minutes. */
export async function updateMyAgent(): Promise<void> {
  const token = await accessToken()
  await invokeFunction('update-my-agent', { body: {}, answer: updateMyAgentAnswer, accessToken: token })
}

/** The outcomes of asking for more than the first agent has (SQL: `ask_for_line`, `ask_for_agent`). */
const asked = z.enum(['asked', 'at_limit', 'missing'])
export type Asked = z.infer<typeof asked>

/** Asks for a further phone number for an agent; undefined without a readable answer. */
export async function askForLine(agent: string): Promise<Asked | undefined> {
  const { data } = await supabase().rpc('ask_for_line', { p_agent: agent })
  return z.safeParse(asked, data).data
}

/** Asks for a further agent; undefined without a readable answer. */
export async function askForAgent(name: string): Promise<Asked | undefined> {
  const { data } = await supabase().rpc('ask_for_agent', { p_name: name })
  return z.safeParse(asked, data).data
}

/** The outcomes of giving something back, and of taking it back (SQL: `give_back`, `take_back`). */
const returned = z.enum(['saved', 'last_number', 'at_limit', 'missing'])
export type Returned = z.infer<typeof returned>

/** Gives back a number of an agent, or, without a number, the agent; undefined without a readable answer. */
export async function giveBack(agent: string, number?: string): Promise<Returned | undefined> {
  const { data } = await supabase().rpc('give_back', { p_agent: agent, p_number: number })
  return z.safeParse(returned, data).data
}

/** Takes back what was given back, while it is kept; undefined without a readable answer. */
export async function takeBack(agent: string, number?: string): Promise<Returned | undefined> {
  const { data } = await supabase().rpc('take_back', { p_agent: agent, p_number: number })
  return z.safeParse(returned, data).data
}

/** The outcomes of choosing what goes on with a plan (SQL: `choose_for_plan`). */
const chosen = z.enum(['saved', 'begun', 'missing', 'wrong_count'])

/** Chooses the agents and numbers that go on with a plan which has fewer; 'failed' without a readable answer. */
export async function chooseForPlan(
  plan: string,
  { agents, numbers }: GoingOn,
): Promise<z.infer<typeof chosen> | 'failed'> {
  const choice = { p_plan: plan, p_agents: [...agents], p_numbers: [...numbers] }
  const { data } = await supabase().rpc('choose_for_plan', choice)
  return z.safeParse(chosen, data).data ?? 'failed'
}
