import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CreateLeadRequest } from '#assistant/domain/contracts.ts'
import { services } from '#platform/server/services.ts'
import { site } from '#site'
import { local } from '../../local/environment.ts'
import { customerInPeriod } from '../support/admin.ts'
import { captureLog } from '../support/log.ts'
import { freshEmail } from '../support/money.ts'
import { planName } from '../support/plan-facts.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const lead = (given: Partial<CreateLeadRequest> = {}): CreateLeadRequest => ({
  id: randomUUID(),
  name: 'Ada Ferrer',
  email: freshEmail(),
  phone: '+1 555 010 4477',
  wish: { kind: 'call-back', when: 'Thursday at 9:40, about a consultation' },
  page: '/pricing',
  ...given,
})
const send = (request: object, headers?: Record<string, string>) =>
  world.post('create-lead', request, headers)
const rows = (id: string) => world.sql('select * from public.leads where id = $1', [id])
const mailsTo = (to: string | null) => world.mails().filter((mail) => mail.to === to)
const mailsAbout = ({ name }: CreateLeadRequest) =>
  mailsTo(local.adminEmail).filter(({ text }) => text.includes(`Name: ${name}\n`))

describe('a request', () => {
  test('is a row, a mail to the operator and one to the visitor', async () => {
    const request = lead({ name: 'Ada of the Harbour' })
    const answer = await send(request)
    expect([answer.status, answer.json]).toEqual([200, { taken: true }])
    const { id, name, email, phone, page } = request
    expect(await rows(id)).toMatchObject([
      {
        kind: 'call-back',
        ...{ name, email, phone, page },
        wish: 'A call back: Thursday at 9:40, about a consultation',
        done_at: null,
      },
    ])
    const [toOperator] = mailsAbout(request)
    expect(toOperator?.subject).toBe('New request: a call back')
    expect(toOperator?.text).toContain(`Email: ${email}\nPhone: +1 555 010 4477\n`)
    expect(toOperator?.text).toContain('Request: A call back: Thursday at 9:40, about a consultation\n')
    expect(toOperator?.links).toEqual([`${world.origin}/pricing`, `${world.origin}/admin/leads`])
    expect(toOperator?.html).toContain(`href="${world.origin}/admin/leads"`)
    const [toVisitor] = mailsTo(email)
    expect(toVisitor?.subject).toBe(`We have received your ${site.name} request`)
    expect(toVisitor?.text).toContain('You asked for a call back.')
    expect(toVisitor?.text).toContain('What happens next: somebody on our team')
    expect(toVisitor?.text).toContain('ignore this email')
    expect(toVisitor?.text).toMatch(
      new RegExp(`\n\nQuestions\\? Reply to this email\\.\n\n${RegExp.escape(site.name)}, .+\n$`),
    )
  })

  test.each([
    [
      { kind: 'call-back', when: 'tomorrow at ten' },
      'A call back: tomorrow at ten',
      'asked for a call back.',
    ],
    [
      { kind: 'enterprise', need: '12 hotels' },
      `${planName('enterprise')}: 12 hotels`,
      `asked for an offer for our ${planName('enterprise')} plan.`,
    ],
  ] as const)('of %o is told in its own words', async (wish, stored, told) => {
    const request = lead({ name: `Ada for ${wish.kind}`, wish })
    expect((await send(request)).status).toBe(200)
    expect(await rows(request.id)).toMatchObject([{ kind: wish.kind, wish: stored }])
    expect(mailsAbout(request)[0]?.text).toContain(`Request: ${stored}\n`)
    expect(mailsTo(request.email)[0]?.text).toContain(told)
  })

  test('for help says to the operator which account is logged in, and how it is; to the sender nothing of it', async () => {
    const person = await customerInPeriod(world)
    const wish = { kind: 'help', about: 'charge', need: 'You charged me twice.' } as const
    const request = lead({ name: 'Ada in need', wish })
    const state =
      /^A charge or an invoice: You charged me twice\. \(logged in as \S+@\S+: growth, active, \d+ of \d+ minutes\)$/
    expect((await send(request, { authorization: `Bearer ${person.token}` })).status).toBe(200)
    expect(await rows(request.id)).toMatchObject([
      { kind: 'help', wish: expect.stringMatching(state) as string },
    ])
    expect(mailsAbout(request)[0]?.subject).toBe('New request: help')
    expect(mailsAbout(request)[0]?.text).toMatch(/Request: .*charged me twice\. \(logged in as/)
    const [toSender] = mailsTo(request.email)
    expect(toSender?.text).toContain('You asked for help.')
    expect(toSender?.text).not.toMatch(/charged|growth/)
  })

  test('for help without an account, or after the session has ended, is taken all the same', async () => {
    for (const headers of [undefined, { authorization: 'Bearer over' }]) {
      const request = lead({
        name: 'Ada locked out',
        wish: { kind: 'help', about: 'login', need: 'I cannot log in.' },
      })
      expect((await send(request, headers)).status).toBe(200)
      expect(await rows(request.id)).toMatchObject([{ wish: 'I cannot log in: I cannot log in.' }])
    }
  })

  test('with a number alone mails the operator only', async () => {
    const request = lead({ name: 'Ada by phone', email: null })
    const before = world.mails().length
    expect((await send(request)).status).toBe(200)
    expect(await rows(request.id)).toMatchObject([{ email: null, phone: '+1 555 010 4477' }])
    expect(mailsAbout(request)).toHaveLength(1)
    expect(world.mails()).toHaveLength(before + 1)
  })

  test('66. An answer is lost, and the browser sends the lead again, twice at once → one lead, one mail each', async () => {
    const request = lead({ name: 'Ada once' })
    const answers = [await send(request), ...(await Promise.all([send(request), send(request)]))]
    expect(answers.map(({ json }) => json)).toEqual(Array(3).fill({ taken: true }))
    expect(await rows(request.id)).toHaveLength(1)
    expect(mailsAbout(request)).toHaveLength(1)
    expect(mailsTo(request.email)).toHaveLength(1)
  })

  test('66. The database does not answer → no lead is reported as taken', async () => {
    const log = captureLog()
    await world.sql('alter table public.leads rename to leads_away')
    const request = lead()
    const answer = await send(request)
    await world.sql('alter table public.leads_away rename to leads')
    expect(answer.status).toBe(500)
    expect(answer.json.error).toMatchObject({ code: 'internal' })
    expect(log.text()).toContain('create_lead')
    expect(log.text()).not.toContain(request.email)
    expect((await send(request)).json).toEqual({ taken: true })
    expect(await rows(request.id)).toHaveLength(1)
  })
})

describe('strangers', () => {
  test('67. A form mails a stranger again and again → one mail a day, and each request is a lead', async () => {
    const email = freshEmail()
    const requests = Array.from({ length: 3 }, (_, nth) => lead({ email, name: `Mallory ${nth}` }))
    await Promise.all(requests.map((request) => send(request)))
    expect(mailsTo(email)).toHaveLength(1)
    for (const request of requests) expect(mailsAbout(request)).toHaveLength(1)
    await world.sql(
      `update public.leads set visitor_mailed_at = visitor_mailed_at - interval '25 hours' where email = $1`,
      [email],
    )
    await send(lead({ email }))
    expect(mailsTo(email), 'on the next day').toHaveLength(2)
  })

  test('67. A form is used to write to a stranger → the mail contains no word of the sender', async () => {
    const words = 'CHEAP PILLS https://pills.example'
    for (const wish of [
      { kind: 'call-back', when: words },
      { kind: 'enterprise', need: words },
    ] as const) {
      const request = lead({ name: words, phone: '900 555 0100', wish, page: '/pills.example' })
      expect((await send(request)).status).toBe(200)
      const [mail] = mailsTo(request.email)
      expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/pills|900/i)
      expect(mail?.links).toEqual([])
    }
  })

  test('67. A flood from one IP address, for one e-mail or for one number → 429, nothing is stored or sent', async () => {
    const address = { 'x-nf-client-connection-ip': '203.0.113.7' }
    const email = freshEmail()
    const phone = '555 010 9999'
    for (const [ask, limit] of [
      [() => send(lead(), address), 10],
      [() => send(lead({ email })), 5],
      [() => send(lead({ email: null, phone })), 5],
    ] as const) {
      for (let nth = 0; nth < limit; nth++) expect((await ask()).status).toBe(200)
      const before = [(await world.sql('select from public.leads')).length, world.mails().length]
      const refused = await ask()
      expect(refused.status).toBe(429)
      expect(refused.json.error).toMatchObject({ code: 'rate_limited' })
      expect([(await world.sql('select from public.leads')).length, world.mails().length]).toEqual(before)
    }
    // An invalid request does not count.
    const another = { 'x-nf-client-connection-ip': '203.0.113.8' }
    for (let nth = 0; nth < 12; nth++) expect((await send({}, another)).status).toBe(400)
    expect((await send(lead(), another)).status).toBe(200)
  })
})

test.each([
  { id: 'one' },
  { name: '' },
  { name: 'x'.repeat(61) },
  { name: 'two\nlines' },
  { email: 'nobody' },
  { email: null, phone: null },
  { phone: '12' },
  { phone: 'call me' },
  { phone: '1'.repeat(20) },
  { wish: { kind: 'gift' } },
  { wish: { kind: 'call-back', when: '' } },
  { wish: { kind: 'enterprise', need: 'x'.repeat(301) } },
  { page: 'https://evil.example' },
  { page: '/\n' },
])('%o is refused, and leaves nothing', async (bad) => {
  const count = async () => [(await world.sql('select from public.leads')).length, world.mails().length]
  const before = await count()
  const answer = await send({ ...lead(), ...bad })
  expect(answer.status).toBe(400)
  expect(answer.json.error).toMatchObject({ code: 'invalid_request' })
  expect(await count()).toEqual(before)
})

test('66. A mail that cannot be sent is logged without the visitor’s data, and sent later', async () => {
  const log = captureLog()
  const key = process.env.MAIL_API_KEY
  services().env.MAIL_API_KEY = 're_wrong'
  const request = lead()
  const answer = await send(request)
  services().env.MAIL_API_KEY = key ?? ''
  expect(answer.json).toEqual({ taken: true })
  expect(await rows(request.id)).toHaveLength(1)
  expect(log.notices()).toMatchObject([{ event: 'lead mails', code: 'mail invalid_api_key' }])
  expect(log.text()).not.toMatch(/hotel\.example|Ada|555/)
  await world.hasten('lead mails')
  await world.work('lead mails')
  expect(mailsTo(request.email)).toHaveLength(1)
})
