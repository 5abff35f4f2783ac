import * as z from 'zod/mini'

/** Names one of the customer's agents. */
export const startTestCallRequest = z.object({ agent: z.uuid() })

export const updateMyAgentAnswer = z.object({
  /** Whether the account has an agent, or is to have one: it has finished onboarding and pays. */
  wanted: z.boolean(),
  /** Whether the provider has everything now. Otherwise a later run continues. */
  updated: z.boolean(),
})
export type UpdateMyAgentAnswer = z.infer<typeof updateMyAgentAnswer>
