import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import type { MinutesState } from '#billing/domain/minutes/packages.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { Minutes } from '#billing/ui/minutes/Minutes.tsx'
import { useLimitPolicy } from '#telephony/ui/useLimitPolicy.tsx'
import { noCallSettings, type CallSettings } from '#telephony/domain/call-settings.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { minutePackage, priceAmount } from '#plans/domain/plans.ts'
import { centsOf, minutesOf, planName } from '../support/plan-facts.ts'
import { growth } from '../support/subscription.ts'

const { cents } = minutePackage
/** What the server holds: the section reads it, and writes the policy and the cap. */
let settings: CallSettings
let minutes: MinutesState
let account = 0

const answers: [path: string, method: string, answer: (sent: Record<string, unknown>) => unknown][] = [
  [
    '/rpc/my_minutes',
    'POST',
    () => {
      const { most_cents, spent_cents } = minutes
      return { ...minutes, at_limit: { ...minutes.at_limit, most_cents, spent_cents } }
    },
  ],
  ['/call_settings', 'GET', () => [settings]],
  ['/call_settings', 'POST', (sent) => void Object.assign(settings, sent)],
  [
    '/user_subscriptions',
    'PATCH',
    ({ spend_cap_cents: cap }) => void Object.assign(minutes, { cap_cents: cap, most_cents: cap }),
  ],
]

beforeEach(() => {
  account++
  settings = { ...noCallSettings, limit_policy: 'answer' }
  minutes = {
    period_start: '2026-11-01T12:00:00Z',
    cap_cents: null,
    most_cents: 500_00,
    ceiling_cents: 1500_00,
    spent_cents: 0,
    waiting_cents: 0,
    next_invoice_cents: 0,
    under_way: 0,
    used_before: [],
    in_use: { voice: false, lines: 1, languages: 1 },
    at_limit: { policy: 'answer', has_person: true, is_billed: true, most_cents: 500_00, spent_cents: 0 },
  }
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    const found = answers.find(([path, method]) => pathname.endsWith(path) && request.method === method)
    if (!found) return new Response('{}', { status: 404 })
    const text = await request.text()
    return Response.json(found[2](text ? (JSON.parse(text) as Record<string, unknown>) : {}) ?? null)
  })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-11T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const Section = ({ subscription, userId }: { subscription: Subscription; userId: string }) => (
  <Minutes subscription={subscription} userId={userId} policy={useLimitPolicy(userId)} />
)
const open = (more: Partial<Subscription>) =>
  render(<Section subscription={{ ...growth, ...more }} userId={`a${account}`} />)

test('says when the minutes run out at the pace so far, or nothing if they last', async () => {
  const fast = await open({ minutes_limit: 750, minutes_used: 500 })
  await expect
    .element(
      fast.getByText(
        '500 of 750 minutes are used in this period. At this pace they run out on 16 November 2026.',
      ),
    )
    .toBeVisible()
  await fast.unmount()
  const slow = await open({ minutes_limit: 750, minutes_used: 100 })
  await expect.element(slow.getByText('100 of 750 minutes are used in this period.')).toBeVisible()
  await expect.element(slow.getByLabelText(/^Spending limit for packages/)).toBeVisible()
  expect(slow.container.textContent).not.toContain('run out')
})

test('used-up minutes leave the choice in one press: messages, a higher cap, a package or a plan', async () => {
  Object.assign(minutes, { cap_cents: cents, most_cents: cents, spent_cents: cents })
  const screen = await open({ minutes_used: growth.minutes_limit + 10 })
  const press = (name: string) => screen.getByRole('button', { name, exact: true }).click()
  await expect.element(screen.getByRole('heading', { name: 'Your minutes are used up' })).toBeVisible()
  await expect
    .element(
      screen.getByText(
        `Your agent takes messages now: another package would exceed the ${priceAmount(cents)} that packages may cost in this period.`,
      ),
    )
    .toBeVisible()
  await expect
    .element(
      screen.getByRole('button', { name: `Add ${minutePackage.minutes} minutes for ${priceAmount(cents)}` }),
    )
    .toBeVisible()
  await expect.element(screen.getByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', '#plans')

  await press(`Raise the spending limit to ${priceAmount(2 * cents)}`)
  await expect
    .element(screen.getByRole('status'))
    .toHaveTextContent(`The spending limit is ${priceAmount(2 * cents)} now.`)
  expect(minutes.cap_cents).toBe(2 * cents)
  await expect
    .element(
      screen.getByText(
        `Your agent goes on answering, with packages of ${minutePackage.minutes} minutes at ${priceAmount(cents)} each, up to ${priceAmount(2 * cents)} in this period.`,
      ),
    )
    .toBeVisible()
  expect(screen.getByRole('button', { name: /^Raise the spending limit/ }).elements()).toEqual([])

  await press('Take messages')
  await expect.element(screen.getByText('Your agent takes messages now.')).toBeVisible()
  await vi.waitFor(() => expect(settings.limit_policy).toBe('message'))
  expect(screen.getByRole('button', { name: 'Take messages' }).elements()).toEqual([])
})

test('names the plan that would have been cheaper, with the arithmetic', async () => {
  const included = minutesOf('starter')
  const [own, other] = [centsOf('growth'), centsOf('starter')]
  minutes.used_before = [included - 50, included + 10, included - 60]
  const sum = (...costs: number[]) =>
    `${costs.map(priceAmount).join(' + ')} = ${priceAmount(costs.reduce((total, each) => total + each, 0))}`
  const screen = await open({ minutes_used: 10 })
  await expect
    .element(
      screen.getByText(
        `${planName('starter')} would have saved you ${priceAmount(3 * own - 3 * other - cents)} over the last three periods, in which you used ${minutes.used_before.map(grouped).join(', ')} minutes.`,
      ),
    )
    .toBeVisible()
  await expect.element(screen.getByText(sum(own, own, own))).toBeVisible()
  await expect.element(screen.getByText(sum(other, other + cents, other))).toBeVisible()
})
