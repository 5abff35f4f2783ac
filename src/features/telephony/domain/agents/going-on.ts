import { planById, type PayablePlanId } from '#plans/domain/plans.ts'
import type { MyAgent } from './my-agent.ts'

/** An agent that its customer has not given back, with those of its numbers that are not given back either. */
export interface HeldAgent {
  account: string
  name: string
  chosenFor: readonly string[]
  numbers: readonly { number: string; chosenFor: readonly string[] }[]
}

/** What a plan has; null without a limit. */
interface Limits {
  agents: number | null
  lines: number | null
}

export function limitsOf(plan: PayablePlanId): Limits {
  const { agents, lines } = planById(plan)
  return { agents: agents.count, lines: lines.count }
}

/** The agents, and of their numbers those, that go on with a plan. */
export interface GoingOn {
  agents: readonly string[]
  numbers: readonly string[]
}

/** Returns an account's agents, in the order in which they go on if nothing is chosen. */
export const heldAgents = ({ agents }: MyAgent, business: string | null): HeldAgent[] =>
  agents
    .filter(({ kept_until }) => kept_until === null)
    .map(({ account, name, chosen_for, numbers }) => ({
      account,
      name: name ?? business ?? 'Your agent',
      chosenFor: chosen_for,
      numbers: numbers
        .filter(({ kept_until }) => kept_until === null)
        .map((each) => ({ number: each.number, chosenFor: each.chosen_for })),
    }))

/** Returns so many, those first that were chosen for the plan. */
const firstOf = <One extends { chosenFor: readonly string[] }>(
  all: readonly One[],
  plan: string,
  limit: number | null,
): One[] =>
  all
    .toSorted((one, other) => Number(other.chosenFor.includes(plan)) - Number(one.chosenFor.includes(plan)))
    .slice(0, limit ?? all.length)

/** Returns the numbers of these agents that go on with a plan: those that were chosen for it, or the first. */
export const numbersGoingOn = (
  agents: readonly HeldAgent[],
  plan: string,
  { lines }: Limits,
): readonly string[] =>
  firstOf(
    agents.flatMap(({ numbers }) => numbers),
    plan,
    lines,
  ).map(({ number }) => number)

/** Returns what goes on with a plan (SQL: `agents_of_plans`, `is_line_entitled`): what was chosen for it, or the first. */
export function goingOn(agents: readonly HeldAgent[], plan: string, limits: Limits): GoingOn {
  const first = firstOf(agents, plan, limits.agents)
  return { agents: first.map(({ account }) => account), numbers: numbersGoingOn(first, plan, limits) }
}

/** Returns the agents and numbers that answer nobody once only these go on, each as "Second desk (+1 …)". */
export const listStopping = (agents: readonly HeldAgent[], keeps: GoingOn): string[] =>
  agents.flatMap(({ account, name, numbers }) => {
    const gone = numbers.map(({ number }) => number).filter((number) => !keeps.numbers.includes(number))
    if (!keeps.agents.includes(account)) return [gone.length > 0 ? `${name} (${gone.join(', ')})` : name]
    return gone
  })

/** What a customer reads if a choice was not saved, by the outcome (SQL: `choose_for_plan`). */
export const choiceProblems = {
  begun: 'This plan has begun already.',
  missing: 'Your agents have changed meanwhile. Please choose again.',
  wrong_count: 'Your agents have changed meanwhile. Please choose again.',
  failed: 'Your choice was not saved. Check your connection and try again.',
} as const

/** Tells whether these are exactly as many agents and numbers as a plan has. */
export function isFull(agents: readonly HeldAgent[], keeps: GoingOn, limits: Limits): boolean {
  const lines = agents.filter(({ account }) => keeps.agents.includes(account)).flatMap((one) => one.numbers)
  return (
    keeps.agents.length === Math.min(limits.agents ?? agents.length, agents.length) &&
    keeps.numbers.length === Math.min(limits.lines ?? lines.length, lines.length)
  )
}
