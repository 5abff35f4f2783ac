import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import { dayIn, setUpBookings } from '../support/bookings.ts'
import { telephonyIn } from '../support/telephony.ts'
import { startWorld } from '../support/world.ts'
import { columns, measure, rowsOf } from './measure.ts'
import type { Table } from './table.ts'

const size = { accounts: 20_000, bookings: 1_000_000 }
/** The number of calls, each of which finds times and books one. */
const rings = 100
/** The 95th percentile of a tool has to stay below this, in milliseconds. */
const limit = 300

/**
 * Measures the tools by which an agent finds times and books, in a real PostgreSQL with a million bookings. The stand-in's own time
 * is counted too.
 */
export async function* benchBookings(): AsyncGenerator<Table> {
  const { error, info, warn } = console
  console.error = console.info = console.warn = () => undefined
  process.env.TEST_DATABASE = 'postgres'
  const world = await startWorld()
  try {
    const { control, customer, update, numberOf } = telephonyIn(world)
    const person = await customer()
    await setUpBookings(person)
    await update(person)
    const number = await numberOf(person)
    // Past the triggers, which would write jobs and webhooks.
    await world.sql(`
      do $$ begin
        set local session_replication_role = replica;
        insert into auth.users (id, aud, role, email)
        select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'authenticated', 'authenticated',
          'account-' || n || '@example.com'
        from generate_series(1, ${size.accounts}) n;
        insert into public.bookings (user_id, origin, starts_at, ends_at, name, phone_number)
        select ('00000000-0000-4000-9000-' || lpad((1 + n % ${size.accounts})::text, 12, '0'))::uuid, 'call',
          now() + n / ${size.accounts} * interval '1 day', now() + n / ${size.accounts} * interval '1 day' + interval '1 hour',
          'A guest', '+4930' || n
        from generate_series(1, ${size.bookings}) n;
        insert into private.occupancy (booking_id, user_id, unit, during)
        select b.id, b.user_id, b.user_id, tstzrange(b.starts_at, b.ends_at) from public.bookings b;
      end $$`)
    await world.sql('analyze')
    const calls: string[] = []
    for (let nth = 0; nth < rings; nth += 1) {
      const { call } = await control<{ call: string }>('ring', { number, caller: `+1202555${1000 + nth}` })
      calls.push(call)
      await control('hang-up', { call, seconds: 1, report: false })
    }
    const use = async (call: string, name: string, given: object): Promise<ToolAnswer> => {
      const { results } = await control<{ results: { result: string }[] }>('tools', {
        call,
        calls: [{ name, given }],
      })
      return JSON.parse(results[0]!.result) as ToolAnswer
    }
    const found = new Map<string, string>()
    const finding = calls.map((call, nth) => async () => {
      const { offers } = await use(call, 'find_times', { service: 'Check-up', date: dayIn(1 + nth) })
      found.set(call, offers![0]!.offer)
    })
    const booking = calls.map((call) => async () => {
      const { say } = await use(call, 'book', { offer: found.get(call), name: 'Ada' })
      if (!say.startsWith('Booked')) throw new Error(say)
    })
    const lines = [await measure('find_times', 1, finding), await measure('book', 1, booking)]
    yield {
      title: `Tools of a call with a million bookings, ${rings} calls, ms`,
      columns,
      rows: rowsOf(lines),
      missed: lines
        .filter(({ p95 }) => p95 > limit)
        .map(({ name, p95 }) => `${name}: p95 is ${p95.toFixed(0)} ms, not ${limit}`),
    }
  } finally {
    await world.close()
    Object.assign(console, { error, info, warn })
  }
}
