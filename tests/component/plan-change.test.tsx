import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { PlanChange } from '#billing/ui/plan-change/PlanChange.tsx'
import type { Subscription } from '#billing/domain/subscription.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { wholePrice } from '#plans/domain/plans.ts'
import { centsOf, minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { growth } from '../support/subscription.ts'

const name = planName('growth')
const [today, included] = [priceText('growth'), grouped(minutesOf('growth'))]
const [cents, minutes] = [centsOf('growth') + 100_00, minutesOf('growth') + 150]
const [before, more] = [wholePrice(cents), grouped(minutes)]
/** A customer of a price that is no longer sold. */
const older = {
  ...growth,
  price_cents: cents,
  plan_minutes: minutes,
  next_price_cents: cents,
  next_minutes: minutes,
}

/** The change of the plan of a customer without agents. */
const Change = ({ subscription }: { subscription: Subscription }) => (
  <PlanChange subscription={subscription} goingOn={() => null} switchDialog={() => null} />
)

let asked: unknown[]
beforeEach(() => {
  asked = []
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.endsWith('/change-next-plan')) return new Response('{}', { status: 404 })
    asked.push(await request.json())
    return Response.json({ plan: 'growth', from: growth.current_period_end })
  })
})
afterEach(() => void vi.restoreAllMocks())

test('198. An older, dearer price can be changed for today’s at the period’s end, and kept', async () => {
  const shown = await render(<Change subscription={older} />)
  await expect
    .element(shown.getByText(`${name} is sold at ${today} a month today, with ${included} minutes.`))
    .toBeVisible()
  await shown.getByRole('button', { name: `Switch to ${today} a month` }).click()
  const dialog = shown.getByRole('alertdialog')
  expect(dialog.element().textContent).toContain(
    `You keep ${before} a month with ${more} minutes until 1 December 2026.`,
  )
  await dialog.getByRole('button', { name: `Switch to ${today} a month` }).click()
  await expect.poll(() => asked).toEqual([{ plan: 'growth' }])

  await shown.rerender(
    <Change
      subscription={{ ...older, next_price_cents: growth.price_cents, next_minutes: growth.plan_minutes }}
    />,
  )
  await expect
    .element(
      shown.getByText(
        `${name} at ${before} a month until 1 December 2026, then at ${today} a month, with ${included} minutes.`,
        { exact: true },
      ),
    )
    .toBeVisible()
  await expect
    .element(shown.getByRole('button', { name: `Switch to ${today} a month` }))
    .not.toBeInTheDocument()
  await shown.getByRole('button', { name: `Keep ${before} a month` }).click()
  await expect.poll(() => asked).toEqual([{ plan: 'growth' }, { plan: null }])
})

test('who pays today’s price, or a lower one, is offered no other price of the plan', async () => {
  const shown = await render(<Change subscription={growth} />)
  await expect.element(shown.getByRole('button', { name: `Switch to ${planName('starter')}` })).toBeVisible()
  const lower = centsOf('growth') - 100_00
  await shown.rerender(<Change subscription={{ ...older, price_cents: lower, next_price_cents: lower }} />)
  await expect.element(shown.getByRole('button', { name: `Upgrade to ${planName('pro')}` })).toBeVisible()
  await expect.element(shown.getByRole('button', { name: /a month/ })).not.toBeInTheDocument()
})
