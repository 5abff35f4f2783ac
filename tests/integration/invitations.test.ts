import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import type { Mail } from '../../local/mail/mailbox.ts'
import { testWebhook, webhooksWithin } from '#connections/server/deliveries.ts'
import { runJobs } from '#platform/server/jobs.ts'
import { services } from '#platform/server/services.ts'
import { site } from '#site'
import { customerInPeriod, type Customer } from '../support/admin.ts'
import { madeBooking } from '../support/bookings.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

const customer = (): Promise<Customer> =>
  customerInPeriod(world, { minutes_limit: 100, current_period_end: '2126-12-01T10:00:00Z' })

async function inviteMe({ client }: Customer): Promise<string> {
  return (await client.rpc('invite_me').throwOnError()).data as unknown as string
}

/** Sends what waits, and returns the customer's invitations, the latest first. */
async function invitations({ email }: Customer) {
  await world.hasten('webhooks')
  await world.work('webhooks')
  return world
    .mails()
    .filter((mail) => mail.to === email && mail.attachments)
    .map(read)
}

/** Reads an invitation as a calendar does: the method stands in the mail, too, and there is one event. */
function read({ subject, text, attachments }: Mail) {
  const [{ type, content } = { type: '', content: '' }] = attachments ?? []
  const calendar = new ICAL.Component(ICAL.parse(content) as unknown[])
  const method = String(calendar.getFirstPropertyValue('method'))
  expect(type).toBe(`text/calendar; charset=utf-8; method=${method}`)
  const [component, ...others] = calendar.getAllSubcomponents('vevent')
  expect(others).toEqual([])
  const event = new ICAL.Event(component)
  return {
    subject,
    text,
    method,
    uid: event.uid,
    sequence: event.sequence,
    status: component!.getFirstPropertyValue('status'),
    starts: event.startDate.toJSDate().toISOString(),
    summary: event.summary,
    description: event.description,
    organizer: event.organizer,
    attendees: event.attendees.map((attendee) => attendee.getFirstValue()),
  }
}

test('each booking comes as an invitation, which moves and is cancelled with it', async () => {
  const person = await customer()
  const endpoint = await inviteMe(person)
  expect(await inviteMe(person), 'once').toBe(endpoint)
  const at = '2126-12-24T19:30:00Z'
  const booked = await madeBooking(world, person, 'booked', { at, name: 'Ada; Ferrer' })
  await madeBooking(world, person, 'requested')
  const [made, ...others] = await invitations(person)
  expect(others).toEqual([])
  expect(made).toMatchObject({
    subject: expect.stringMatching(/^Booked: Check-up, Ada; Ferrer, /),
    text: expect.stringContaining(`${world.origin}/portal/bookings`),
    method: 'REQUEST',
    uid: booked,
    status: 'CONFIRMED',
    starts: '2126-12-24T19:30:00.000Z',
    summary: 'Ada; Ferrer: Check-up',
    description: 'Phone: +12025550101',
    organizer: `mailto:${site.email}`,
    attendees: [expect.stringMatching(new RegExp(`^mailto:${person.email}$`, 'i'))],
  })

  await world.sql(
    `update public.bookings set starts_at = $2, ends_at = $3, created_at = created_at - interval '1 minute' where id = $1`,
    [booked, '2126-12-27T08:00:00Z', '2126-12-27T09:30:00Z'],
  )
  const [moved] = await invitations(person)
  expect(moved).toMatchObject({ method: 'REQUEST', uid: booked, starts: '2126-12-27T08:00:00.000Z' })
  expect(moved!.sequence).toBeGreaterThan(made!.sequence)

  await person.client.rpc('cancel_my_booking', { p_booking: booked }).throwOnError()
  const [cancelled, ...all] = await invitations(person)
  expect(cancelled).toMatchObject({ method: 'CANCEL', uid: booked, status: 'CANCELLED' })
  expect(all).toHaveLength(2)
})

test('an invitation of a health trade says service and first name only', async () => {
  const person = await customer()
  await person.client
    .from('agent_settings')
    .upsert({ user_id: person.id, industry_template: 'clinics-wellness' })
    .throwOnError()
  await inviteMe(person)
  await madeBooking(world, person, 'booked')
  const [made] = await invitations(person)
  expect(made?.summary).toBe('Ada: Check-up')
  expect(JSON.stringify(made)).not.toMatch(/Ferrer|\+1202/)
})

test('what could not be mailed is mailed later, once, and not if it was cancelled meanwhile', async () => {
  const person = await customer()
  const endpoint = await inviteMe(person)
  const [kept, dropped] = [
    await madeBooking(world, person, 'booked'),
    await madeBooking(world, person, 'booked', { days: 3 }),
  ]
  const refused = { ...services(), env: { ...services().env, MAIL_API_KEY: 'changed' } }
  await runJobs(webhooksWithin(), refused, { until: Date.now() + 10_000 })
  const tries = 'select tries, status, problem from public.webhook_deliveries where endpoint_id = $1'
  const failed = { tries: 1, status: null, problem: 'unreachable' }
  expect(await world.sql(tries, [endpoint])).toEqual([failed, failed])
  await person.client.rpc('cancel_my_booking', { p_booking: dropped }).throwOnError()
  const sent = await invitations(person)
  expect(sent.map(({ method, uid }) => [method, uid])).toEqual(
    expect.arrayContaining([
      ['REQUEST', kept],
      ['CANCEL', dropped],
    ]),
  )
  expect(sent).toHaveLength(2)
  expect(await invitations(person)).toHaveLength(2)
})

test('only the own address that was confirmed is invited, and a test is sent to it', async () => {
  const person = await customer()
  const endpoint = await inviteMe(person)
  const { data } = await person.client.auth.getSession()
  const headers = { authorization: `Bearer ${data.session?.access_token}` }
  const request = new Request(world.origin, { headers })
  expect(await testWebhook({ endpoint }, services(), { request })).toEqual({
    ok: true,
    value: { status: 200, problem: null },
  })
  expect(await invitations(person)).toMatchObject([{ method: 'REQUEST', summary: `Test from ${site.name}` }])

  const stranger = await customer()
  await world.sql('update auth.users set email_confirmed_at = null where id = $1', [stranger.id])
  expect(await inviteMe(stranger)).toBeNull()
  expect((await world.client().rpc('invite_me')).error?.code).toBe('42501')
})
