import * as z from 'zod/mini'

/** A row of minute_ledger: minutes that were used, or credited if negative. */
export const ledgerLine = z.object({
  /** ISO 8601. */
  created_at: z.string(),
  minutes: z.number(),
  reason: z.string(),
})
export type LedgerLine = z.infer<typeof ledgerLine>
