import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { cards, chargesOf, freshEmail, rowWithStatus } from '../support/money.ts'
import { centsOf } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

interface Customer {
  email: string
  headers: { authorization: string }
}

async function customer(): Promise<Customer> {
  const email = freshEmail()
  const { json } = await world.subscribe(email, await world.card(cards.paying))
  const { data } = await world.client().auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
  await rowWithStatus(world, email, 'active')
  await world.settled()
  return { email, headers: { authorization: `Bearer ${data.session?.access_token}` } }
}

/** Replaces the card in the provider's portal, and returns where the portal leads then. */
async function replaceCard({ headers }: Customer, number: string): Promise<string | null> {
  const { json } = await world.post('create-billing-portal-session', { page: 'card' }, headers)
  const body = new URLSearchParams({ number, exp: '12 / 40', cvc: '123' })
  const taken = await fetch(`${String(json.url)}/card`, { method: 'POST', body, redirect: 'manual' })
  return taken.headers.get('location')
}

interface Shown {
  id: string
  number: string
  status: string
  total: number
  owed: number
  pdf: string
  next_attempt: string | null
  lines: { amount: number }[]
}

interface Listed {
  invoices: Shown[]
  more: boolean
  unpaid: Shown[]
  card: { last4: string } | null
}

async function invoicesOf({ headers }: Customer, after?: string) {
  const { json } = await world.post('list-invoices', after === undefined ? {} : { after }, headers)
  return json as unknown as Listed
}

const pay = ({ headers }: Customer, invoice: string) => world.post('pay-invoice', { invoice }, headers)

/** A customer whose renewal was declined, because the card that the portal took has no money. */
async function owing(): Promise<{ owner: Customer; owed: Shown }> {
  const owner = await customer()
  expect(await replaceCard(owner, cards.declinedAtCharge)).toBe(`${world.origin}/portal/billing?pay`)
  await world.advanceClock(32)
  await rowWithStatus(world, owner.email, 'payment_failed')
  const [owed] = (await invoicesOf(owner)).invoices
  if (!owed) throw new Error('There is no invoice')
  return { owner, owed }
}

test('104. The card that is chosen in the portal is the one that is charged, then pays what is owed', async () => {
  const { owner, owed } = await owing()
  expect(owed).toMatchObject({ status: 'open', total: centsOf('growth'), owed: centsOf('growth') })
  expect(Date.parse(owed.next_attempt ?? '')).toBeGreaterThan(Date.now())
  expect((await invoicesOf(owner)).card).toMatchObject({ last4: '0341' })
  const declined = await pay(owner, owed.id)
  expect([declined.status, declined.json]).toMatchObject([402, { error: { code: 'card_declined' } }])

  await replaceCard(owner, cards.otherPaying)
  await world.settled()
  expect(await chargesOf(world, owner.email)).toHaveLength(1)
  await world.countCallsToStripe()
  expect((await pay(owner, owed.id)).json).toEqual({ status: 'paid', clientSecret: null })
  expect(world.callsToStripe()).toEqual([`GET invoices/${owed.id}`, `POST invoices/${owed.id}/pay`])
  await rowWithStatus(world, owner.email, 'active')
  const [last] = await chargesOf(world, owner.email)
  const method = await world.stripe.paymentMethods.retrieve(String(last?.payment_method))
  expect(method.card?.last4).toBe('4444')
})

test('105. Pay now pressed twice, or after it was paid → one charge', async () => {
  const { owner, owed } = await owing()
  await replaceCard(owner, cards.paying)
  const answers = await Promise.all([pay(owner, owed.id), pay(owner, owed.id)])
  expect(answers.map(({ json }) => json.status)).toEqual(['paid', 'paid'])
  expect((await pay(owner, owed.id)).json.status).toBe('paid')
  expect(await chargesOf(world, owner.email)).toHaveLength(2)
  // Whether the two meet is chance; with one key they may.
  const sent = (await world.requests()).filter(({ path }) => path === `/v1/invoices/${owed.id}/pay`)
  expect([...new Set(sent.map(({ idempotencyKey }) => idempotencyKey))]).toEqual([
    expect.stringMatching(/^pay:[0-9a-f]{40}$/),
  ])
})

test('105. A bank that asks for a confirmation → the browser gets the secret to continue, as often as it fails', async () => {
  const { owner, owed } = await owing()
  await replaceCard(owner, cards.asksForAuthentication)
  const { json } = await pay(owner, owed.id)
  expect(json).toEqual({ status: 'requires_action', clientSecret: expect.stringContaining('_secret_') })
  for (let again = 0; again < 2; again++) {
    await world.authenticate(String(json.clientSecret), 'fail')
    expect((await pay(owner, owed.id)).json).toEqual(json)
  }
  await world.authenticate(String(json.clientSecret), 'complete')
  await rowWithStatus(world, owner.email, 'active')
  expect(await chargesOf(world, owner.email)).toHaveLength(2)
})

test('nobody pays or reads the invoice of somebody else', async () => {
  const { owner, owed } = await owing()
  await replaceCard(owner, cards.paying)
  const stranger = await customer()
  expect((await pay(stranger, owed.id)).status).toBe(404)
  expect((await pay(stranger, 'in_unknown')).status).toBe(404)
  expect((await invoicesOf(stranger)).invoices.map(({ id }) => id)).not.toContain(owed.id)
  expect((await world.post('pay-invoice', { invoice: owed.id })).status).toBe(401)
  expect((await world.post('list-invoices', {})).status).toBe(401)
  expect(await chargesOf(world, owner.email)).toHaveLength(1)
})

test('an invoice comes with its number, its lines and the provider’s PDF', async () => {
  const owner = await customer()
  await eventually(async () => {
    const [first] = (await invoicesOf(owner)).invoices
    expect(first).toMatchObject({ status: 'paid', total: centsOf('growth'), owed: 0, next_attempt: null })
    expect(first?.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(first?.total)
    const pdf = await fetch(first?.pdf ?? '')
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(await pdf.text()).toMatch(/^%PDF-/)
  })
})

test('176. What is owed is older than a hundred invoices → all are listed page by page, and it can be paid', async () => {
  const { owner, owed } = await owing()
  await replaceCard(owner, cards.paying)
  await world.settled()
  const all = await invoicesOf(owner)
  expect([all.more, all.unpaid.map(({ id }) => id)]).toEqual([false, [owed.id]])
  const known = await world.stripe.invoices.retrieve(owed.id)
  const made = await Promise.all(
    Array.from({ length: 230 }, () => world.stripe.invoices.create({ customer: String(known.customer) })),
  )

  const first = await invoicesOf(owner)
  const second = await invoicesOf(owner, first.invoices.at(-1)?.id)
  const third = await invoicesOf(owner, second.invoices.at(-1)?.id)
  const pages = [first, second, third]
  expect(pages.map(({ invoices, more }) => [invoices.length, more])).toEqual([
    [100, true],
    [100, true],
    [30 + all.invoices.length, false],
  ])
  const listed = pages.flatMap(({ invoices }) => invoices.map(({ id }) => id))
  expect(listed.toSorted()).toEqual([...made, ...all.invoices].map(({ id }) => id).toSorted())
  expect(third.invoices.map(({ id }) => id)).toContain(owed.id)
  for (const { unpaid, card } of pages)
    expect([unpaid, card?.last4]).toMatchObject([[{ id: owed.id, owed: owed.owed, status: 'open' }], '4242'])

  // The first page of somebody else does not begin after a foreign invoice.
  const stranger = await customer()
  expect((await world.post('list-invoices', { after: owed.id }, stranger.headers)).status).toBe(502)
  expect((await world.post('list-invoices', { after: 'x' }, stranger.headers)).status).toBe(400)
  expect((await pay(owner, owed.id)).json).toEqual({ status: 'paid', clientSecret: null })
  await world.settled()
  expect((await invoicesOf(owner)).unpaid).toEqual([])
})
