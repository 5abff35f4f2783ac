import { describe, expect, onTestFinished, test } from 'vitest'
import { local, mounts } from '../../local/environment.ts'
import { receiveCallEvent } from '#telephony/server/call-events.ts'
import { answerRing } from '#telephony/server/ring.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { noKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { defaultVoiceModel } from '#telephony/domain/voice-models.ts'
import { captureLog } from '../support/log.ts'
import { dogs, telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, atVapi, agentsOf, buyer, customer, update, teach, stateOf, numberOf, retryNow, minutesOf } =
  telephonyIn(world)

test('an agent is made, gets a number, answers from what it was taught, and its call is debited once', async () => {
  const person = await buyer()
  await teach(person, { answers: [dogs] })
  expect((await update(person)).json).toEqual({ wanted: true, updated: true })
  expect(await stateOf(person)).toMatchObject({
    state: 'live',
    has_taught: true,
    has_tested: false,
    has_called: false,
  })
  expect(await agentsOf(person.id)).toHaveLength(1)

  const rung = await control<Outcome>('ring', { number: await numberOf(person), caller: '+15550100199' })
  expect(rung).toMatchObject({ got: 'agent', tries: 1 })
  expect(await control('say', { call: rung.call, text: 'Can I bring my dog?' })).toEqual({
    reply: dogs.answer,
  })
  await control('hang-up', { call: rung.call, seconds: 61 })
  await control('report', { call: rung.call, times: 3 })
  const calls = await world.sql('select * from public.calls where user_id = $1', [person.id])
  expect(calls).toMatchObject([
    { provider_call_id: `vapi:${rung.call}`, kind: 'call', phone_number: '+15550100199', seconds: 61 },
  ])
  expect(calls[0]!.transcript).toContain(`Caller: Can I bring my dog?\nAgent: ${dogs.answer}`)
  expect(await minutesOf(person.id)).toBe(2)
  expect(await stateOf(person)).toMatchObject({
    has_tested: false,
    has_called: true,
    numbers: [{ last_ring_at: expect.any(String) as string }],
  })
})

describe('a call from the browser', () => {
  const start = ({ token, id }: Pick<Customer, 'token' | 'id'>, agent = id) =>
    world.post('start-test-call', { agent }, { authorization: `Bearer ${token}` })
  interface TestedCall {
    id: string
    agent: string
    type: string
    metadata: { account: string }
    variables: Record<string, string>
  }
  const callsAtVapi = async () => (await control<{ calls: TestedCall[] }>('state')).calls

  test('146. It is with the customer’s own agent, is a test in the log, and costs no minutes', async () => {
    const person = await customer()
    await teach(person, { answers: [dogs], timeZone: 'Asia/Tokyo' })
    await update(person)
    const [own] = await agentsOf(person.id)
    const ticket = (await start(person)).json as { call: string; url: string }
    expect(ticket).toEqual({
      call: ticket.call,
      url: expect.stringMatching(/^https:/) as string,
    })
    const id = ticket.call.replace('vapi:', '')
    const made = (await callsAtVapi()).find((call) => call.id === id)
    expect(made).toMatchObject({ type: 'web', agent: own!.id, metadata: { account: person.id } })
    expect(Object.values(made!.variables)).toEqual([expect.stringMatching(/^It is .+ at the business\.$/)])

    await control('join', { call: id })
    expect(await control('say', { call: id, text: 'Can I bring my dog?' })).toEqual({ reply: dogs.answer })
    await control('hang-up', { call: id, seconds: 61 })
    expect((await start(await buyer(), person.id)).status, 'it is nobody else’s').toBe(501)
    // The report of a second one is lost, and found by the hourly look.
    const second = String((await start(person)).json.call).replace('vapi:', '')
    await control('join', { call: second })
    await control('hang-up', { call: second, seconds: 200, report: false })
    await world.work('lost calls')

    const calls = await world.sql(
      'select kind, seconds, phone_number from public.calls where user_id = $1 order by seconds',
      [person.id],
    )
    expect(calls).toEqual([
      { kind: 'test', seconds: 61, phone_number: null },
      { kind: 'test', seconds: 200, phone_number: null },
    ])
    expect(await minutesOf(person.id)).toBe(0)
    expect(await stateOf(person)).toMatchObject({
      has_tested: true,
      has_called: false,
      agents: [{ is_at_provider: true }],
    })
  })

  test('146. It is refused to strangers, without an agent, without payment, and too often', async () => {
    const person = await customer()
    expect((await world.post('start-test-call', { agent: person.id })).status).toBe(401)
    expect(await start(person)).toMatchObject({ status: 501, json: { error: { code: 'not_configured' } } })
    await update(person)
    const before = (await callsAtVapi()).length
    await world.sql(`update public.user_subscriptions set admin_status = 'blocked' where user_id = $1`, [
      person.id,
    ])
    expect(await start(person)).toMatchObject({ status: 403, json: { error: { code: 'forbidden' } } })
    await world.sql('update public.user_subscriptions set admin_status = null where user_id = $1', [
      person.id,
    ])
    for (let nth = 0; nth < 2; nth++) expect((await start(person)).status).toBe(200)
    expect(await start(person)).toMatchObject({ status: 429, json: { error: { code: 'rate_limited' } } })
    expect((await callsAtVapi()).length).toBe(before + 2)
  })

  test('is not tried twice at a provider that fails', async () => {
    const log = captureLog()
    const person = await customer()
    await update(person)
    await control('requests', { reset: true })
    await control('fail-next', { path: 'POST /vapi/call', status: 500 })
    expect(await start(person)).toMatchObject({
      status: 502,
      json: { error: { code: 'provider_unavailable' } },
    })
    expect((await control<{ requests: unknown[] }>('requests')).requests).toHaveLength(1)
    expect(log.text()).toContain('"event":"start-test-call"')
  })
})

test('what is taught later reaches the agent, and without a change the provider is not asked', async () => {
  const person = await customer()
  await update(person)
  await teach(person, { about: 'A hotel by the lake.' })
  expect(await stateOf(person)).toMatchObject({ state: 'changing' })
  await update(person)
  expect(await stateOf(person)).toMatchObject({ state: 'live' })
  const [agent] = await agentsOf(person.id)
  expect(agent!.model.messages[0]!.content).toContain('A hotel by the lake.')
  await control('requests', { reset: true })
  expect((await update(person)).json).toEqual({ wanted: true, updated: false })
  expect((await control<{ requests: unknown[] }>('requests')).requests).toEqual([])
})

test('the voice that was made from the customer’s sample stays with the agent', async () => {
  const person = await customer()
  await update(person)
  await world.sql(
    `update public.voice_agents set voice = '11labs:sarah', wanted_at = clock_timestamp() where user_id = $1`,
    [person.id],
  )
  await update(person)
  await teach(person, { about: 'A hotel by the lake.' })
  await update(person)
  const [agent] = await agentsOf(person.id)
  expect(agent).toMatchObject({ voice: { provider: '11labs', voiceId: 'sarah' } })
})

describe('an account without a claim to an agent gets none', () => {
  test.each<[string, Record<string, unknown>]>([
    ['onboarding is not finished', { onboarding_completed: false }],
    ['nothing is paid', { billing_status: 'canceled' }],
    ['blocked', { admin_status: 'blocked' }],
  ])('%s', async (_, columns) => {
    const person = await buyer(columns)
    expect((await update(person)).json).toEqual({ wanted: false, updated: false })
    expect(await agentsOf(person.id)).toEqual([])
  })

  test('nobody without a session', async () => {
    expect((await world.post('update-my-agent', {})).status).toBe(401)
  })
})

describe('80. A step at the voice provider fails, or its answer is lost', () => {
  test.each([
    { path: 'POST /vapi/assistant', status: 500 },
    { path: 'POST /vapi/phone-number', status: 500 },
    { path: 'PATCH /vapi/phone-number', status: 400 },
    { path: 'POST /vapi/assistant', status: 401 },
  ])('$path, $status: the next try ends with one agent and one number', async (fault) => {
    const log = captureLog()
    const person = await buyer()
    await control('fail-next', fault)
    expect((await update(person)).json).toMatchObject({ updated: false })
    expect(log.text()).toContain('"event":"agents"')
    const [row] = await world.sql('select error, tries from public.voice_agents where account = $1', [
      person.id,
    ])
    expect(row).toMatchObject({ error: expect.stringContaining(String(fault.status)) as string, tries: 1 })
    await retryNow(person.id)
    await world.work('stopped agents', 'agents')
    expect(await stateOf(person)).toMatchObject({ state: 'live' })
    expect(await agentsOf(person.id)).toHaveLength(1)
    const numbers = (await atVapi()).numbers.filter(({ name }) => name === person.id)
    expect(numbers).toHaveLength(1)
    const authorization = `Bearer ${person.token}`
    await world.post('delete-account', { email: person.email }, { authorization })
    expect((await atVapi()).numbers.filter(({ name }) => name === person.id)).toEqual([])
  })

  test('after three failures the customer reads that we look at it', async () => {
    captureLog()
    const person = await customer()
    for (let nth = 0; nth < 3; nth++) {
      await control('fail-next', { path: 'POST /vapi/assistant', status: 400 })
      await update(person)
    }
    expect(await stateOf(person)).toMatchObject({ state: 'needs_attention' })
    await update(person)
    expect(await stateOf(person)).toMatchObject({ state: 'live' })
  })

  test('80. An agent that was made although nobody heard of it is used, and a second one removed', async () => {
    const person = await customer()
    await update(person)
    const [made] = await agentsOf(person.id)
    await world.sql(
      'update public.voice_agents set provider_id = null, live_at = null, wanted_at = now() where account = $1',
      [person.id],
    )
    await update(person)
    expect((await agentsOf(person.id)).map(({ id }) => id)).toEqual([made!.id])
  })
})

test('81. A deleted account leaves nothing at the provider', async () => {
  const person = await customer()
  await update(person)
  const number = await numberOf(person)
  const authorization = `Bearer ${person.token}`
  expect((await world.post('delete-account', { email: person.email }, { authorization })).status).toBe(200)
  expect(await agentsOf(person.id)).toEqual([])
  expect(await world.sql('select * from public.voice_agents where account = $1', [person.id])).toEqual([])
  expect(await control('ring', { number })).toMatchObject({ got: 'silence' })
  expect(await world.sql('select account from public.phone_numbers where number = $1', [number])).toEqual([
    { account: null },
  ])
})

test('94. After the end of a subscription nobody is answered, and the number is kept for 30 days', async () => {
  const log = captureLog()
  const person = await customer()
  await update(person)
  const number = await numberOf(person)
  const set = (billing_status: string) =>
    world.sql('update public.user_subscriptions set billing_status = $1 where user_id = $2', [
      billing_status,
      person.id,
    ])
  const run = () => world.work('stopped agents', 'agents')
  const stoppedFor = async (days: number) => {
    await world.sql(
      `update public.voice_agents set stopped_at = now() - make_interval(days => $1) where account = $2`,
      [days, person.id],
    )
    await run()
  }
  const ring = () => control<Outcome>('ring', { number })
  await set('canceled')
  await run()
  expect(await stateOf(person)).toMatchObject({ state: 'stopped', numbers: [{ number }] })
  expect(await ring()).toMatchObject({ got: 'words' })
  await stoppedFor(29)
  expect(await stateOf(person)).toMatchObject({ numbers: [{ number }] })
  await set('active')
  await run()
  expect(await ring()).toMatchObject({ got: 'agent' })
  await set('canceled')
  await run()
  await stoppedFor(29)
  expect(await agentsOf(person.id)).toHaveLength(1)
  await control('fail-next', { path: 'DELETE /vapi/assistant', status: 500, times: 2 })
  await stoppedFor(31)
  expect(await stateOf(person)).toMatchObject({ numbers: [{ number }] })
  await retryNow(person.id)
  await run()
  expect(await stateOf(person)).toMatchObject({ state: 'stopped', numbers: [] })
  expect(await agentsOf(person.id)).toEqual([])
  expect(await ring()).toMatchObject({ got: 'silence' })
  expect(log.text()).toContain(`"removed":"${person.id}"`)
  await set('active')
  await run()
  expect(await stateOf(person)).toMatchObject({ state: 'live', numbers: [expect.anything()] })
})

describe('82. Reports are forged, doubled, late or lost', () => {
  test('82. Twenty-five calls: the ledger has each once', async () => {
    captureLog()
    const person = await customer()
    await update(person)
    const number = await numberOf(person)
    const late: string[] = []
    for (let nth = 0; nth < 25; nth++) {
      const { call } = await control<Outcome>('ring', { number, caller: null })
      const isReported = nth % 5 !== 0 && nth % 5 !== 4
      await control('hang-up', { call, seconds: 30, report: isReported })
      if (nth % 5 === 1) await control('report', { call, times: 2 })
      if (nth % 5 === 2) await control('report', { call, signing: 'forged' })
      if (nth % 5 === 3) await control('report', { call, signing: 'stale' })
      if (nth % 5 === 4) late.unshift(call!)
    }
    expect(await minutesOf(person.id)).toBe(15)
    for (const call of late) await control('report', { call })
    expect(await minutesOf(person.id)).toBe(20)
    await world.work('lost calls')
    await world.work('lost calls')
    expect(await minutesOf(person.id)).toBe(25)
  })

  test('82. A report that is forged is refused', async () => {
    const person = await customer()
    await update(person)
    const { call } = await control<Outcome>('ring', { number: await numberOf(person) })
    await control('hang-up', { call, seconds: 30, report: false })
    const { responses } = await control<{ responses: unknown[] }>('report', { call, signing: 'forged' })
    expect(JSON.stringify(responses)).toContain('400')
    expect(await minutesOf(person.id)).toBe(0)
  })

  test('without the provider’s key its functions refuse everything', async () => {
    const request = () => new Request('http://localhost/', { method: 'POST', body: '{}' })
    expect((await answerRing(request(), undefined)).status).toBe(400)
    expect((await receiveCallEvent(request(), undefined, undefined)).status).toBe(400)
  })
})

test('83. Rings while our function fails: each caller reaches the agent, a message or a person', async () => {
  captureLog()
  // A plan without a limit of lines: nobody hangs up here.
  const person = await customer({ plan: 'enterprise', minutes_limit: 1 })
  const fallback = '+15550100177'
  await person.client
    .from('call_settings')
    .insert({ user_id: person.id, fallback_number: fallback })
    .throwOnError()
  await update(person)
  const number = await numberOf(person)
  const network = globalThis.fetch
  onTestFinished(() => void (globalThis.fetch = network))
  // Every third time the function is down or killed, every seventh it never answers.
  const failure = (nth: number) =>
    nth % 6 === 0 ? 'killed' : nth % 3 === 0 ? 'down' : nth % 7 === 0 ? 'silent' : 'none'
  let now = failure(0)
  globalThis.fetch = (input, init) => {
    const isRing = String(input instanceof Request ? input.url : input).endsWith('/ring-vapi')
    if (isRing && now === 'killed') return Promise.reject(new TypeError('fetch failed'))
    if (isRing && now === 'down') return Promise.resolve(new Response('down', { status: 500 }))
    if (isRing && now === 'silent')
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error)),
      )
    return network(input, init)
  }
  const got: Record<string, number> = {}
  const overLimit: string[] = []
  for (let nth = 0; nth < 84; nth++) {
    if (nth === 42)
      await world.sql(
        `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id) values ($1, 5, 'call', $2)`,
        [person.id, `used:${person.id}`],
      )
    now = failure(nth)
    const patience = now === 'silent' ? { patience: 5 } : {}
    const ring = await control<Outcome>('ring', { number, caller: null, ...patience })
    if (ring.got === 'number') expect(ring.to).toBe(fallback)
    else expect(now).toBe('none')
    got[ring.got] = (got[ring.got] ?? 0) + 1
    if (ring.call && nth >= 42) overLimit.push(ring.call)
  }
  // Killed 14 times, down 14 times, silent 8 times.
  expect(got).toEqual({ agent: 48, number: 36 })
  // Over the limit the agent only takes a message.
  const { calls } = await control<{ calls: { id: string; turns: { text: string }[] }[] }>('state')
  const said = calls.filter(({ id }) => overLimit.includes(id)).map(({ turns }) => turns[0]!.text)
  expect(said).toHaveLength(24)
  expect(said.filter((words) => !words.includes('I can take a message.'))).toEqual([])
})

test('a ring follows what the customer has set', async () => {
  // A plan without a limit of lines: nobody hangs up here.
  const person = await customer({ plan: 'enterprise', minutes_limit: 1 })
  const save = (columns: Record<string, unknown>) =>
    person.client
      .from('call_settings')
      .upsert({ user_id: person.id, ...columns })
      .throwOnError()
  await save({})
  await update(person)
  const number = await numberOf(person)
  const caller = '+15550100155'
  const ring = () => control<Outcome>('ring', { number, caller })
  const fallback = { got: 'number', to: '+15550100144' }
  expect(await ring()).toMatchObject({ got: 'agent' })
  await save({ paused: true })
  expect(await ring()).toMatchObject({ got: 'words' })
  await save({ fallback_number: fallback.to })
  expect(await ring()).toMatchObject(fallback)
  expect(await stateOf(person)).toMatchObject({ state: 'paused' })
  await save({ paused: false, limit_policy: 'hand_over' })
  expect(await ring()).toMatchObject({ got: 'agent' })
  await world.sql(
    `insert into public.minute_ledger (user_id, minutes, reason, provider_event_id) values ($1, 5, 'call', $2)`,
    [person.id, `used up:${person.id}`],
  )
  expect(await ring()).toMatchObject(fallback)
  await save({ limit_policy: 'answer' })
  expect(await ring()).toMatchObject({ got: 'agent' })
  await person.client
    .from('blocked_callers')
    .insert({ user_id: person.id, phone_number: caller })
    .throwOnError()
  expect(await ring()).toMatchObject({ got: 'words', words: 'This number does not take your call.' })
  await person.client.from('blocked_callers').delete().like('phone_number', caller).throwOnError()
  expect(await ring()).toMatchObject({ got: 'agent' })
  const refused = { user_id: person.id, own_number: fallback.to }
  expect((await person.client.from('call_settings').upsert(refused)).error?.code).toBe('23514')
})

test('205. Our function is silent, and the customer has named a person but no fallback: the person’s telephone rings', async () => {
  const person = await customer()
  const staff = '+15550100133'
  await teach(person, { transfer: { number: staff, first: 'agent' } })
  await update(person)
  const number = await numberOf(person)
  const network = globalThis.fetch
  onTestFinished(() => void (globalThis.fetch = network))
  globalThis.fetch = (input, init) =>
    String(input instanceof Request ? input.url : input).endsWith('/ring-vapi')
      ? new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal!.reason as Error)),
        )
      : network(input, init)
  const ring = () => control<Outcome>('ring', { number, patience: 5 })
  expect(await ring()).toMatchObject({ got: 'number', to: staff })
  const chosen = { user_id: person.id, fallback_number: '+15550100132' }
  await person.client.from('call_settings').insert(chosen).throwOnError()
  await update(person)
  expect(await ring()).toMatchObject({ got: 'number', to: chosen.fallback_number })
})

test('206. A number that leads back to an agent is refused as a destination, and not rung if it becomes one', async () => {
  const [person, other] = [await customer(), await customer()]
  for (const each of [person, other]) await update(each)
  const [number, others] = [await numberOf(person), await numberOf(other)]
  const save = (columns: Record<string, unknown>) =>
    person.client.from('call_settings').upsert({ user_id: person.id, ...columns })
  const transferTo = (to: string) =>
    person.client
      .from('agent_knowledge')
      .upsert({ user_id: person.id, knowledge: { ...noKnowledge, transfer: { number: to, first: 'agent' } } })
  const [own, staff] = ['+15550100122', '+15550100121']
  await save({ own_number: own }).throwOnError()
  for (const refused of [number, others]) {
    expect((await save({ fallback_number: refused })).error?.code).toBe('23514')
    expect((await transferTo(refused)).error?.code).toBe('23514')
  }
  expect((await transferTo(own)).error?.code).toBe('23514')
  await transferTo(staff).throwOnError()
  expect((await save({ own_number: staff })).error?.code).toBe('23514')
  await save({ paused: true, fallback_number: '+15550100120' }).throwOnError()

  // Another customer gets the number: it is not rung any more, and all else can still be saved.
  await world.sql('insert into public.phone_numbers (number, account) values ($1, $2)', [
    '+15550100120',
    other.id,
  ])
  const ring = () => control<Outcome>('ring', { number })
  expect(await ring()).toMatchObject({ got: 'number', to: staff })
  await world.sql('insert into public.phone_numbers (number) values ($1)', [staff])
  expect(await ring()).toMatchObject({ got: 'words' })
  await save({ summaries: 'never' }).throwOnError()
  await person.client
    .from('agent_knowledge')
    .update({
      knowledge: { ...noKnowledge, transfer: { number: staff, first: 'agent' }, about: 'A hotel.' },
    })
    .eq('user_id', person.id)
    .throwOnError()
  await update(person)
  const { numbers, assistants } = await atVapi()
  expect(numbers.find((each) => each.number === number)!.fallbackDestination).toBeUndefined()
  const agent = assistants.find(({ metadata }) => metadata.account === person.id)
  expect(JSON.stringify(agent)).not.toContain('transferCall')
})

test('230. A premium number that a customer has stored is called neither by us nor by the provider', async () => {
  const person = await customer()
  const costly = '+19005550123'
  await person.client
    .from('call_settings')
    .upsert({ user_id: person.id, paused: true, fallback_number: costly })
    .throwOnError()
  await teach(person, { transfer: { number: costly, first: 'agent' } })
  await update(person)
  const number = await numberOf(person)
  expect(await control<Outcome>('ring', { number })).toMatchObject({ got: 'words' })
  expect(JSON.stringify(await atVapi())).not.toContain(costly)
})

test('207. Ten agents of before a deployment get its model, its limits and their fallback', async () => {
  const people: Customer[] = []
  for (let nth = 0; nth < 10; nth++) {
    const person = await customer()
    await teach(person, { transfer: { number: '+15550100111', first: 'agent' } })
    await update(person)
    people.push(person)
  }
  const ours = <T extends { number?: string; metadata?: { account: string } }>(all: readonly T[]) =>
    all.filter(({ metadata }) => people.some(({ id }) => id === metadata?.account))
  const send = (path: string, body: object) =>
    fetch(`${world.origin}${mounts.voice}/vapi/${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${local.vapiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const numbers = await Promise.all(people.map(numberOf))
  const before = await atVapi()
  for (const { id } of ours(before.assistants)) {
    const old = { model: { provider: 'openai', model: 'gpt-4.1' }, maxDurationSeconds: 43_200 }
    expect((await send(`assistant/${id}`, old)).status).toBe(200)
  }
  for (const { id, number } of before.numbers)
    if (numbers.includes(number))
      await send(`phone-number/${id}`, { provider: 'twilio', fallbackDestination: null })
  // They were made by a release whose agents were others.
  await world.sql(
    `update public.voice_agents set digest = 'of before', compared_with = 'of before' where user_id = any($1)`,
    [people.map(({ id }) => id)],
  )
  for (let minute = 0; minute < 3; minute++) await world.work('agent rollout', 'agents')
  const after = await atVapi()
  expect(ours(after.assistants)).toHaveLength(10)
  for (const agent of ours(after.assistants))
    expect(agent).toMatchObject({ model: { model: defaultVoiceModel }, maxDurationSeconds: 1_800 })
  for (const { number, fallbackDestination } of after.numbers)
    if (numbers.includes(number))
      expect(fallbackDestination).toEqual({ type: 'number', number: '+15550100111' })
  for (const person of people) expect(await stateOf(person)).toMatchObject({ state: 'live' })
})

interface CallAtVapi {
  id: string
  metadata: { limit?: string }
}
const limitsSaid = (calls: readonly CallAtVapi[], ids: readonly (string | undefined)[]) =>
  ids.map((call) => calls.find(({ id }) => id === call)!.metadata.limit)
/** Returns what the customer reads in the log of calls, the oldest first. */
async function logOf({ client }: Customer) {
  const { data } = await client.rpc('list_calls', { p_search: '', p_limit: 100 }).throwOnError()
  const { rows } = data as { rows: { limited_by: string | null; seconds: number; outcome: string | null }[] }
  return rows.toReversed()
}

test('208. Silence ends a call, and so does the longest time; the log says which', async () => {
  const person = await customer()
  await update(person)
  const number = await numberOf(person)
  const [silent, endless] = [
    await control<Outcome>('ring', { number, caller: '+15550100101' }),
    await control<Outcome>('ring', { number, caller: '+15550100102' }),
  ]
  await control('hang-up', { call: silent.call, seconds: 43_200, silent: true })
  await control('hang-up', { call: endless.call, seconds: 43_200 })
  expect(await logOf(person)).toMatchObject([
    { limited_by: 'length', seconds: 1_800 },
    { limited_by: 'silence', seconds: 30 },
  ])
  expect(await minutesOf(person.id)).toBe(31)
})

describe('209. Twelve runaway calls, each of which would last for half a day', () => {
  const twelve = async (person: Customer, callerOf: (nth: number) => string): Promise<Outcome[]> => {
    const number = await numberOf(person)
    const rings: Outcome[] = []
    for (let nth = 0; nth < 12; nth++) {
      const rung = await control<Outcome>('ring', { number, caller: callerOf(nth) })
      if (rung.call) await control('hang-up', { call: rung.call, seconds: 43_200 })
      rings.push(rung)
    }
    return rings
  }

  test('209. Twelve of one caller: an hour with the agent, an hour of messages, and then words', async () => {
    const person = await customer()
    await update(person)
    const rings = await twelve(person, () => '+15550100101')
    expect(new Set(rings.map(({ got }) => got))).toEqual(new Set(['agent']))
    expect((await logOf(person)).map(({ limited_by, seconds }) => `${limited_by} ${seconds}`).sort()).toEqual(
      [...Array<string>(10).fill('caller 180'), ...Array<string>(2).fill('length 1800')].sort(),
    )
    expect(await minutesOf(person.id)).toBe(90)
    // The other hour of messages.
    await world.sql(
      `insert into public.calls (user_id, provider_call_id, kind, direction, phone_number, started_at, seconds)
       values ($1, $2, 'call', 'inbound', '+15550100101', now() - interval '23 hours', 1800)`,
      [person.id, `earlier:${person.id}`],
    )
    const ring = (caller: string) =>
      numberOf(person).then((number) => control<Outcome>('ring', { number, caller }))
    expect(await ring('+15550100101')).toMatchObject({
      got: 'words',
      words: expect.stringContaining('tomorrow') as string,
    })
    expect((await logOf(person)).at(-1)).toMatchObject({
      limited_by: 'caller',
      seconds: 0,
      outcome: 'Turned away',
    })
    expect(await ring('+15550100102')).toMatchObject({ got: 'agent' })
  })

  test('209. Twelve callers: five hours with the agent, then messages, or a person if the customer wants that', async () => {
    const person = await customer()
    await update(person)
    const rings = await twelve(person, (nth) => `+155501002${String(nth).padStart(2, '0')}`)
    const { calls } = await control<{ calls: CallAtVapi[] }>('state')
    const said = limitsSaid(
      calls,
      rings.map(({ call }) => call),
    )
    expect(said.slice(0, 10)).toEqual(Array(10).fill(undefined))
    expect(said.slice(10)).toEqual(['account', 'account'])
    expect(await minutesOf(person.id)).toBe(10 * 30 + 2 * 3)
    const chosen = { user_id: person.id, limit_policy: 'hand_over', fallback_number: '+15550100131' }
    await person.client.from('call_settings').insert(chosen).throwOnError()
    const number = await numberOf(person)
    expect(await control('ring', { number, caller: '+15550100299' })).toMatchObject({
      got: 'number',
      to: chosen.fallback_number,
    })
    expect((await logOf(person)).at(-1)).toMatchObject({ limited_by: 'account', outcome: 'Put through' })
    expect(await world.sql('select 1 from public.call_mails where user_id = $1', [person.id])).toEqual([])
  })
})

test('210. A plan with one line: of two calls at once, one is answered, and the other reaches a person or a message', async () => {
  const person = await customer({ plan: 'starter' })
  await update(person)
  const number = await numberOf(person)
  const ring = () => control<Outcome>('ring', { number, caller: null })
  const rings = await Promise.all([ring(), ring()])
  expect(rings.map(({ got }) => got)).toEqual(['agent', 'agent'])
  const { calls } = await control<{ calls: CallAtVapi[] }>('state')
  const said = limitsSaid(
    calls,
    rings.map(({ call }) => call),
  )
  expect(said.toSorted()).toEqual(['lines', undefined])
  // Who leaves a message takes no line.
  const answered = rings[said.indexOf(undefined)]!.call
  await control('hang-up', { call: answered, seconds: 20 })
  const next = await ring()
  expect(limitsSaid((await control<{ calls: CallAtVapi[] }>('state')).calls, [next.call])).toEqual([
    undefined,
  ])

  const chosen = { user_id: person.id, fallback_number: '+15550100130' }
  await person.client.from('call_settings').insert(chosen).throwOnError()
  expect(await ring()).toMatchObject({ got: 'number', to: chosen.fallback_number })
  expect((await logOf(person)).at(-1)).toMatchObject({
    limited_by: 'lines',
    outcome: 'Put through',
    seconds: 0,
  })
  // No report ever comes: the provider has ended the call by now.
  await world.sql(
    `update private.running_calls set began_at = now() - interval '32 minutes' where user_id = $1`,
    [person.id],
  )
  expect(await ring()).toMatchObject({ got: 'agent' })
})

test('nobody else sees or changes an account’s knowledge, settings, callers, agent or numbers', async () => {
  const [owner, other] = [await customer(), await customer()]
  await teach(owner, { about: 'Mine.' })
  await owner.client.from('call_settings').insert({ user_id: owner.id }).throwOnError()
  await owner.client
    .from('blocked_callers')
    .insert({ user_id: owner.id, phone_number: '+15550100166' })
    .throwOnError()
  for (const table of ['agent_knowledge', 'call_settings', 'blocked_callers']) {
    expect((await owner.client.from(table).select('*')).data).toHaveLength(1)
    expect((await other.client.from(table).select('*')).data).toEqual([])
    expect((await other.client.from(table).delete().eq('user_id', owner.id).select()).data ?? []).toEqual([])
    expect((await other.client.from(table).insert({ user_id: owner.id })).error?.code).toBe('42501')
  }
  expect((await owner.client.from('phone_numbers').select('*')).data).toEqual([])
  expect((await owner.client.from('voice_agents').select('*')).error?.code).toBe('42501')
})
