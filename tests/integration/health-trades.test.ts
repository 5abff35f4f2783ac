import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import { webhooksWithin } from '#connections/server/deliveries.ts'
import { runJobs } from '#platform/server/jobs.ts'
import { services } from '#platform/server/services.ts'
import bookingCalendar from '../../functions/booking-calendar.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { dayIn, setUpBookings, someSetup } from '../support/bookings.ts'
import { telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, customer, update, numberOf } = telephonyIn(world)

/** A calendar that is written to, and what it was sent. */
async function calendarOf(person: Customer) {
  const written: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'PUT') written.push(body)
      response.writeHead(201).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const port = String((server.address() as AddressInfo).port)
  const login = { p_url: 'https://caldav.example.com/', p_username: 'ada', p_password: 'a password' }
  const { data } = await person.client.rpc('connect_calendar', login).throwOnError()
  await world.sql('update public.webhook_endpoints set url = $2 where id = $1', [
    data as unknown as string,
    `http://127.0.0.1:${port}/`,
  ])
  const reach = {
    isAllowed: (address: string) => address === '127.0.0.1',
    isPort: (at: string) => at === port,
  }
  return async () => {
    await world.hasten('webhooks')
    await runJobs(webhooksWithin(reach), services(), { until: Date.now() + 10_000 })
    return written.join('\n')
  }
}

/** Returns what calendars and mails say after Ada Meyer has booked a check-up, and left a message about a toothache. */
async function saidOutside(trade: string): Promise<Record<string, string>> {
  const person = await customer()
  const caller = `caller-of-${person.id}@example.com`
  const reader = `reader-of-${person.id}@example.com`
  await setUpBookings(person, { ...someSetup, asksForEmail: true })
  const settings = { user_id: person.id, business_name: 'Number 9', industry_template: trade }
  await person.client.from('agent_settings').upsert(settings).throwOnError()
  const summaries = { user_id: person.id, summaries_to: [reader] }
  await person.client.from('call_settings').upsert(summaries).throwOnError()
  await update(person)
  const written = await calendarOf(person)
  const { data: key } = await person.client
    .rpc('create_api_key', { p_kind: 'calendar', p_name: 'Front desk' })
    .throwOnError()

  const { call } = await control<Outcome>('ring', {
    number: await numberOf(person),
    caller: '+12025550101',
  })
  const use = async (name: string, given: object): Promise<ToolAnswer> => {
    const { results } = await control<{ results: { result: string }[] }>('tools', {
      call,
      calls: [{ name, given }],
    })
    return JSON.parse(results[0]!.result) as ToolAnswer
  }
  const { offers } = await use('find_times', { service: 'check-up', date: dayIn(2) })
  await use('book', { offer: offers![0]!.offer, name: 'Ada Meyer', email: caller })
  await use('take_message', { name: 'Ada Meyer', about: 'Toothache', message: 'It hurts since Monday.' })
  const findings = { about: 'Ada Meyer has a toothache', outcome: 'Toothache, booked' }
  await control('hang-up', { call, seconds: 30, findings })
  await world.work('call mails')
  await world.work('booking mails')
  const feed = `${world.origin}/.netlify/functions/booking-calendar?key=${key as unknown as string}`
  const mailTo = (address: string) => {
    const { subject, text } = world.mails().find(({ to }) => to === address)!
    return `${subject}\n${text}`
  }
  return {
    'the calendar that is subscribed to': await (await bookingCalendar(new Request(feed))).text(),
    'the calendar that is written to': await written(),
    'the mail to the caller': mailTo(caller),
    'the mail about the call': mailTo(reader),
  }
}

test('in a health trade calendars and mails say service and first name only', async () => {
  for (const [what, said] of Object.entries(await saidOutside('clinics-wellness'))) {
    expect(said, what).toContain('Check-up')
    expect(said, what).toContain('Ada')
    expect(said, what).not.toMatch(/Meyer|toothache|hurts|555/i)
  }
  const elsewhere = await saidOutside('retail-ecommerce')
  for (const [what, said] of Object.entries(elsewhere)) expect(said, what).toContain('Ada Meyer')
  expect(elsewhere['the mail about the call']).toMatch(/about Toothache: It hurts since Monday\./)
})
