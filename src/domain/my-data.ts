import * as z from 'zod/mini'
import type { AgentSettingsRow } from './agent-settings.ts'
import type { Call } from './calls.ts'
import type { Subscription } from './subscription.ts'

/** A line of minute_ledger: minutes used, or credited where they are negative. */
export const ledgerLine = z.object({
  /** ISO 8601. */
  created_at: z.string(),
  minutes: z.number(),
  reason: z.string(),
})
export type LedgerLine = z.infer<typeof ledgerLine>

/** What a customer takes along, as `data.json` of the file that the portal hands out. */
export interface MyData {
  /** ISO 8601. */
  madeAt: string
  account: { id: string; email: string }
  /** Null where there is none. */
  subscription: Subscription | null
  agent: AgentSettingsRow
  minutes: LedgerLine[]
  calls: Call[]
}
