import { atom, onMount } from 'nanostores'
import * as z from 'zod/mini'
import {
  invoicesAnswer,
  payInvoiceAnswer,
  type InvoicesAnswer,
  type PayInvoiceAnswer,
  type UsedMinutes,
} from '#billing/domain/invoices.ts'
import type { Result } from '#platform/domain/result.ts'
import { accessToken } from '#account/browser/session.ts'
import { allRows } from '#platform/browser/all-rows.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { supabase } from '#platform/browser/supabase.ts'

type InvoicesState = { status: 'loading' } | { status: 'failed' } | ({ status: 'ready' } & InvoicesAnswer)

/** The signed-in customer's invoices, read when a page shows them. */
export const $invoices = atom<InvoicesState>({ status: 'loading' })

/** Reads the invoices again. Those that are shown stay until the answer arrives, and after a failure. */
export async function refreshInvoices(): Promise<void> {
  if ($invoices.get().status === 'failed') $invoices.set({ status: 'loading' })
  const answer = await invokeFunction('list-invoices', {
    body: {},
    answer: invoicesAnswer,
    accessToken: await accessToken(),
  })
  if (answer.ok) $invoices.set({ status: 'ready', ...answer.value })
  else if ($invoices.get().status !== 'ready') $invoices.set({ status: 'failed' })
}

onMount($invoices, () => void refreshInvoices())

/** Charges the customer's card for an open invoice. */
export const payInvoice = async (invoice: string): Promise<Result<PayInvoiceAnswer>> =>
  invokeFunction('pay-invoice', {
    body: { invoice },
    answer: payInvoiceAnswer,
    accessToken: await accessToken(),
  })

const usedMinutes = z.object({
  created_at: z.string(),
  minutes: z.number(),
  reason: z.string(),
  seconds: z.nullable(z.number()),
})

/** Reads what took minutes in a span of time, oldest first; undefined without a readable answer. */
export async function readUsedMinutes(
  userId: string,
  { start, end }: { start: string; end: string },
): Promise<UsedMinutes[] | undefined> {
  const rows = await allRows<unknown>((from, to) =>
    supabase()
      .from('minute_ledger')
      .select('created_at, minutes, reason, seconds')
      .eq('user_id', userId)
      .gte('created_at', start)
      .lt('created_at', end)
      .order('id')
      .range(from, to),
  )
  return z.safeParse(z.array(usedMinutes), rows).data
}
