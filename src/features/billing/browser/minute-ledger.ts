import * as z from 'zod/mini'
import { ledgerLine, type LedgerLine } from '#billing/domain/minute-ledger.ts'
import { allRows } from '#platform/browser/storage/all-rows.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** Reads this customer's minute ledger, oldest row first; undefined without a readable answer. */
export async function readMinuteLedger(userId: string): Promise<LedgerLine[] | undefined> {
  const rows = await allRows<unknown>((from, to) =>
    supabase()
      .from('minute_ledger')
      .select('created_at, minutes, reason')
      .eq('user_id', userId)
      .order('id')
      .range(from, to),
  )
  return z.safeParse(z.array(ledgerLine), rows).data
}
