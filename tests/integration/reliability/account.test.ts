import { expect, test } from 'vitest'
import { site } from '#site'
import { eventually } from '../../support/eventually.ts'
import {
  cards,
  chargesOf,
  freshEmail,
  hasAccount,
  isEntitled,
  rowWithStatus,
  subscriptionsOf,
} from '../../support/money.ts'
import { planName, priceText } from '../../support/plan-facts.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const { paying, asksForAuthentication } = cards

const verify = (token: unknown, type: 'signup' | 'recovery' = 'signup') =>
  world.client().auth.verifyOtp({ token_hash: String(token), type })

const mailsTo = (email: string) => world.mails().filter(({ to }) => to === email)
const tokenIn = (links: string[] = []): string => new URL(links[0] ?? '').searchParams.get('token') ?? ''

test('31. Token used without finishing 3-D Secure → an account, no entitlement', async () => {
  const email = freshEmail()
  const { json } = await world.subscribe(email, await world.card(asksForAuthentication))
  const visitor = world.client()
  const used = await visitor.auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
  expect(used.data.session?.user.email).toBe(email)
  const { user_id: id } = await rowWithStatus(world, email, 'incomplete')
  expect(await isEntitled(world, email)).toBe(false)
  const chosen = await visitor.from('agent_settings').insert({ user_id: id, industry_template: 'retail' })
  expect(chosen.error?.code).toBe('42501')
  const uploaded = await visitor.storage
    .from('voice-samples')
    .upload(`${id}/a.mp3`, Buffer.from('ID3'), { contentType: 'audio/mpeg' })
  expect(uploaded.error).not.toBeNull()
  expect(await chargesOf(world, email)).toEqual([])
})

test('32. Token reused, expired, garbage → Invalid Link', async () => {
  const email = freshEmail()
  const { json } = await world.subscribe(email, await world.card(paying))
  expect((await verify(json.token)).error).toBeNull()
  expect((await verify(json.token)).error?.status).toBe(403)
  expect((await verify('garbage')).error?.status).toBe(403)

  const late = freshEmail()
  const unused = await world.subscribe(late, await world.card(paying))
  await world.sql(
    `update auth.users set confirmation_sent_at = now() - interval '25 hours' where email = $1`,
    [late],
  )
  expect((await verify(unused.json.token)).error?.status).toBe(403)
})

test('34. Crash after the charge → the webhook recovers, the link is mailed', async () => {
  const email = freshEmail()
  // The function ends without an answer, and its later writes do not happen.
  const card = await world.card(paying)
  const gone = new Promise<never>(() => undefined)
  world.afterCall('POST payment_intents/', () => gone)
  void world.subscribe(email, card)
  await rowWithStatus(world, email, 'active')
  const mail = await eventually(() => {
    const [found] = mailsTo(email)
    expect(found).toBeDefined()
    return found
  })
  await world.settled()
  const [subscription] = await subscriptionsOf(world, email)
  await world.stripe.subscriptions.update(subscription?.id ?? '', { metadata: { told: 'once more' } })
  await world.settled()
  expect(mailsTo(email), 'once, for all its events').toHaveLength(1)
  expect(mail?.links[0]).toMatch(`${world.origin}/new-password?token=`)

  const visitor = world.client()
  const used = await visitor.auth.verifyOtp({ token_hash: tokenIn(mail?.links), type: 'recovery' })
  expect(used.data.session?.user.email).toBe(email)
  expect((await visitor.auth.updateUser({ password: 'chosen at last' })).error).toBeNull()
  const back = await world.client().auth.signInWithPassword({ email, password: 'chosen at last' })
  expect(back.error).toBeNull()
  expect(await isEntitled(world, email)).toBe(true)
  expect(await subscriptionsOf(world, email)).toHaveLength(1)
  expect(await chargesOf(world, email)).toHaveLength(1)
})

test('the mail names plan, amount, next step and sender, and its link does not invalidate the one in the browser', async () => {
  const email = freshEmail()
  const { json } = await world.subscribe(email, await world.card(paying))
  await rowWithStatus(world, email, 'active')
  await world.settled()
  const [mail, ...others] = mailsTo(email)
  expect(others).toEqual([])
  expect(mail?.text).toContain(
    `your payment for ${site.name}, the ${planName('growth')} plan at ${priceText('growth')} a month`,
  )
  expect(mail?.text).toContain('What to do next: set your password here')
  expect(mail?.text).toMatch(
    new RegExp(`\n\nQuestions\\? Reply to this email\\.\n\n${RegExp.escape(site.name)}, .+\n$`),
  )
  expect((await verify(json.token)).error).toBeNull()
})

test('a lost link is sent again to a customer who has paid, and the answer does not reveal this', async () => {
  const paid = freshEmail()
  await world.subscribe(paid, await world.card(paying))
  await rowWithStatus(world, paid, 'active')
  await world.settled()
  const begun = freshEmail()
  await world.subscribe(begun, await world.card('4000000000000341'))
  const unknown = freshEmail()
  const before = mailsTo(paid).length

  const timed = async (email: string) => {
    const background: Promise<unknown>[] = []
    const start = performance.now()
    const answer = await world.callWith(
      'resend-link',
      { email },
      {
        waitUntil: (work) => void background.push(work),
      },
    )
    const took = performance.now() - start
    await Promise.all(background)
    return { answer, took }
  }
  const answers = [await timed(paid), await timed(begun), await timed(unknown)]
  expect(answers.map(({ answer }) => [answer.status, answer.json])).toEqual(
    answers.map(() => [200, { accepted: true }]),
  )
  for (const { took } of answers) expect(took).toBeGreaterThanOrEqual(590)
  expect(mailsTo(paid)).toHaveLength(before + 1)
  expect(mailsTo(begun)).toEqual([])
  expect(mailsTo(unknown)).toEqual([])
  const [mail] = mailsTo(paid)
  expect((await verify(tokenIn(mail?.links), 'recovery')).error).toBeNull()
})

test('a customer who has paid keeps the account when a later attempt expires, even without events', async () => {
  const email = freshEmail()
  await world.holdWebhooks()
  await world.subscribe(email, await world.card(paying))
  const [paid] = await subscriptionsOf(world, email)
  await world.stripe.subscriptions.cancel(paid?.id ?? '')
  const again = await world.subscribe(email, await world.card(asksForAuthentication))
  expect(again.json.status).toBe('requires_action')
  await world.advanceClock(1)
  await world.sendWebhooks()
  await world.settled()
  expect(await hasAccount(world, email)).toBe(true)
  const [row] = await world.sql(
    `select s.first_paid_at from public.user_subscriptions s join auth.users u on u.id = s.user_id
     where u.email = $1`,
    [email],
  )
  expect(row).toEqual({ first_paid_at: expect.any(String) })
  expect(await isEntitled(world, email)).toBe(false)
})

test('the user of an attempt that expired during another checkout is removed after it', async () => {
  const email = freshEmail()
  await world.subscribe(email, await world.card(asksForAuthentication))
  const lease = (interval: string) =>
    world.sql(`update public.checkouts set lease_expires_at = now() + $2::interval where email = $1`, [
      email,
      interval,
    ])
  await lease('1 hour')
  await world.advanceClock(1)
  await world.settled()
  await rowWithStatus(world, email, 'incomplete_expired')
  await world.work('reconciliation')
  const users = () => world.sql('select id from auth.users where email = $1', [email])
  expect(await users()).toHaveLength(1)
  await lease('-1 second')
  await world.work('reconciliation')
  expect(await users()).toEqual([])
})

test('a blocked customer stays blocked when an unpaid attempt expires, and after a new purchase', async () => {
  const email = freshEmail()
  await world.subscribe(email, await world.card(asksForAuthentication))
  await rowWithStatus(world, email, 'incomplete')
  await world.sql(
    `update public.user_subscriptions set admin_status = 'blocked'
     where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  await world.advanceClock(1)
  await world.settled()
  await world.work('reconciliation')
  expect((await world.subscribe(email, await world.card(paying))).json.status).toBe('active')
  await world.settled()
  expect(await isEntitled(world, email)).toBe(false)
})
