import * as z from 'zod/mini'

/** A line of minute_ledger: minutes used, or credited where they are negative. */
export const ledgerLine = z.object({
  /** ISO 8601. */
  created_at: z.string(),
  minutes: z.number(),
  reason: z.string(),
})
export type LedgerLine = z.infer<typeof ledgerLine>
