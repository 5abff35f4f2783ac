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
import { invokeAsUser } from '#account/browser/invoke-as-user.ts'
import { allRowsSince, supabase } from '#platform/browser/supabase.ts'

type InvoicesState = { status: 'loading' } | { status: 'failed' } | ({ status: 'ready' } & InvoicesAnswer)

/** The signed-in customer's invoices, read when a page shows them: the first page, and those that were asked for. */
export const $invoices = atom<InvoicesState>({ status: 'loading' })

const listInvoices = (after?: string): Promise<Result<InvoicesAnswer>> =>
  invokeAsUser('list-invoices', after === undefined ? {} : { after }, invoicesAnswer)

/** Reads the invoices again, as many pages as are shown. Those stay until the answer arrives, and after a failure. */
export async function refreshInvoices(): Promise<void> {
  const before = $invoices.get()
  if (before.status === 'failed') $invoices.set({ status: 'loading' })
  const shown = before.status === 'ready' ? before.invoices.length : 0
  let answer = await listInvoices()
  while (answer.ok && answer.value.more && answer.value.invoices.length < shown)
    answer = await withOlder(answer.value)
  if (answer.ok) $invoices.set({ status: 'ready', ...answer.value })
  else if ($invoices.get().status !== 'ready') $invoices.set({ status: 'failed' })
}

/** Adds the next page of older invoices. Returns whether that succeeded. */
export async function showOlderInvoices(): Promise<boolean> {
  const before = $invoices.get()
  if (before.status !== 'ready') return false
  const answer = await withOlder(before)
  // If they were read again meanwhile, the page may follow no more.
  if (answer.ok && $invoices.get() === before) $invoices.set({ status: 'ready', ...answer.value })
  return answer.ok
}

/** Reads the page that follows these invoices, and adds it to them. */
async function withOlder({ invoices }: InvoicesAnswer): Promise<Result<InvoicesAnswer>> {
  const older = await listInvoices(invoices.at(-1)?.id)
  return older.ok
    ? { ok: true, value: { ...older.value, invoices: [...invoices, ...older.value.invoices] } }
    : older
}

onMount($invoices, () => void refreshInvoices())

/** Charges the customer's card for an open invoice. */
export const payInvoice = (invoice: string): Promise<Result<PayInvoiceAnswer>> =>
  invokeAsUser('pay-invoice', { invoice }, payInvoiceAnswer)

const usedMinutes = z.object({
  created_at: z.string(),
  minutes: z.number(),
  reason: z.string(),
  seconds: z.nullable(z.number()),
  call: z.nullable(
    z.object({ id: z.string(), phone_number: z.nullable(z.string()), about: z.nullable(z.string()) }),
  ),
})

/** Reads what took minutes in a span of time, oldest first; undefined without a readable answer. */
export async function readUsedMinutes(
  userId: string,
  { start, end }: { start: string; end: string },
): Promise<UsedMinutes[] | undefined> {
  const used = () =>
    supabase()
      .from('minute_ledger')
      .select('id, created_at, minutes, reason, seconds, call:calls(id, phone_number, about)')
      .eq('user_id', userId)
      .gte('created_at', start)
      .lt('created_at', end)
  const rows = await allRowsSince(used, 'created_at')
  return z.safeParse(z.array(usedMinutes), rows).data
}
