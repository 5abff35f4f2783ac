import type { ToolAnswer } from '#bookings/server/run-booking-tool.ts'
import { localOf } from '#bookings/domain/booking-words.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { dayIn, setUpBookings, timeZone } from '../support/bookings.ts'
import { telephonyIn, type Customer } from '../support/telephony.ts'
import type { World } from '../support/world.ts'
import { Random } from './random.ts'

/** What a caller was told last about a booking. */
interface Promised {
  owner: Customer
  name: string
  /** The offer that was taken last. */
  offer: string
  /** By the clock of the business. */
  starts: string
  state: 'booked' | 'requested' | 'cancelled'
  /** Which was said; null for a request. */
  code: string | null
}

export interface CallsResult {
  /** How many tools were called, and how many bookings were said to be made, and to be moved to a time found for that. */
  tools: number
  bookings: number
  moved: number
  broken: string[]
}

/** Free days before long, and the two next days on which the clocks change. */
const days = [...Array.from({ length: 14 }, (_, nth) => dayIn(nth + 1)), '2027-03-28', '2027-10-31']
const services = ['Check-up', 'Table', 'Double room', 'Surgery']
const names = ['Ada Meyer', 'Bob Lindqvist', 'Chidi Okafor', 'Dorothea Vance', 'Emre Yildiz', 'Fatima Haddad']

/**
 * Rings businesses at random, several callers at once, as a model does that calls any tool with any arguments: offers of other calls,
 * invented ones, twice, with a forged signature, with the answer lost and asked for again. Then nothing may be booked twice, or
 * outside of what its owner has said, and each booking is as its caller was told last.
 * @param atOnce how many callers ring at the same time
 */
export async function runCalls(
  world: World,
  { seed, count, atOnce }: { seed: number; count: number; atOnce: number },
): Promise<CallsResult> {
  const { control, customer, update, numberOf } = telephonyIn(world)
  const owners: Customer[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const person = await customer()
    await setUpBookings(person)
    await update(person)
    owners.push(person)
  }
  const numbers = new Map<Customer, string>()
  for (const owner of owners) numbers.set(owner, await numberOf(owner))
  const broken: string[] = []
  const promised: Promised[] = []
  /** Offers that some caller has heard. */
  const heard: string[] = ['invented']
  let tools = 0
  let moved = 0
  let rung = 0

  /** One caller after the other; each of its names is its own, so that what was said last of a booking is certain. */
  async function lane(nth: number): Promise<void> {
    const random = new Random(seed * 100 + nth)
    const own: Promised[] = []
    const name = names[nth % names.length]!
    while (rung < count) {
      rung += 1
      const owner = random.pick(owners)
      const caller = random.chance(0.1) ? null : `+1202555${String(rung).padStart(4, '0')}`
      const { call } = await control<Outcome>('ring', { number: numbers.get(owner), caller })
      const use = async (tool: string, given: object): Promise<ToolAnswer> => {
        tools += 1
        const ask = (more: object = {}) =>
          control<{ status: number; results?: { result: string }[] }>('tools', {
            call,
            calls: [{ name: tool, given }],
            ...more,
          })
        if (random.chance(0.05)) {
          const { status } = await ask({ signing: 'forged' })
          if (status !== 400) broken.push(`A forged request was answered with ${status}`)
        }
        // Lost, and asked again; or sent twice.
        if (random.chance(0.15)) await ask()
        const { results } = await ask(random.chance(0.1) ? { times: 2 } : {})
        return JSON.parse(results![0]!.result) as ToolAnswer
      }
      /** What this caller has heard. */
      const offers = new Map<string, string>()
      const choose = ({ offers: offered = [] }: ToolAnswer): string | undefined => {
        for (const { offer, starts } of offered) offers.set(offer, starts)
        heard.push(...offered.map(({ offer }) => offer))
        return random.shuffled(offered)[0]?.offer
      }
      for (let step = random.between(1, 3); step > 0; step -= 1) {
        const service = random.pick(services)
        const found = await use('find_times', {
          service,
          date: random.pick(days),
          people:
            service === 'Table' ? random.between(1, 9) : service === 'Double room' ? random.between(1, 2) : 1,
          ...(service === 'Double room' && { nights: random.between(1, 16) }),
        })
        const offer = random.chance(0.15) ? random.pick(heard) : choose(found)
        if (offer === undefined) continue
        const starts = offers.get(offer)
        const mine = own.filter((each) => each.owner === owner && each.state === 'booked')
        const [changed] = random.shuffled(mine)
        if (changed && random.chance(0.7)) {
          const identity = { name, code: changed.code }
          if (random.chance(0.3)) {
            const { say } = await use('cancel', identity)
            if (say.startsWith('Cancelled:')) changed.state = 'cancelled'
            else broken.push(`A booking with its code was not cancelled: ${say}`)
          } else {
            // Those of its own day lie over the booking itself, too.
            const date = random.chance(0.5) ? changed.starts.slice(0, 10) : random.pick(days)
            const other = choose(await use('find_other_times', { ...identity, date })) ?? offer
            const taken = random.chance(0.3) ? offer : other
            const { say } = await use('move', { ...identity, offer: taken })
            // To its own offer, which another call has heard, it is not moved.
            if (/^(Booked|Noted)/.test(say) && taken !== changed.offer) {
              if (taken === other) moved += 1
              changed.offer = taken
              changed.starts = offers.get(taken) ?? ''
              changed.state = say.startsWith('Booked') ? 'booked' : 'requested'
              if (!changed.starts) broken.push(`An offer of another call was taken: ${say}`)
            }
          }
          continue
        }
        const { say } = await use('book', { offer, name })
        const code = /The code is (.+)\.$/.exec(say)?.[1]?.replaceAll(' ', '') ?? null
        if (!code && !say.startsWith('Noted')) continue
        if (!starts) {
          broken.push(`An offer of another call was taken: ${say}`)
          continue
        }
        if (own.some((each) => each.offer === offer)) continue
        const state = code ? 'booked' : 'requested'
        const made: Promised = { owner, name, offer, starts, state, code }
        own.push(made)
        promised.push(made)
      }
      if (random.chance(0.3))
        await use('take_message', { name, about: random.pick(services), message: 'Please call.' })
      await control('hang-up', { call, seconds: 30, report: false })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, (_, nth) => lane(nth)))

  const ids = owners.map(({ id }) => id)
  const rows = await world.sql<{
    offer: string
    state: Promised['state']
    name: string
    starts: string
    code: string
  }>(
    `select offer, state, name, code, extract(epoch from starts_at) * 1000 as starts from public.bookings where user_id = any($1)`,
    [ids],
  )
  const unsaid = new Map(rows.map((row) => [row.offer, row]))
  for (const said of promised) {
    const row = unsaid.get(said.offer)
    unsaid.delete(said.offer)
    const is = row && `${row.state} ${localOf(Number(row.starts), timeZone)} ${row.name}`
    const was = `${said.state} ${said.starts} ${said.name}`
    if (is !== was) broken.push(`Said: ${was}; is: ${is ?? 'nothing'}`)
  }
  for (const { offer, state, name } of unsaid.values()) broken.push(`Not said: ${state} ${offer} ${name}`)
  const wrong = await world.sql<{ what: string }>(
    `with taken as (
       select o.*, b.people, b.about, b.state, b.starts_at at time zone $2 as starts, b.ends_at at time zone $2 as ends
       from private.occupancy o join public.bookings b on b.id = o.booking_id where o.user_id = any($1)
     )
     select 'Twice: ' || one.unit || ' ' || one.during as what from taken one join taken other
       on one.user_id = other.user_id and one.unit = other.unit and one.during && other.during
       and one.booking_id < other.booking_id
     union all select 'Taken by what is not booked: ' || state || ' ' || booking_id from taken
       where state not in ('booked', 'requested')
     union all select 'Closed then: ' || about || ' ' || starts from taken
       where about <> 'Double room' and (starts::time < '09:00' or ends::time > '12:00' or starts::date <> ends::date)
     union all select 'Too many people: ' || about || ' ' || people from taken where people > 8
     union all select 'Too long: ' || during from taken where about = 'Double room' and ends::date - starts::date > 14
     union all select 'Takes nothing: ' || b.id from public.bookings b
       where b.user_id = any($1) and b.state in ('booked', 'requested')
         and not exists (select from private.occupancy o where o.booking_id = b.id)`,
    [ids, timeZone],
  )
  return { tools, bookings: promised.length, moved, broken: [...broken, ...wrong.map(({ what }) => what)] }
}
