import { expect, test } from 'vitest'
import type { Outcome } from '../../local/voice/calls.ts'
import { problemsOf } from '../../local/voice/vapi-requests.ts'
import { dayIn, setUpBookings } from '../support/bookings.ts'
import { telephonyIn } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, customer, update, numberOf } = telephonyIn(world)

/** What Vapi's OpenAPI calls its messages to our functions, and our answers. */
const definitions: Record<string, [message: string, answer?: string]> = {
  'ring-vapi': ['ServerMessageAssistantRequest', 'ServerMessageResponseAssistantRequest'],
  'vapi-tools': ['ServerMessageToolCalls', 'ServerMessageResponseToolCalls'],
  'vapi-events': ['ServerMessageEndOfCallReport'],
}

// The stand-in checks what we request of its API in the same way (local/voice/vapi-requests.ts).
test('what the stand-in sends to our functions, and what they answer, is as Vapi’s OpenAPI says', async () => {
  const problems: string[] = []
  const seen = new Set<string>()
  const network = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const answer = await network(input, init)
    const name = new URL(input instanceof Request ? input.url : String(input)).pathname.split('/').at(-1)!
    const [message, response] = definitions[name] ?? []
    if (message && typeof init?.body === 'string') {
      problems.push(...problemsOf(message, (JSON.parse(init.body) as { message: unknown }).message))
      if (response) problems.push(...problemsOf(response, await answer.clone().json()))
      seen.add(name)
    }
    return answer
  }
  try {
    const person = await customer()
    await setUpBookings(person)
    await update(person)
    const number = await numberOf(person)
    const ring = () => control<Outcome>('ring', { number, caller: '+12025550101' })
    const { call } = await ring()
    const given = { service: 'Check-up', date: dayIn(2) }
    await control('tools', { call, calls: [{ name: 'find_times', given }, { name: 'cancel' }] })
    await control('hang-up', { call, seconds: 30, findings: { about: 'A check-up' } })
    // A test call, one without words, and those that no agent answers.
    const started = await world.post(
      'start-test-call',
      { agent: person.id },
      { authorization: `Bearer ${person.token}` },
    )
    const test = String(started.json.call).replace('vapi:', '')
    await control('join', { call: test })
    await control('hang-up', { call: test, seconds: 20, silent: true })
    const settings = { user_id: person.id, fallback_number: '+12025550177' }
    await person.client.from('call_settings').upsert(settings).throwOnError()
    await world.sql(`update public.user_subscriptions set billing_status = 'canceled' where user_id = $1`, [
      person.id,
    ])
    expect((await ring()).got).toBe('number')
    await world.sql(
      `insert into public.blocked_callers (user_id, phone_number) values ($1, '+12025550101')`,
      [person.id],
    )
    expect((await ring()).got).toBe('words')
  } finally {
    globalThis.fetch = network
  }
  expect([...new Set(problems)]).toEqual([])
  expect([...seen].toSorted()).toEqual(Object.keys(definitions).toSorted())
})
