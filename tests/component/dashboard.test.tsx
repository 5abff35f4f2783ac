import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import type { ListedCall } from '#calls/domain/calls.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import { DashboardTab } from '#portal/ui/DashboardTab.tsx'
import { Notices } from '#portal/ui/Notices.tsx'
import { agentWords } from '#agent/domain/agent-state.ts'
import { $myAgent } from '#telephony/browser/my-agent.ts'
import type { MyAgent } from '#telephony/domain/agents/my-agent.ts'
import type { CallsState } from '#calls/browser/calls-store.ts'
import { grouped } from '#platform/domain/text/numbers.ts'
import { planById, wholePrice } from '#plans/domain/plans.ts'
import { centsOf, minutesOf, planName, priceText } from '../support/plan-facts.ts'
import { growth } from '../support/subscription.ts'

const stay = (event: { preventDefault: () => void }) => event.preventDefault()
/** What a customer bought, whatever the plan has today. */
const of750: Partial<Subscription> = { minutes_limit: 750, plan_minutes: 750, next_minutes: 750 }
const noCalls: CallsState = {
  overview: null,
  asOf: Date.parse('2026-11-18T04:48:00Z'),
  list: { search: '', calls: [], total: 0, status: 'ready' },
}
const actions = {
  find: vi.fn(),
  more: vi.fn(),
  retry: vi.fn(),
  recordingUrl: vi.fn(),
  formatNumber: () => Promise.resolve((number: string) => number),
  mark: vi.fn(),
  unmark: vi.fn(),
  block: () => null,
}
const dashboard = (more: Partial<Subscription> = {}, calls: CallsState = noCalls) =>
  render(
    <DashboardTab subscription={{ ...growth, ...more }} calls={calls} actions={actions} openBilling={stay} />,
  )
const call = (id: number, more: Partial<ListedCall> = {}): ListedCall => ({
  id: String(id),
  kind: 'call',
  direction: 'inbound',
  phone_number: '(207) 555-0142',
  started_at: '2026-11-18T14:06:00Z',
  seconds: 192,
  about: `Booking ${id}`,
  outcome: 'Rebooked',
  sentiment: 'positive',
  succeeded: true,
  limited_by: null,
  transcript: null,
  minutes: 4,
  is_marked: false,
  is_blanked: false,
  recording: null,
  ...more,
})
const listed = (calls: ListedCall[], more: Partial<CallsState['list']> = {}): CallsState => ({
  ...noCalls,
  list: { search: '', calls, total: calls.length, status: 'ready', ...more },
})
const overview = {
  period_start: '2026-11-01T00:00:00Z',
  period_end: '2026-12-01T00:00:00Z',
  calls: 137,
  judged: 136,
  succeeded: 129,
  days: [{ day: '2026-11-17', minutes: 21 }],
}
const notices = (more: Partial<Subscription>, { welcome = false, onBilling = false } = {}) =>
  render(
    <Notices
      subscription={{ ...growth, ...more }}
      welcome={welcome}
      onBilling={onBilling}
      onWelcomeRead={() => undefined}
      openBilling={stay}
    />,
  )

test('shows plan, price, renewal, status and minutes', async () => {
  const screen = await dashboard()
  const minutes = grouped(minutesOf('growth'))
  await expect
    .element(screen.getByRole('heading', { level: 1, name: `${minutes} minutes left`, exact: true }))
    .toBeVisible()
  await expect.element(screen.getByRole('heading', { name: planName('growth') })).toBeVisible()
  await expect.element(screen.getByText('Active', { exact: true })).toBeVisible()
  const facts = [...screen.container.querySelectorAll('dl div')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  )
  expect(facts).toEqual([
    ['Price', `${priceText('growth')} a month`],
    ['Phone lines', planById('growth').lines.words],
    ['Languages', planById('growth').languages.words],
    ['Renews', '1 December 2026'],
  ])
  await expect.element(screen.getByText(`0 of ${minutes} minutes`)).toBeVisible()
  await expect.element(screen.getByRole('heading', { name: 'No calls yet' })).toBeVisible()
})

test('a customer of an older price reads that price and its minutes, not the catalogue’s', async () => {
  const minutes = minutesOf('growth') - 150
  const cents = centsOf('growth') - 100_00
  const older = { price_cents: cents, plan_minutes: minutes, minutes_limit: minutes }
  const screen = await dashboard({ ...older, next_price_cents: cents, next_minutes: minutes })
  await expect
    .element(screen.getByRole('heading', { level: 1, name: `${grouped(minutes)} minutes left`, exact: true }))
    .toBeVisible()
  await expect.element(screen.getByText(`${wholePrice(cents)} a month`)).toBeVisible()
  expect(screen.container.textContent).not.toContain(priceText('growth'))
  expect(screen.container.textContent).not.toContain(grouped(minutesOf('growth')))
})

test.each([
  ['blocked', 'Blocked'],
  ['canceled', 'Canceled'],
])(
  'a customer who is %s reads that no calls are taken, and nothing of minutes left',
  async (status, label) => {
    const screen = await dashboard({ status, minutes_used: 60 }, { ...noCalls, overview })
    await expect
      .element(screen.getByRole('heading', { level: 1, name: 'Your agent is not taking calls' }))
      .toBeVisible()
    await expect.element(screen.getByText(label, { exact: true })).toBeVisible()
    expect(screen.container.textContent).not.toMatch(/minutes? left|minutes will last/)
  },
)

test('a failed payment is named in words, and its minutes are still there', async () => {
  const screen = await dashboard({ ...of750, status: 'payment_failed' })
  await expect.element(screen.getByText('Payment failed', { exact: true })).toBeVisible()
  await expect.element(screen.getByRole('heading', { level: 1, name: '750 minutes left' })).toBeVisible()
})

test.each([
  [412, '412 of 750 minutes', '54', '338 minutes left'],
  [435, '435 of 750 minutes', '58', '315 minutes left'],
  [749, '749 of 750 minutes', '99', '1 minute left'],
  [1200, '1,200 of 750 minutes', '100', '0 minutes left'],
])('%d minutes used', async (minutes_used, reading, percent, left) => {
  const screen = await dashboard({ ...of750, minutes_used })
  const bar = screen.getByRole('progressbar', { name: 'Minutes used' })
  await expect.element(bar).toHaveAttribute('aria-valuenow', percent)
  await expect.element(bar).toHaveAttribute('aria-valuetext', reading)
  await expect.element(screen.getByRole('heading', { level: 1, name: left })).toBeVisible()
  const filled = Number(screen.container.querySelector('rect:nth-of-type(2)')?.getAttribute('width'))
  expect(filled).toBeCloseTo(Math.min(750, minutes_used))
})

test('the chart of the period shows days, pace and success rate', async () => {
  const screen = await dashboard({ ...of750, minutes_used: 600 }, { ...noCalls, overview })
  await expect.element(screen.getByText('Dashed line: 430 by today, at even use')).toBeVisible()
  await expect
    .element(screen.getByText('At this pace, your minutes will last until 22 November 2026.'))
    .toBeVisible()
  await expect.element(screen.getByText('94%')).toBeVisible()
  await expect
    .element(screen.getByText('129 of 136 calls this period ended without a person stepping in.'))
    .toBeVisible()
  await screen.getByText('Show as a table').click()
  await expect.element(screen.getByRole('row', { name: '17 November 2026 21' })).toBeVisible()
})

test('says if the minutes last, and if no call was rated', async () => {
  const screen = await dashboard(
    { ...of750, minutes_used: 60 },
    { ...noCalls, overview: { ...overview, judged: 0 } },
  )
  await expect
    .element(screen.getByText('At this pace, your minutes will last until the end of the period.'))
    .toBeVisible()
  await expect.element(screen.getByText('We do not know yet how this period’s calls ended.')).toBeVisible()
})

test('lists the last calls with their known values', async () => {
  const screen = await dashboard(
    {},
    listed([
      call(1),
      call(2, { direction: 'outbound', sentiment: 'negative', seconds: 0 }),
      call(3, { phone_number: null, about: null, sentiment: null, outcome: null }),
      call(4, { kind: 'spam', minutes: 0 }),
    ]),
  )
  const row = (name: string | RegExp) => screen.getByRole('row', { name })
  await expect.element(row(/\(207\) 555-0142 Booking 1 Rebooked 3:12 Positive/)).toBeVisible()
  await expect.element(row(/To \(207\) 555-0142 Booking 2 Rebooked 0:00 Negative/)).toBeVisible()
  await expect.element(row(/Number withheld No summary/)).toBeVisible()
  await expect.element(row(/Booking 4 Spam, not counted/)).toBeVisible()
})

test('the transcript opens below its call, and closes', async () => {
  const screen = await dashboard(
    {},
    listed([call(1, { transcript: 'Agent: Good day.\nCaller: <b>Hello</b>' })]),
  )
  const about = screen.getByRole('button', { name: 'Booking 1' })
  await expect.element(about).toHaveAttribute('aria-expanded', 'false')
  await about.click()
  const said = screen.getByRole('list', { name: 'What was said: Booking 1' })
  await expect.element(said.getByText('<b>Hello</b>')).toBeVisible()
  await about.click()
  await expect.element(said).not.toBeInTheDocument()
})

test('shows six calls first; on request all, with a search', async () => {
  const calls = Array.from({ length: 20 }, (_, index) => call(index))
  const screen = await dashboard({}, listed(calls, { total: 137 }))
  await expect.element(screen.getByRole('heading', { name: 'Last calls' })).toBeVisible()
  expect(screen.getByRole('row').elements()).toHaveLength(7)
  await screen.getByRole('button', { name: 'All 137 calls' }).click()
  await expect.element(screen.getByLabelText('Search your calls')).toHaveFocus()
  expect(screen.getByRole('row').elements()).toHaveLength(21)
  await expect.element(screen.getByText('20 of 137 calls')).toBeVisible()
  await screen.getByRole('button', { name: 'Show more' }).click()
  expect(actions.more).toHaveBeenCalledOnce()
  await screen.getByLabelText('Search your calls').fill('booking')
  await expect.poll(() => actions.find.mock.lastCall).toEqual(['booking'])
})

test('a search without a result says what to do; a failed request can be repeated', async () => {
  const none = await dashboard({}, listed([], { search: 'zebra' }))
  await expect
    .element(none.getByText('No call matches. Try fewer words, or part of a phone number.'))
    .toBeVisible()
  await expect.element(none.getByLabelText('Search your calls')).toHaveValue('zebra')
  await none.unmount()
  const failed = await dashboard({}, { ...noCalls, list: { ...noCalls.list, calls: null, status: 'failed' } })
  await expect
    .element(failed.getByRole('alert'))
    .toHaveTextContent('We could not load your calls. Check your connection and try again.')
  await failed.getByRole('button', { name: 'Try again' }).click()
  expect(actions.retry).toHaveBeenCalledOnce()
})

test.each([
  ['active', true],
  ['trialing', true],
  ['payment_failed', true],
  ['blocked', false],
  ['incomplete', false],
  ['canceled', false],
  ['paused', false],
])('%s renews: %s', async (status, isRenewed) => {
  const screen = await dashboard({ status })
  await expect.element(screen.getByRole('heading', { name: planName('growth') })).toBeVisible()
  expect(screen.getByText('Renews').elements()).toHaveLength(isRenewed ? 1 : 0)
  expect(screen.getByText('1 December 2026').elements()).toHaveLength(isRenewed ? 1 : 0)
})

test('says when the plan ends after a cancellation', async () => {
  const screen = await dashboard({ cancel_at: '2026-11-20T12:00:00+00:00' })
  await expect.element(screen.getByText('Ends', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('20 November 2026')).toBeVisible()
  expect(screen.getByText('Renews').elements()).toHaveLength(0)
})

test.each([
  [
    '2026-11-23',
    'We try your card again on 25 November 2026. Your agent answers until 29 November 2026, with a day’s share of your minutes for each day, and then stops until you have paid.',
  ],
  ['2026-11-30', 'Your agent stopped on 29 November 2026, and answers again as soon as you have paid.'],
])('a renewal that is owed says on %s since when, and until when the agent answers', async (day, words) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${day}T12:00:00Z`) })
  const screen = await notices({
    status: 'payment_failed',
    past_due_since: '2026-11-22T12:00:00Z',
    next_attempt_at: '2026-11-25T12:00:00Z',
    grace_ends: '2026-11-29T12:00:00Z',
  })
  vi.useRealTimers()
  const notice = screen.getByRole('alert')
  const said = `Your renewal has not been paid since 22 November 2026. ${words}`
  await expect.element(notice.getByText(said)).toBeVisible()
})

test('a failed payment leads to billing, a block to contact, an unfinished set-up to onboarding', async () => {
  const failed = await notices({ status: 'payment_failed' })
  await expect
    .element(failed.getByRole('link', { name: 'Go to billing' }))
    .toHaveAttribute('href', '/portal/billing')
  await failed.unmount()
  const blocked = await notices({ status: 'blocked' })
  await expect
    .element(blocked.getByRole('link', { name: 'Contact us' }))
    .toHaveAttribute('href', '/contact?about=blocked#help')
  await blocked.unmount()
  const unfinished = await notices({ onboarding_completed: false })
  await expect.element(unfinished.getByRole('heading', { name: 'Finish your setup' })).toBeVisible()
  await expect.element(unfinished.getByRole('link')).toHaveAttribute('href', '/onboarding')
})

test.each([
  [599, null],
  [600, '80% of your minutes are used'],
  [749, '99% of your minutes are used'],
  [750, 'Your included minutes are used up'],
  [900, 'Your included minutes are used up'],
])('%d of 750 minutes used: %s', async (minutes_used, heading) => {
  const screen = await notices({ ...of750, minutes_used })
  if (heading === null) return expect(screen.container.textContent).toBe('')
  await expect.element(screen.getByRole('heading', { name: heading })).toBeVisible()
  await expect.element(screen.getByText('The period ends on 1 December 2026.')).toBeVisible()
})

test('the billing tab, which has the minutes itself, repeats no notice about them', async () => {
  const screen = await notices({ ...of750, minutes_used: 750 }, { onBilling: true })
  expect(screen.container.textContent).toBe('')
})

test('shows no notice if all is well, and a welcome after onboarding', async () => {
  const quiet = await notices({})
  expect(quiet.container.textContent).toBe('')
  await quiet.unmount()
  const welcomed = await notices({}, { welcome: true })
  const status = welcomed.getByRole('status')
  await expect.element(status.getByRole('heading', { name: /^Welcome/ })).toBeVisible()
})

test('the welcome says of the agent what the dashboard says', async () => {
  const agent: MyAgent = {
    state: 'setting_up',
    numbers: [],
    has_taught: false,
    has_tested: false,
    has_called: false,
    agents: [],
    room: { agents: 0, lines: 0 },
  }
  const welcome = await notices({}, { welcome: true })
  for (const state of ['setting_up', 'waiting', 'live'] as const) {
    $myAgent.set({ ...agent, state })
    const { title, next } = agentWords({ state, status: 'active', hasTaught: false })
    await expect.element(welcome.getByText(`${title}. ${next}`)).toBeVisible()
  }
  $myAgent.set(null)
})

test('a customer who is blocked is told that, and nothing about minutes or the setup', async () => {
  const screen = await notices({
    ...of750,
    minutes_used: 750,
    status: 'blocked',
    onboarding_completed: false,
  })
  await expect.element(screen.getByRole('heading', { name: 'Your account is blocked' })).toBeVisible()
  expect(screen.getByRole('heading').elements()).toHaveLength(1)
})
