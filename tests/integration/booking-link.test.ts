import { expect, test } from 'vitest'
import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import bookingLink from '../../functions/booking-link.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { dayIn, setUpBookings, someSetup } from '../support/bookings.ts'
import { telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, customer, update, numberOf } = telephonyIn(world)

/** Has a caller book with an address, and returns what is mailed, and what the link in the mail opens. */
async function bookedByPhone(service = 'check-up') {
  const person = await customer()
  await setUpBookings(person, { ...someSetup, asksForEmail: true })
  await update(person)
  const email = `caller-of-${person.id}@example.com`
  const { call } = await control<Outcome>('ring', { number: await numberOf(person), caller: '+12025550101' })
  const use = async (name: string, given: object): Promise<ToolAnswer> => {
    const { results } = await control<{ results: { result: string }[] }>('tools', {
      call,
      calls: [{ name, given }],
    })
    return JSON.parse(results[0]!.result) as ToolAnswer
  }
  const { offers } = await use('find_times', { service, date: dayIn(2) })
  await use('book', { offer: offers![0]!.offer, name: 'Ada <b>Meyer', email })
  const mails = async (to = email) => {
    await world.work('booking mails')
    return world.mails().filter((mail) => mail.to === to)
  }
  const [mail] = await mails()
  const url = mail!.links.find((link) => link.includes('/b/'))!
  return { person, mail: mail!, mails, url }
}
const rowOf = async ({ id }: Customer) => {
  const [row] = await world.sql<{ id: string; state: string; day: string; waits: boolean }>(
    `select id, state, to_char(starts_at at time zone 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') as day,
       untold_since is not null as waits
     from public.bookings where user_id = $1`,
    [id],
  )
  return row!
}
async function open(url: string, form?: Record<string, string>) {
  const answer = await bookingLink(
    new Request(url, form && { method: 'POST', body: new URLSearchParams(form) }),
  )
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

test('a caller whose address is known gets a link, moves the booking by it, and cancels it; its owner is told', async () => {
  const { person, mail, mails, url } = await bookedByPhone()
  expect(mail.subject).toMatch(/^Booked: Check-up, \w+, \w+ \d+ at 9:00.AM$/)
  const shown = await open(url)
  expect(shown.status).toBe(200)
  expect(shown.body).toContain('for Ada &#60;b&#62;Meyer')
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(shown.body).toContain('<meta name="robots" content="noindex" />')

  const times = await open(url, { action: 'times', day: dayIn(3) })
  const offers = [...times.body.matchAll(/name="offer" value="([^"]+)"/g)].map(([, id]) => id!)
  expect(offers).toHaveLength(3)
  expect((await open(url, { offer: offers[1]! })).status).toBe(303)
  expect((await open(url, { offer: offers[1]! })).status, 'pressed twice').toBe(303)
  expect(await rowOf(person)).toMatchObject({ state: 'booked', day: `${dayIn(3)} 10:00` })
  expect((await mails())[0]!.subject).toMatch(/^Booked: Check-up, .+ 10:00.AM$/)

  for (const press of ['once', 'twice'])
    expect((await open(url, { action: 'cancel' })).status, press).toBe(303)
  expect(await rowOf(person)).toMatchObject({ state: 'cancelled' })
  expect((await open(url)).body).toContain('Cancelled, ')
  expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual([
    'Cancelled',
    'Booked',
    'Booked',
  ])
  const [{ email: owner }] = (await world.sql<{ email: string }>(
    'select email from auth.users where id = $1',
    [person.id],
  )) as [{ email: string }]
  const told = await mails(owner)
  expect(told[0]).toMatchObject({
    subject: expect.stringMatching(/^Cancelled: Check-up/),
    text: expect.stringContaining('A caller has changed a booking'),
  })
})

test('a GET changes nothing, and a link that is not whole, or of a booking that is over, opens nothing', async () => {
  const { person, url } = await bookedByPhone()
  for (const query of ['?action=cancel', '?offer=1', '?ics']) await open(`${url}${query}`)
  expect(await rowOf(person)).toMatchObject({ state: 'booked' })
  expect((await open(`${url}?ics`)).body).toContain('BEGIN:VEVENT')
  expect((await open(`${url}/`)).status, 'with a slash, as Netlify takes it, too').toBe(200)
  for (const wrong of [`${url}0`, url.slice(0, -1), `${world.origin}/b/`, `${world.origin}/b/${person.id}`])
    expect((await open(wrong, { action: 'cancel' })).status, wrong).toBe(404)
  expect((await open(url, { offer: 'of nobody' })).body).toContain('This time is not free any more.')
  expect((await open(url, { action: 'times', day: '2020-01-01' })).body).toContain('Choose another one.')
  expect((await open(url, { action: 'times', day: '2026-99-99' })).body).toContain('Choose a day.')
  expect((await open(url, {})).body).toContain('Choose a day.')
  expect((await open(url, { offer: '\0' })).body).toContain('Choose a day.')
  expect(await rowOf(person)).toMatchObject({ state: 'booked' })
  await world.sql(
    `update public.bookings set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where user_id = $1`,
    [person.id],
  )
  expect((await open(url, { action: 'cancel' })).status).toBe(404)
  expect(await rowOf(person)).toMatchObject({ state: 'booked' })
})

test('after the subscription the link still shows the booking, and cancels it', async () => {
  const { person, url } = await bookedByPhone()
  await world.sql(`update public.user_subscriptions set billing_status = 'canceled' where user_id = $1`, [
    person.id,
  ])
  expect((await open(url)).body).toContain('Booked, ')
  expect((await open(url, { action: 'cancel' })).status).toBe(303)
  expect(await rowOf(person)).toMatchObject({ state: 'cancelled' })
})

test('what its owner has declined is not cancelled by the link', async () => {
  const { person, url } = await bookedByPhone('surgery')
  await person.client
    .rpc('decide_booking', { p_booking: (await rowOf(person)).id, p_confirms: false })
    .throwOnError()
  await open(url, { action: 'cancel' })
  expect(await rowOf(person)).toMatchObject({ state: 'declined' })
})

test('a request is confirmed by mail, and nobody has to ring', async () => {
  const { person, mail, mails } = await bookedByPhone('surgery')
  expect(mail.subject).toMatch(/^Not confirmed: Surgery/)
  await person.client
    .rpc('decide_booking', { p_booking: (await rowOf(person)).id, p_confirms: true })
    .throwOnError()
  expect(await rowOf(person)).toMatchObject({ state: 'booked', waits: true })
  expect((await mails())[0]!.subject).toMatch(/^Booked: Surgery/)
  expect(await rowOf(person)).toMatchObject({ state: 'booked', waits: false })
})

test('a time that the owner proposes is booked once the caller accepts it', async () => {
  const { person, mails, url } = await bookedByPhone('surgery')
  await open(url, { action: 'accept' })
  expect(await rowOf(person), 'nothing is proposed').toMatchObject({ state: 'requested' })
  await world.sql(
    `update public.bookings set proposed_at = now(), untold_since = now(), starts_at = starts_at + interval '1 hour',
       ends_at = ends_at + interval '1 hour' where user_id = $1`,
    [person.id],
  )
  const [mail] = await mails()
  expect(mail!.subject).toMatch(/^Another time: Surgery, .+ 10:00.AM$/)
  expect((await open(url)).body).toContain('proposes this time')
  for (const press of ['once', 'twice'])
    expect((await open(url, { action: 'accept' })).status, press).toBe(303)
  expect(await rowOf(person)).toMatchObject({ state: 'booked', waits: false })
})
