import * as z from 'zod/mini'

/** The states of a customer's agent (SQL: `my_agent`). */
export const agentStates = ['setting_up', 'changing', 'live', 'paused', 'stopped', 'needs_attention'] as const
export type AgentState = (typeof agentStates)[number]

/** A customer's agent, as the portal shows it. */
export const myAgent = z.object({
  state: z.enum(agentStates),
  numbers: z.array(z.object({ number: z.string(), last_ring_at: z.nullable(z.string()) })),
  /** Whether a real call has been answered. */
  has_called: z.boolean(),
})
export type MyAgent = z.infer<typeof myAgent>
