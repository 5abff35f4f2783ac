import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { PlanChange } from '#portal/ui/PlanChange.tsx'
import { growth } from '../support/subscription.ts'

/** A customer of a price that is no longer sold. */
const older = {
  ...growth,
  price_cents: 600_00,
  plan_minutes: 900,
  next_price_cents: 600_00,
  next_minutes: 900,
}

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
  const shown = await render(<PlanChange userId="a1" subscription={older} />)
  await expect
    .element(shown.getByText('Growth is sold at $500 a month today, with 750 minutes.'))
    .toBeVisible()
  await shown.getByRole('button', { name: 'Switch to $500 a month' }).click()
  const dialog = shown.getByRole('alertdialog')
  expect(dialog.element().textContent).toContain(
    'You keep $600 a month with 900 minutes until 1 December 2026.',
  )
  await dialog.getByRole('button', { name: 'Switch to $500 a month' }).click()
  await expect.poll(() => asked).toEqual([{ plan: 'growth' }])

  await shown.rerender(
    <PlanChange userId="a1" subscription={{ ...older, next_price_cents: 500_00, next_minutes: 750 }} />,
  )
  await expect
    .element(shown.getByText(/^Growth at \$600 a month until .*, then at \$500 a month, with 750 minutes\.$/))
    .toBeVisible()
  await expect.element(shown.getByRole('button', { name: 'Switch to $500 a month' })).not.toBeInTheDocument()
  await shown.getByRole('button', { name: 'Keep $600 a month' }).click()
  await expect.poll(() => asked).toEqual([{ plan: 'growth' }, { plan: null }])
})

test('who pays today’s price, or a lower one, is offered no other price of the plan', async () => {
  const shown = await render(<PlanChange userId="a1" subscription={growth} />)
  await expect.element(shown.getByRole('button', { name: 'Switch to Starter' })).toBeVisible()
  await shown.rerender(
    <PlanChange userId="a1" subscription={{ ...older, price_cents: 400_00, next_price_cents: 400_00 }} />,
  )
  await expect.element(shown.getByRole('button', { name: 'Upgrade to Pro' })).toBeVisible()
  await expect.element(shown.getByRole('button', { name: /a month/ })).not.toBeInTheDocument()
})
