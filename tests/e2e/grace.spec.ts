import { local, mounts } from '../../local/environment.ts'
import { axeViolations } from '../support/axe.ts'
import { answerChallenge, expect, openSignedIn, test } from './fixtures.ts'
import { centsOf, planName } from '../support/plan-facts.ts'
import { currency, exactPrice } from '#plans/domain/plans.ts'

const now = Date.parse('2026-11-23T12:00:00Z')

test('a renewal that is owed: the portal says until when the agent answers, and Pay now clears it', async ({
  page,
  customer,
  request,
  secret,
}) => {
  const owner = await customer({ onboarded: true })
  const authorization = `Bearer ${local.stripeSecretKey}`
  const stripe = async <Answer>(path: string, form: Record<string, string>): Promise<Answer> => {
    const answer = await request.post(`${mounts.stripe}/v1/${path}`, { headers: { authorization }, form })
    expect(answer.status(), await answer.text()).toBe(200)
    return answer.json() as Promise<Answer>
  }
  const { data } = await secret
    .from('user_subscriptions')
    .update({
      billing_status: 'payment_failed',
      stripe_status: 'past_due',
      past_due_since: '2026-11-22T12:00:00Z',
      next_attempt_at: '2026-11-25T12:00:00Z',
    })
    .eq('user_id', owner.id)
    .select('stripe_customer_id')
    .single()
    .throwOnError()
  const id = String(data.stripe_customer_id)
  // What is owed is an invoice that the bank wants confirmed.
  const card = await stripe<{ id: string }>('payment_methods/pm_card_authenticationRequired/attach', {
    customer: id,
  })
  await stripe(`customers/${id}`, { 'invoice_settings[default_payment_method]': card.id })
  await stripe('invoiceitems', {
    customer: id,
    amount: String(centsOf('growth')),
    currency: currency.toLowerCase(),
    description: planName('growth'),
  })
  const draft = await stripe<{ id: string }>('invoices', {
    customer: id,
    pending_invoice_items_behavior: 'include',
  })
  await stripe(`invoices/${draft.id}/finalize`, { auto_advance: 'false' })

  await page.clock.setFixedTime(now)
  await openSignedIn(page, owner)
  const notice = page.getByRole('alert').filter({ hasText: 'Your last payment failed' })
  const words =
    'Your renewal has not been paid since 22 November 2026. We try your card again on 25 November 2026. Your agent answers until 29 November 2026, with a day’s share of your minutes for each day, and then stops until you have paid.'
  await expect(notice).toContainText(words)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Go to billing' }).click()
  await expect(
    page.getByRole('heading', { name: `${exactPrice(centsOf('growth'))} is to be paid` }),
  ).toBeVisible()
  await expect(page.getByText(words)).toBeVisible()
  await expect(notice, 'the billing tab says it once').toHaveCount(0)

  await page.clock.setFixedTime(Date.parse('2026-11-30T12:00:00Z'))
  await page.reload()
  await expect(page.getByText('Your agent stopped on 29 November 2026')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Pay now' }).click()
  await answerChallenge(page, 'Complete')
  await expect(page.getByRole('heading', { name: 'Thank you, your invoice is paid' })).toBeVisible()
})
