import { afterAll, beforeAll, expect, test } from 'vitest'
import { exactPrice } from '#plans/domain/plans.ts'
import { centsOf, planName } from '../support/plan-facts.ts'
import { purchase, startBench, type Bench, type Purchase } from '../support/stripe-stand-in.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.close())

async function openPortal({ customer }: Purchase): Promise<string> {
  const session = await bench.stripe.billingPortal.sessions.create({
    customer,
    return_url: 'https://deskbell.test/portal/billing',
  })
  expect(session.url.startsWith(`${bench.url}/portal/`)).toBe(true)
  return session.url
}
const read = async (url: string) => (await fetch(url)).text()
const submit = (url: string, fields: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
const subscriptionOf = ({ subscription }: Purchase) => bench.stripe.subscriptions.retrieve(subscription.id)

test('shows the plan, the next charge, the card and the invoices, and leads back', async () => {
  const bought = await purchase(bench)
  const answer = await fetch(await openPortal(bought))
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  const page = await answer.text()
  for (const shown of [
    planName('growth'),
    exactPrice(centsOf('growth')),
    'Visa •••• 4242',
    'Paid',
    'a@example.com',
  ]) {
    expect(page).toContain(shown)
  }
  expect(page).toContain('href="https://deskbell.test/portal/billing"')
  expect(page).not.toMatch(/ style=|<script/)
})

test('cancels the plan at the end of the period, and revokes this', async () => {
  const bought = await purchase(bench)
  const url = await openPortal(bought)
  expect(await (await submit(`${url}/cancel`)).text()).toContain('Keep the plan')
  const ending = await subscriptionOf(bought)
  expect(ending).toMatchObject({
    cancel_at: ending.items.data[0]?.current_period_end,
    cancel_at_period_end: false,
  })
  expect(await (await submit(`${url}/resume`)).text()).toContain('Cancel at the end of the period')
  expect((await subscriptionOf(bought)).cancel_at).toBeNull()
})

test('a new card is the customer’s default, and pays nothing by itself', async () => {
  const bought = await purchase(bench)
  await bench.control('fail-renewal', { customer: bought.customer })
  await bench.control('clock', { advanceSeconds: 32 * 86_400 })
  expect((await subscriptionOf(bought)).status).toBe('past_due')
  const url = await openPortal(bought)
  expect(await read(url)).toContain('The last payment failed')

  const refused = await submit(`${url}/card`, { number: '4000000000000002', exp: '12 / 34', cvc: '123' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Your card was declined.')
  expect((await subscriptionOf(bought)).status).toBe('past_due')

  const taken = await submit(`${url}/card`, { number: '5555 5555 5555 4444', exp: '12/34', cvc: '123' })
  expect(await taken.text()).toContain('Mastercard •••• 4444')
  const customer = await bench.stripe.customers.retrieve(bought.customer, {
    expand: ['invoice_settings.default_payment_method'],
  })
  expect(customer).toMatchObject({
    invoice_settings: { default_payment_method: { card: { last4: '4444' } } },
  })
  expect((await subscriptionOf(bought)).status).toBe('past_due')
})

test('a link that is unknown or an hour old is 404', async () => {
  const url = await openPortal(await purchase(bench))
  await bench.control('clock', { advanceSeconds: 3700 })
  for (const gone of [url, `${bench.url}/portal/bps_none`]) {
    const answer = await fetch(gone)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('This link has expired')
  }
})
