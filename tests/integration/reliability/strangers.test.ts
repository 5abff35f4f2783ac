import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { customersOf, freshEmail, rowWithStatus, subscriptionsOf } from '../../support/money.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const paying = '4242424242424242'
const otherPaying = '5555555555554444'
const declinedAtCharge = '4000000000000341'
const asksForAuthentication = '4000002500003155'

/** Returns the cards that are attached to the e-mail's customer, and its default card. */
async function cardsOf(email: string) {
  const [customer] = await customersOf(world, email)
  if (!customer) throw new Error('The e-mail has no customer')
  const { data } = await world.stripe.customers.listPaymentMethods(customer.id)
  return {
    numbers: data.map(({ card }) => card?.last4),
    ids: data.map(({ id }) => id),
    preferred: customer.invoice_settings.default_payment_method,
  }
}

/** Expects that the e-mail's customer has one card: the default, which renewals charge. */
const expectOneCard = (email: string, last4: string) =>
  eventually(async () => {
    const { numbers, ids, preferred } = await cardsOf(email)
    expect(numbers).toEqual([last4])
    expect(preferred).toBe(ids[0])
    const live = (await subscriptionsOf(world, email)).filter(({ status }) => status === 'active')
    expect(live.map(({ default_payment_method: card }) => card)).toEqual(ids)
  })

describe('cards', () => {
  test('61. A declined card is left on no customer, and the card that pays is the only one', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(declinedAtCharge))
    expect((await cardsOf(email)).numbers).toEqual([])
    expect((await world.subscribe(email, await world.card(otherPaying))).json.status).toBe('active')
    await expectOneCard(email, '4444')
  })

  test('61. Nor is a card whose 3-D Secure was abandoned, for the same plan or another', async () => {
    for (const planId of ['growth', 'pro']) {
      const email = freshEmail()
      await world.subscribe(email, await world.card(asksForAuthentication))
      await rowWithStatus(world, email, 'incomplete')
      expect((await cardsOf(email)).numbers).toEqual([])
      await world.sql(`update public.checkouts set updated_at = now() - interval '1 hour' where email = $1`, [
        email,
      ])
      expect((await world.subscribe(email, await world.card(paying), planId)).json.status).toBe('active')
      await expectOneCard(email, '4242')
    }
  })

  test('61. The card of a payer whose subscription has ended goes before another card pays', async () => {
    const email = freshEmail()
    await world.subscribe(email, await world.card(paying))
    const { stripe_subscription_id: first } = await rowWithStatus(world, email, 'active')
    await world.stripe.subscriptions.cancel(first)
    await rowWithStatus(world, email, 'canceled')
    expect((await world.subscribe(email, await world.card(otherPaying))).json.status).toBe('active')
    await rowWithStatus(world, email, 'active')
    await expectOneCard(email, '4444')
  })
})
