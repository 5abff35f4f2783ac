import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runCalls } from '../simulator/calls.ts'
import { setUpBookings, someSetup, unitIds } from '../support/bookings.ts'
import { customerInPeriod } from '../support/admin.ts'
import { openDatabase } from '../support/postgres.ts'
import { sharedServer } from '../support/supabase.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

test('40 random calls, 8 at once → nothing is booked twice, all that was said is so, and all that is booked was said', async () => {
  const { broken, bookings, moved } = await runCalls(world, { seed: 7, count: 40, atOnce: 8 })
  expect(broken).toEqual([])
  expect(bookings).toBeGreaterThan(10)
  expect(moved).toBeGreaterThan(0)
})

test('16 sessions try 200 times to book one slot → one has it', async () => {
  const owner = await customerInPeriod(world)
  await setUpBookings(owner)
  const [{ version }] = (await world.sql<{ version: string }>(
    'select private.booking_version($1) as version',
    [owner.id],
  )) as [{ version: string }]
  const [starts_at, ends_at] = ['2027-01-11T08:00:00Z', '2027-01-11T09:00:00Z']
  const calls = Array.from({ length: 200 }, () => randomUUID())
  const { id: bookable, service: about } = someSetup.bookables[0]!
  for (const call of calls) {
    const time = {
      id: call,
      starts_at,
      ends_at,
      taken_from: starts_at,
      taken_until: ends_at,
      units: [unitIds.ada],
    }
    const p = { user_id: owner.id, call, bookable, about, people: 1, version, times: [time] }
    await world.admin().rpc('write_offers', { p }).throwOnError()
  }
  const [{ name }] = (await world.sql('select current_database() as name')) as [{ name: string }]
  const { connect, close } = openDatabase(Number(process.env[sharedServer]), name)
  const sql = connect('supabase_admin', 16)
  const of = { user_id: owner.id, caller: '+12025550101', name: 'Ada', email: null, is_trial: false }
  const outcomes = await Promise.all(
    calls.map(async (call) => {
      const p = { ...of, call, offer: call }
      const [row] = await sql<
        { outcome: string }[]
      >`select public.book_offer(${sql.json(p)}) ->> 'outcome' as outcome`
      return row!.outcome
    }),
  )
  await close()
  expect(outcomes.toSorted()).toEqual(['booked', ...Array<string>(199).fill('taken')])
})
