import * as z from 'zod/mini'
import { agentStates } from '#agent/domain/agent-state.ts'

/** A customer's agents, as the portal shows them. */
export const myAgent = z.object({
  /** That of the first agent which the plan has. */
  state: z.enum(agentStates),
  /** The numbers that callers reach, with the name of the agent that answers if it is a further one. */
  numbers: z.array(
    z.object({ number: z.string(), agent: z.nullable(z.string()), last_ring_at: z.nullable(z.string()) }),
  ),
  /** Whether the customer has taught it anything. */
  has_taught: z.boolean(),
  /** Whether the customer has called it: from the browser, or by a call that was marked as a test. */
  has_tested: z.boolean(),
  /** Whether it has answered a real call. */
  has_called: z.boolean(),
  /** All agents, the first one first; the name of the first is the business's. */
  agents: z.array(
    z.object({
      account: z.string(),
      name: z.nullable(z.string()),
      state: z.catch(z.enum(agentStates), 'setting_up'),
      /** Whether a voice provider has it, so that it can be called from the browser. */
      is_at_provider: z.boolean(),
      /** When it is released; null unless it was given back. */
      kept_until: z.nullable(z.string()),
      /** The plans, the running and the next one, with which it was chosen to go on if they have fewer agents. */
      chosen_for: z.array(z.string()),
      numbers: z.array(
        z.object({
          number: z.string(),
          kept_until: z.nullable(z.string()),
          chosen_for: z.array(z.string()),
          /** Whether the plan has a line for it, and its agent. */
          is_in_plan: z.boolean(),
        }),
      ),
      /** How many numbers it is to have. */
      lines: z.number(),
    }),
  ),
  /** How many further ones the plan has; null without a limit. */
  room: z.object({ agents: z.nullable(z.number()), lines: z.nullable(z.number()) }),
})
export type MyAgent = z.infer<typeof myAgent>

/** The first week of an agent, in order, and what of it is done. */
export const firstWeekSteps = ({ numbers, has_taught, has_tested, has_called }: MyAgent) =>
  [
    { step: 'teach', isDone: has_taught },
    { step: 'test', isDone: has_tested },
    { step: 'number', isDone: numbers.length > 0 },
    { step: 'forward', isDone: numbers.some(({ last_ring_at }) => last_ring_at !== null) },
    { step: 'call', isDone: has_called },
  ] as const
