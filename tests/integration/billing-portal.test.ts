import { expect, test } from 'vitest'
import { signedIn } from '../support/admin.ts'
import { freshEmail, rowWithStatus } from '../support/money.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const name = 'create-billing-portal-session'
const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` })

test('a customer: the URL of their portal, which leads back to billing', async () => {
  const email = freshEmail()
  const { json } = await world.subscribe(email, await world.card('4242424242424242'))
  const { data } = await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
  await rowWithStatus(world, email, 'active')
  await world.countCallsToStripe()
  const answer = await world.post(name, {}, bearer(data.session?.access_token))
  expect(answer.status).toBe(200)
  expect(world.callsToStripe()).toEqual(['POST billing_portal/sessions'])
  const page = await fetch(String(answer.json.url))
  expect(page.status).toBe(200)
  expect(await page.text()).toContain(`${world.origin}/portal/billing`)
})

test('a user without a subscription: 404', async () => {
  const { token } = await signedIn(world)
  const answer = await world.post(name, {}, bearer(token))
  expect(answer.status).toBe(404)
  expect(answer.json.error).toMatchObject({ code: 'no_subscription' })
})

test.each([
  ['no token', {}],
  ['garbage', bearer('garbage')],
  ['the secret of another scheme', { authorization: 'Basic YTpi' }],
])('%s: 401, and Stripe is not asked', async (_name, headers) => {
  await world.countCallsToStripe()
  const answer = await world.post(name, {}, headers as Record<string, string>)
  expect(answer.status).toBe(401)
  expect(answer.json.error).toMatchObject({ code: 'unauthorized' })
  expect(world.callsToStripe()).toEqual([])
})
