import { storageKey } from '#site'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { missingRetryMs } from '#billing/domain/subscription.ts'
import { openBrowserPage, storedSession } from '../../../../tests/support/browser-page.ts'
import { growth } from '../../../../tests/support/subscription.ts'

const row = { ...growth, current_period_end: null }
let rows: unknown[] = []
vi.resetModules()
const page = openBrowserPage(() => Response.json(rows))
page.localStorage.setItem(storageKey('auth'), JSON.stringify(storedSession('a1')))
const { $subscription } = await import('./subscription-store.ts')
/** Counts the requests for the subscription. */
const requests = () => page.requests.filter(({ url }) => url.includes('/subscription_overview')).length
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeAll(() => void vi.useFakeTimers())
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the wait for a subscription grows from four seconds to a minute', () => {
  const waits = [0, 1, 2, 3, 4, 5, 50].map(missingRetryMs)
  expect(waits).toEqual([4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

test('a missing subscription is read less and less often, never by a hidden page, until it is there', async () => {
  const stop = $subscription.listen(() => undefined)
  await pass(0)
  expect($subscription.get()).toEqual({ status: 'missing' })
  expect(requests()).toBe(1)
  await pass(3_999)
  expect(requests()).toBe(1)
  await pass(1)
  expect(requests()).toBe(2)
  await pass(7_999)
  expect(requests()).toBe(2)
  await pass(1)
  expect(requests()).toBe(3)

  page.show('hidden')
  await pass(10 * 60_000)
  expect(requests()).toBe(3)
  page.show('visible')
  await pass(0)
  expect(requests()).toBe(4)

  rows = [row]
  await pass(32_000)
  expect($subscription.get()).toEqual({ status: 'ready', subscription: row, fromServer: true })
  expect(requests()).toBe(5)
  await pass(10 * 60_000)
  expect(requests()).toBe(5)
  stop()
})
