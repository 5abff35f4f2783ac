import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { local } from '../../../local/environment.ts'
import type { CrashPoint } from '../../simulator/crash.ts'
import { brokenInTheEnd, brokenNow } from '../../simulator/invariants.ts'
import { Random } from '../../simulator/random.ts'
import { openShop, type Shop } from '../../simulator/shop.ts'
import { simulate } from '../../simulator/simulate.ts'
import { charges, collect, newHistory, subscriptions, wait, type History } from '../../simulator/history.ts'
import { drain } from '../../simulator/steps.ts'
import { captureLog } from '../../support/log.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const historyOf = (name: string): History =>
  newHistory(shop, `${name.replace(/\W+/g, '-')}@example.com`, new Random(1))

async function buy({ email, tokens }: History, crash?: CrashPoint): Promise<number | undefined> {
  const card = { 'card[number]': '4242424242424242', 'card[exp_month]': '12', 'card[exp_year]': '2049' }
  const method = await shop.stripe(
    'POST',
    'payment_methods',
    { type: 'card', ...card, 'card[cvc]': '123' },
    local.stripePublishableKey,
  )
  const body = { email, planId: 'growth', paymentMethodId: String(method.id) }
  const answer = await shop.invoke('create-stripe-subscription', body, { crash })
  if (answer?.json.token) tokens.push(String(answer.json.token))
  return answer?.status
}

describe('41. kill -9 during checkout, at any step, then restart → nothing is lost, nothing is charged twice', () => {
  // Limiter, lock, customer and link, subscription, record, confirm, end of the lock.
  const points = Array.from({ length: 8 }, (_, index) => index + 1).flatMap((request) =>
    (['before', 'after'] as const).map((when): CrashPoint => ({ request, when })),
  )
  test.each(points)('41. $when request $request', async (crash) => {
    const log = captureLog()
    await shop.empty()
    const history = historyOf(`killed ${crash.when} ${crash.request}`)
    expect(await buy(history, crash), 'the function is gone').toBeUndefined()
    await collect(history)
    expect(await brokenNow(history)).toEqual([])
    await wait(history, 3_600)
    expect(await buy(history), log.text()).toBe(200)
    await drain(history)
    expect(await charges(history)).toHaveLength(1)
    expect(await subscriptions(history)).toHaveLength(1)
    expect(await brokenInTheEnd(history)).toEqual([])
    expect(log.text()).not.toContain(history.email)
  })
})

test('random purchase histories keep all invariants', { timeout: 240_000 }, async () => {
  captureLog()
  const { violations } = await simulate({ histories: 12, seed: 20_261_121 })
  expect(violations).toEqual([])
})
