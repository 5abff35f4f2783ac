import { planById } from '#plans/domain/plans.ts'
import { charges, isLive, subscriptions, type History } from './history.ts'
import type { Row } from './shop.ts'

/** What the operator does in Stripe's dashboard, and what banks do. */
type Step = (history: History) => Promise<void>

/** The admin gives an owed renewal up, or a last invoice, at Stripe. */
async function voidInvoice(history: History): Promise<void> {
  const { shop, random, log } = history
  const how = random.pick(['mark_uncollectible', 'void'] as const)
  const [owed] = ((await shop.stripe('GET', 'invoices', { limit: '100' })).data as Row[]).filter(
    ({ status, billing_reason: reason }) =>
      status === 'open' && ['subscription_cycle', 'manual'].includes(String(reason)),
  )
  if (!owed) return
  await shop.stripe('POST', `invoices/${String(owed.id)}/${how}`)
  log.push(`admin, at Stripe: ${how}`)
}

/** The admin moves the subscription to a smaller plan at Stripe, and credits what was paid: now, or on the next invoice. */
async function downgradeWithCredit(history: History): Promise<void> {
  const { shop, random, log } = history
  const behaviour = random.pick(['create_prorations', 'always_invoice'] as const)
  const plan = random.pick(['starter', 'starter', 'growth'] as const)
  const [live] = (await subscriptions(history)).filter(isLive)
  if (!live) return
  const [item] = (live.items as { data: { id: string; price: { unit_amount: number } }[] }).data
  if (!item || item.price.unit_amount <= (planById(plan).priceCents ?? 0)) return
  history.isCredited = true
  const changed = await shop.stripe('POST', `subscriptions/${String(live.id)}`, {
    'items[0][id]': item.id,
    'items[0][price]': `price_local_${plan}`,
    proration_behavior: behaviour,
  })
  if (behaviour === 'always_invoice') history.credits.push(String(changed.latest_invoice))
  log.push(`admin, at Stripe: ${plan}, ${behaviour}: ${'error' in changed ? 'refused' : 'done'}`)
}

/** The operator gives goodwill, or takes it back, as a balance that the next invoices use. */
async function creditBalance(history: History): Promise<void> {
  const { shop, random, log } = history
  const cents = random.pick([-1, -40_00, -1_000_00, 20])
  const [live] = (await subscriptions(history)).filter(isLive)
  if (!live) return
  history.isCredited = true
  const { balance } = await shop.stripe('GET', `customers/${String(live.customer)}`)
  await shop.stripe('POST', `customers/${String(live.customer)}`, {
    balance: String(Number(balance) + cents),
  })
  log.push(`the operator adds ${cents} to the balance`)
}

/** A payment is refunded in whole or in part, disputed, or reported as fraud. */
export async function moneyBack(history: History): Promise<void> {
  const { random } = history
  const how = random.pick([
    'refund',
    'partial refund',
    'partial refund',
    'dispute',
    'dispute',
    'fraud-warning',
  ])
  const share = random.pick([random.next(), 1])
  const paid = (await charges(history)).filter(({ refunded }) => !refunded)
  if (paid.length === 0) return
  const charge = random.pick(paid)
  const left = Number(charge.amount) - Number(charge.amount_refunded)
  const amount = Math.min(Math.max(1, Math.floor(share * left)), Math.max(1, left - 1))
  const done = await history.shop.control(how.replace('partial ', ''), {
    payment_intent: charge.payment_intent,
    ...(how === 'partial refund' ? { amount } : {}),
  })
  history.log.push(
    `${how}${how === 'partial refund' ? ` of ${amount}` : ''}${'error' in done ? ' (not now)' : ''}`,
  )
}

/** A dispute is won or lost. */
async function endDispute({ shop, random, log }: History): Promise<void> {
  const end = random.pick(['win', 'lose'] as const)
  const { data } = await shop.stripe('GET', 'disputes', { limit: '100' })
  const open = (data as Row[]).filter(({ status }) => status === 'needs_response')
  if (open.length === 0) return
  await shop.control(`${end}-dispute`, { payment_intent: random.pick(open).payment_intent })
  log.push(`dispute: ${end}`)
}

export const operatorSteps: readonly [number, string, Step][] = [
  [1, 'an invoice is given up', voidInvoice],
  [1, 'the admin moves to a smaller plan', downgradeWithCredit],
  [2, 'the operator credits a balance', creditBalance],
  [2, 'a dispute ends', endDispute],
]
