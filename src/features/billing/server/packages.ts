import Stripe from 'stripe'
import * as z from 'zod/mini'
import { currency, minutePackage } from '#plans/domain/plans.ts'
import type { BuyPackageAnswer } from '#billing/domain/minutes/packages.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { runSql } from '#platform/server/database.ts'
import type { Invocation } from '#platform/server/http.ts'
import { startJob, type JobKind } from '#platform/server/jobs.ts'
import { isDefinite, providerUnavailable } from '#platform/server/outgoing/provider-failure.ts'
import { logFailure } from '#platform/server/log.ts'
import type { Services } from '#platform/server/services.ts'
import { idOf } from '#platform/server/stripe.ts'
import { billingMails } from './billing-mails.ts'
import { followInvoice } from '#billing/server/invoices/follow-invoice.ts'
import { billWhatWaits } from '#billing/server/invoices/last-invoice.ts'
import { rateLimitedUser, noSubscription, refused } from '#billing/server/plan-change/subscription-change.ts'

const notNow: Failure = {
  code: 'not_changeable',
  message:
    'Minutes cannot be added at the moment: a payment is open, disputed or refunded, the plan is being changed, or it is about to end.',
}
const overCap: Failure = {
  code: 'over_cap',
  message:
    'This would cost more than your spending limit for packages allows in this period. Raise the limit first.',
}

const reservation = z.enum(['reserved', 'known', 'no_subscription', 'over_cap', 'not_now'])

/**
 * Buys a package for the signed-in customer: an item on the next invoice. It is reserved within the cap before Stripe is
 * asked; its job follows up an answer that is lost.
 * Sequential requests to Stripe: 1.
 */
export async function buyPackage(
  { request: press }: { request: string },
  connected: Services,
  invocation: Pick<Invocation, 'request'>,
): Promise<Result<BuyPackageAnswer>> {
  const { supabase } = connected
  const customer = await rateLimitedUser('package', connected, invocation)
  if (!customer.ok) return customer
  const user = customer.value
  const outcome = await runSql(
    supabase,
    'reserve_package',
    { p_user_id: user, p_request: press, p_minutes: minutePackage.minutes, p_cents: minutePackage.cents },
    reservation,
  )
  if (outcome === 'no_subscription') return noSubscription
  if (outcome === 'over_cap') return refused(overCap)
  if (outcome === 'not_now') return refused(notNow)
  // A reserved package will be bought, whatever fails now.
  await startJob(packages, user, connected)
  const { data } = await supabase
    .from('minute_packages')
    .select('state')
    .match({ user_id: user, request: press })
    .maybeSingle()
    .throwOnError()
  // The account was deleted meanwhile.
  if (!data) return noSubscription
  if (data.state === 'failed') return refused(providerUnavailable)
  return { ok: true, value: { status: data.state === 'reserved' ? 'under_way' : 'bought' } }
}

/** A package that Stripe is to be asked for (SQL: `next_package`). */
const duePackage = z.object({
  id: z.uuid(),
  customer: z.nullable(z.string()),
  subscription: z.string(),
  minutes: z.number(),
  cents: z.number(),
  attempt: z.number(),
  was_asked: z.boolean(),
  voided: z.nullable(z.string()),
  is_over: z.boolean(),
  created_at: z.string(),
})
type DuePackage = z.infer<typeof duePackage>
const nextPackage = z.nullable(z.union([z.literal('later'), duePackage]))

/** In seconds. */
const oneMinute = 60

/** Puts an account's reserved packages on its next invoice, and grants their minutes. */
export const packages: JobKind = {
  kind: 'packages',
  lanes: 5,
  async run({ key: user }, connected) {
    const next = () => runSql(connected.supabase, 'next_package', { p_user_id: user }, nextPackage)
    for (let due = await next(); due; due = await next()) {
      if (due === 'later') return oneMinute
      await billPackage(due, connected)
    }
    await startJob(billingMails, user, connected)
    return undefined
  },
}

async function billPackage(due: DuePackage, connected: Services): Promise<void> {
  const { stripe, supabase } = connected
  const { customer, subscription } = due
  const end = (outcome: 'billed' | 'failed' | 'later', item: string | null, definite = false) =>
    runSql(
      supabase,
      'end_package',
      { p_id: due.id, p_outcome: outcome, p_item: item, p_definite: definite },
      z.boolean(),
    )
  let item: Stripe.InvoiceItem | undefined
  try {
    item = due.was_asked ? await findItem(due, stripe) : undefined
    // A package that never reached Stripe before the subscription's end is given up. One on an upgrade's void invoice
    // did reach it.
    if (!due.is_over || due.voided) item ??= await createItem(due, stripe)
  } catch (error) {
    const isRefused = isRefusal(error)
    await end(isRefused ? 'failed' : 'later', null, isDefinite(error))
    if (!isRefused) throw error
    logFailure('packages', error)
    return
  }
  const isOver = await end(item ? 'billed' : 'failed', item?.id ?? null)
  // The item of an earlier try may be on an invoice whose events came before the item was known.
  if (item?.invoice) await followInvoice(idOf(item.invoice), connected)
  // The subscription's end was recorded while Stripe was being asked: it has billed what waited before.
  else if (isOver) await billWhatWaits({ id: subscription, customer: customer ?? '' }, connected)
}

/** Tells whether Stripe will never accept this request, because the subscription or the customer is gone. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && [400, 404].includes(error.statusCode ?? 0)

/**
 * Creates an item with the reserved amount instead of a price, so that the charge is what the cap has counted. After the
 * subscription's end it is the customer's alone: a subscription that has ended takes none.
 */
const createItem = (
  { id, customer, subscription, minutes, cents, attempt, is_over: isOver }: DuePackage,
  stripe: Stripe,
) =>
  stripe.invoiceItems.create(
    {
      customer: customer ?? '',
      ...(isOver ? {} : { subscription }),
      amount: cents,
      currency: currency.toLowerCase(),
      description: `Package of ${minutes} minutes`,
      discountable: false,
      metadata: { package: id },
    },
    { idempotencyKey: `package:${id}:${attempt}${isOver ? ':over' : ''}` },
  )

/** Finds the item of an earlier try whose answer was lost, unless it went with an invoice that was voided. */
async function findItem(
  { id, customer, voided, created_at }: DuePackage,
  stripe: Stripe,
): Promise<Stripe.InvoiceItem | undefined> {
  const since = Math.floor(Date.parse(created_at) / 1000) - 24 * 60 * 60
  const items = stripe.invoiceItems.list({ customer: customer ?? '', created: { gte: since }, limit: 100 })
  for await (const item of items) {
    if (item.metadata?.package !== id) continue
    if (!item.invoice || idOf(item.invoice) !== voided) return item
  }
  return undefined
}
