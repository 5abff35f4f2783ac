import { expect, onTestFinished, test } from 'vitest'
import { readNow } from '#bookings/server/own-calendars.ts'
import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import { services } from '#platform/server/services.ts'
import bookingCalendar from '../../functions/booking-calendar.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { dayIn, setUpBookings, someSetup } from '../support/bookings.ts'
import { calendarServers } from '../support/calendar-server.ts'
import { connect, deliver, newCalendar, reachOf } from '../support/own-calendar.ts'
import { telephonyIn } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, customer, update, numberOf } = telephonyIn(world)

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
  const { data: key } = await person.client
    .rpc('create_api_key', { p_kind: 'calendar', p_name: 'Front desk' })
    .throwOnError()
  const server = await calendarServers['a small server']!()
  onTestFinished(server.close)
  const calendar = await newCalendar(server, 'Front desk')
  await connect(world, person, calendar)
  await readNow(person.id, services().supabase, reachOf(server))

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
  await deliver(world, reachOf(server))
  const feed = `${world.origin}/.netlify/functions/booking-calendar?key=${key as unknown as string}`
  const mailTo = (address: string) => {
    const { subject, text } = world.mails().find(({ to }) => to === address)!
    return `${subject}\n${text}`
  }
  return {
    'the calendar that is subscribed to': await (await bookingCalendar(new Request(feed))).text(),
    'the calendar that is written': (await calendar.events()).join('\n'),
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
