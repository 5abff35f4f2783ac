import { describe, expect, onTestFinished, test } from 'vitest'
import { noKnowledge, type AgentKnowledge } from '#agent/domain/knowledge.ts'
import { planLimits, plans } from '#plans/domain/plans.ts'
import { services } from '#platform/server/services.ts'
import { purgeCalls } from '#telephony/server/recordings.ts'
import { retellLine } from '#telephony/server/retell-line.ts'
import { local, mounts } from '../../local/environment.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { customerInPeriod, signedInAdmin } from '../support/admin.ts'
import { captureLog } from '../support/log.ts'
import { wishOf } from '../support/voice-provider.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

async function control<T = Record<string, unknown>>(name: string, body?: object): Promise<T> {
  const response = await fetch(`${world.origin}${mounts.voice}/test/${name}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
interface AtVapi {
  assistants: { id: string; metadata: { account: string }; model: { messages: { content: string }[] } }[]
  vapiNumbers: { number: string; name?: string; fallbackDestination?: { number: string } | null }[]
}
const atVapi = () => control<AtVapi>('state')
const agentsOf = async (account: string) =>
  (await atVapi()).assistants.filter(({ metadata }) => metadata.account === account)

type Customer = Awaited<ReturnType<typeof customerInPeriod>>
const buyer = (more: Record<string, unknown> = {}): Promise<Customer> =>
  customerInPeriod(world, { onboarding_completed: true, ...more })
let count = 0
/** Returns a customer for whom the operator has a number. Vapi sells no more than five to an account. */
async function customer(more: Record<string, unknown> = {}): Promise<Customer> {
  const number = `+1555020${String((count += 1)).padStart(4, '0')}`
  await control('number', { number })
  await world.sql(`insert into public.phone_numbers (number, provider) values ($1, 'vapi')`, [number])
  return buyer(more)
}
const update = ({ token }: Customer) =>
  world.post('update-my-agent', {}, { authorization: `Bearer ${token}` })
const teach = ({ client, id }: Customer, knowledge: Partial<AgentKnowledge>) =>
  client
    .from('agent_knowledge')
    .upsert({ user_id: id, knowledge: { ...noKnowledge, ...knowledge } })
    .throwOnError()
const stateOf = async ({ client }: Customer) => (await client.rpc('my_agent').throwOnError()).data
const numberOf = async (person: Customer): Promise<string> => {
  const { numbers } = (await stateOf(person)) as { numbers: { number: string }[] }
  return numbers[0]!.number
}
/** Lets the next try begin, which would wait for minutes. */
const retryNow = (account: string) =>
  world.sql('update public.voice_agents set next_try_at = now() where account = $1', [account])
const minutesOf = async (id: string): Promise<number> =>
  Number(
    (await world.sql('select sum(minutes) from public.minute_ledger where user_id = $1', [id]))[0]!.sum ?? 0,
  )

const dogs = {
  question: 'Are dogs welcome?',
  answer: 'Dogs are welcome for $10 a night.',
  origin: 'written',
} as const

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
      provider: 'vapi',
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
    expect((await world.post('find-lost-calls', {})).status).toBe(200)

    const calls = await world.sql(
      'select kind, seconds, phone_number from public.calls where user_id = $1 order by seconds',
      [person.id],
    )
    expect(calls).toEqual([
      { kind: 'test', seconds: 61, phone_number: null },
      { kind: 'test', seconds: 200, phone_number: null },
    ])
    expect(await minutesOf(person.id)).toBe(0)
    expect(await stateOf(person)).toMatchObject({ has_called: false, agents: [{ is_at_provider: true }] })
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

  test('is not tried twice at a provider that fails; an agent of another provider is not called', async () => {
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
    await world.sql(
      `update public.voice_agents set there = '{"provider":"retell","agent":"agent_1","engine":"llm_1"}' where account = $1`,
      [person.id],
    )
    expect((await start(person)).status).toBe(501)
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
    expect(log.text()).toContain('"event":"update-agents"')
    const [row] = await world.sql('select error, tries from public.voice_agents where account = $1', [
      person.id,
    ])
    expect(row).toMatchObject({ error: expect.stringContaining(String(fault.status)) as string, tries: 1 })
    await retryNow(person.id)
    expect((await world.post('update-agents', {})).status).toBe(200)
    expect(await stateOf(person)).toMatchObject({ state: 'live' })
    expect(await agentsOf(person.id)).toHaveLength(1)
    const numbers = (await atVapi()).vapiNumbers.filter(({ name }) => name === person.id)
    expect(numbers).toHaveLength(1)
    const authorization = `Bearer ${person.token}`
    await world.post('delete-account', { email: person.email }, { authorization })
    expect((await atVapi()).vapiNumbers.filter(({ name }) => name === person.id)).toEqual([])
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
      'update public.voice_agents set there = null, live_at = null, wanted_at = now(), next_try_at = now() where account = $1',
      [person.id],
    )
    await update(person)
    expect((await agentsOf(person.id)).map(({ id }) => id)).toEqual([made!.id])
  })

  test('of two requests at once, one makes the agent', async () => {
    const person = await customer()
    await Promise.all([update(person), update(person), update(person)])
    expect(await agentsOf(person.id)).toHaveLength(1)
  })
})

describe('further numbers and agents, up to the plan’s limits', () => {
  interface Mine {
    agents: {
      account: string
      name: string | null
      state: string
      kept_until: string | null
      numbers: { number: string; kept_until: string | null }[]
      lines: number
    }[]
    numbers: { number: string; agent: string | null }[]
    room: { agents: number | null; lines: number | null }
  }
  const mine = async (person: Customer) => (await stateOf(person)) as Mine
  const freeNumber = async (): Promise<string> => {
    const number = `+1555020${String((count += 1)).padStart(4, '0')}`
    await control('number', { number })
    await world.sql(`insert into public.phone_numbers (number, provider) values ($1, 'vapi')`, [number])
    return number
  }
  const askForLine = async ({ client }: Customer, agent: string): Promise<unknown> =>
    (await client.rpc('ask_for_line', { p_agent: agent }).throwOnError()).data
  const askForAgent = async ({ client }: Customer, name: string): Promise<unknown> =>
    (await client.rpc('ask_for_agent', { p_name: name }).throwOnError()).data
  /** Rings a number, and returns the agent's first words and what came of it. */
  const ring = (number: string) => control<Outcome>('ring', { number, caller: '+15550100155' })

  test('the database has the catalogue’s limits', async () => {
    const known = await world.sql('select plan, agents, lines from private.plan_limits')
    const sold = plans.map((plan) => ({ plan: plan.id, ...planLimits(plan) }))
    expect(known).toEqual(sold.filter(({ lines }) => lines !== null))
  })

  test('147. A plan with two lines gets a second number for its agent, and no third', async () => {
    const person = await customer({ plan: 'growth' })
    await update(person)
    expect((await mine(person)).room).toEqual({ agents: 0, lines: 1 })
    expect(await askForAgent(person, 'Second desk')).toBe('at_limit')
    const second = await freeNumber()
    // Of several presses at once, one is heard.
    const answers = await Promise.all([1, 2, 3].map(() => askForLine(person, person.id)))
    expect(answers.toSorted()).toEqual(['asked', 'at_limit', 'at_limit'])
    await control('fail-next', { path: 'PATCH /vapi/phone-number', status: 500, times: 2 })
    await update(person)
    await update(person)
    const [agent] = (await mine(person)).agents
    expect(agent).toMatchObject({ state: 'live', lines: 2, numbers: [{}, { number: second }] })
    expect(await agentsOf(person.id)).toHaveLength(1)
    expect(await ring(second)).toMatchObject({ got: 'agent' })
    await world.sql(`update public.user_subscriptions set plan = 'starter' where user_id = $1`, [person.id])
    expect(await ring(agent!.numbers[0]!.number), 'the first number of a smaller plan').toMatchObject({
      got: 'agent',
    })
    expect(await ring(second), 'a number that the smaller plan does not have').toMatchObject({ got: 'words' })
  })

  test('147. A further agent has its name and number, answers from the same knowledge, and ends with the account', async () => {
    const person = await customer({ plan: 'pro' })
    await teach(person, { answers: [dogs] })
    await update(person)
    await freeNumber()
    expect(await askForAgent(person, ' Second desk ')).toBe('asked')
    await update(person)
    const { agents, room } = await mine(person)
    expect(agents).toMatchObject([
      { account: person.id, name: null, state: 'live', lines: 1 },
      { name: 'Second desk', state: 'live', lines: 1 },
    ])
    expect(room).toEqual({ agents: 1, lines: 1 })
    const { account, numbers } = agents[1]!
    const { number } = numbers[0]!
    expect((await mine(person)).numbers).toMatchObject([{ agent: null }, { number, agent: 'Second desk' }])
    expect(await agentsOf(account)).toMatchObject([
      { firstMessage: expect.stringContaining('Second desk') as string },
    ])
    const rung = await ring(number)
    expect(rung).toMatchObject({ got: 'agent' })
    expect(await control('say', { call: rung.call, text: 'Can I bring my dog?' })).toEqual({
      reply: dogs.answer,
    })
    await control('hang-up', { call: rung.call, seconds: 61 })
    expect(await minutesOf(person.id), 'its minutes are the account’s').toBe(2)

    // It is called from the browser too.
    const call = ({ token }: Customer) =>
      world.post('start-test-call', { agent: account }, { authorization: `Bearer ${token}` })
    const ticket = (await call(person)).json as { call: string }
    const { calls } = await control<{ calls: { id: string; agent: string }[] }>('state')
    const [own] = await agentsOf(account)
    expect(calls.find(({ id }) => `vapi:${id}` === ticket.call)).toMatchObject({ agent: own!.id })

    // A smaller plan has one agent: the further one answers nobody, and the first one still does.
    await world.sql(`update public.user_subscriptions set plan = 'growth' where user_id = $1`, [person.id])
    expect((await mine(person)).agents.map(({ state }) => state)).toEqual(['changing', 'stopped'])
    expect(await ring(number)).toMatchObject({ got: 'words' })
    expect((await call(person)).status, 'it is not called from the browser either').toBe(403)
    expect(await ring(agents[0]!.numbers[0]!.number)).toMatchObject({ got: 'agent' })
    await world.post('update-agents', {})
    await world.sql(
      `update public.voice_agents set stopped_at = now() - make_interval(days => 31) where account = $1`,
      [account],
    )
    await world.post('update-agents', {})
    expect(await agentsOf(account)).toEqual([])
    expect(await agentsOf(person.id)).toHaveLength(1)
    await world.sql(`update public.user_subscriptions set plan = 'pro' where user_id = $1`, [person.id])
    await update(person)
    expect(await agentsOf(account)).toHaveLength(1)

    await world.post('delete-account', { email: person.email }, { authorization: `Bearer ${person.token}` })
    await world.post('update-agents', {})
    expect([...(await agentsOf(person.id)), ...(await agentsOf(account))]).toEqual([])
    expect(
      await world.sql('select * from public.voice_agents where account = any ($1)', [[person.id, account]]),
    ).toEqual([])
  })

  const giveBack = async ({ client }: Customer, agent: string, number?: string): Promise<unknown> =>
    (await client.rpc('give_back', { p_agent: agent, ...(number && { p_number: number }) }).throwOnError())
      .data
  const takeBack = async ({ client }: Customer, agent: string, number?: string): Promise<unknown> =>
    (await client.rpc('take_back', { p_agent: agent, ...(number && { p_number: number }) }).throwOnError())
      .data
  const run = () => world.post('update-agents', {})
  const atProvider = async (number: string) =>
    (await atVapi()).vapiNumbers.find((each) => each.number === number) as
      { server?: object | null } | undefined
  const age = (table: string, column: string, value: string, days: number) =>
    world.sql(
      `update public.${table} set given_back_at = now() - make_interval(days => $1) where ${column} = $2`,
      [days, value],
    )

  test('145. A number that is given back answers nobody, is kept for 30 days, and then released at the provider', async () => {
    const log = captureLog()
    const person = await customer({ plan: 'growth' })
    await update(person)
    await freeNumber()
    await askForLine(person, person.id)
    await update(person)
    const [first, second] = (await mine(person)).numbers.map(({ number }) => number) as [string, string]
    expect(await giveBack(person, person.id), 'the first agent goes with its account only').toBe('missing')
    expect(await giveBack(person, person.id, second)).toBe('saved')
    expect(await giveBack(person, person.id, first)).toBe('last_number')
    expect(await ring(second)).toMatchObject({ got: 'words' })
    expect(await ring(first)).toMatchObject({ got: 'agent' })
    const kept = await mine(person)
    expect(kept.agents[0]!.numbers).toMatchObject([
      { number: first, kept_until: null },
      { number: second, kept_until: expect.any(String) as string },
    ])
    expect(kept.numbers.map(({ number }) => number)).toEqual([first])
    expect(await askForLine(person, person.id), 'it counts until it is released').toBe('at_limit')

    await age('phone_numbers', 'number', second, 29)
    await run()
    expect(await takeBack(person, person.id, second)).toBe('saved')
    expect(await ring(second)).toMatchObject({ got: 'agent' })
    await giveBack(person, person.id, second)
    await age('phone_numbers', 'number', second, 31)
    expect(await takeBack(person, person.id, second), 'nobody takes back what is being released').toBe(
      'missing',
    )
    // The provider fails first, and the next run goes on.
    await control('fail-next', { path: 'PATCH /vapi/phone-number', status: 500, times: 2 })
    await run()
    await retryNow(person.id)
    await run()
    expect((await atProvider(second))!.server ?? null).toBeNull()
    expect(await atProvider(first)).toMatchObject({ server: expect.anything() as object })
    expect(await ring(second)).toMatchObject({ got: 'silence' })
    expect(log.text()).toContain(`"released":"${second}"`)
    const after = await mine(person)
    expect(after.agents).toMatchObject([{ state: 'live', lines: 1, numbers: [{ number: first }] }])
    expect(after.room).toEqual({ agents: 0, lines: 1 })
    expect(await world.sql('select account from public.phone_numbers where number = $1', [second])).toEqual([
      { account: null },
    ])
    await run()
    expect((await mine(person)).agents[0]!.numbers, 'it does not get a number again').toHaveLength(1)
  })

  test('145. An agent that is given back goes after 30 days with its bought number, and is not made again', async () => {
    captureLog()
    const person = await customer({ plan: 'pro' })
    await update(person)
    expect(await askForAgent(person, 'Never made')).toBe('asked')
    const unmade = (await mine(person)).agents[1]!.account
    expect(await giveBack(person, unmade)).toBe('saved')
    expect((await mine(person)).agents, 'what nobody has made is gone at once').toHaveLength(1)

    await askForAgent(person, 'Second desk')
    const { account } = (await mine(person)).agents[1]!
    // Its number is bought, because none is free.
    await world.sql(`delete from public.phone_numbers where account is null`)
    await update(person)
    const { number } = (await mine(person)).agents[1]!.numbers[0]!
    expect((await atVapi()).vapiNumbers.filter(({ name }) => name === account)).toHaveLength(1)
    const other = await buyer({ plan: 'pro' })
    expect(await giveBack(other, account)).toBe('missing')
    expect(await takeBack(other, account)).toBe('missing')
    expect(await giveBack(other, account, number)).toBe('missing')
    expect((await world.client().rpc('give_back', { p_agent: account })).error).not.toBeNull()
    expect((await world.client().rpc('take_back', { p_agent: account })).error).not.toBeNull()

    expect(await giveBack(person, account)).toBe('saved')
    expect(await ring(number)).toMatchObject({ got: 'words' })
    expect((await mine(person)).agents[1]).toMatchObject({
      state: 'stopped',
      kept_until: expect.any(String) as string,
    })
    await run()
    expect(await takeBack(person, account)).toBe('saved')
    await run()
    expect(await ring(number)).toMatchObject({ got: 'agent' })
    await giveBack(person, account)
    await run()
    const old = `update public.voice_agents set stopped_at = now() - make_interval(days => $1) where account = $2`
    await world.sql(old, [29, account])
    await run()
    expect(await agentsOf(account)).toHaveLength(1)
    await world.sql(old, [31, account])
    await age('voice_agents', 'account', account, 31)
    await run()
    expect(await agentsOf(account)).toEqual([])
    expect((await atVapi()).vapiNumbers.filter(({ name }) => name === account)).toEqual([])
    expect(await world.sql('select * from public.phone_numbers where number = $1', [number])).toEqual([])
    await update(person)
    await run()
    expect(await mine(person)).toMatchObject({
      agents: [{ account: person.id }],
      room: { agents: 2, lines: 2 },
    })
    expect(await agentsOf(person.id)).toHaveLength(1)
  })

  test('nobody asks for another account, without payment, or before the first agent', async () => {
    const [owner, other] = [await customer({ plan: 'pro' }), await customer({ plan: 'pro' })]
    expect(await askForAgent(owner, 'Second desk')).toBe('missing')
    await update(owner)
    await update(other)
    expect(await askForLine(other, owner.id)).toBe('missing')
    expect((await mine(other)).agents.map(({ account }) => account)).toEqual([other.id])
    await world.sql(`update public.user_subscriptions set admin_status = 'blocked' where user_id = $1`, [
      owner.id,
    ])
    expect(await askForLine(owner, owner.id)).toBe('missing')
    expect(await askForAgent(owner, 'Second desk')).toBe('missing')
    expect((await world.client().rpc('ask_for_agent', { p_name: 'x' })).error).not.toBeNull()
    expect((await world.client().rpc('ask_for_line', { p_agent: owner.id })).error).not.toBeNull()
    expect((await other.client.rpc('ask_for_agent', { p_name: ' ' })).error?.code).toBe('23502')
  })

  test('without a provider the admin has them in the queue, and Live waits for all numbers', async () => {
    const person = await customer({ plan: 'growth' })
    await world.admin().rpc('want_voice_agent', { p_user_id: person.id }).throwOnError()
    expect(await askForLine(person, person.id)).toBe('asked')
    const [row] = await world.sql('select state, lines from private.agents_with_state where account = $1', [
      person.id,
    ])
    expect(row).toEqual({ state: 'waiting', lines: 2 })
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
  const run = () => world.post('update-agents', {})
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
  test('82. A hundred calls: the ledger has each once', async () => {
    captureLog()
    const person = await customer()
    await update(person)
    const number = await numberOf(person)
    const late: string[] = []
    for (let nth = 0; nth < 100; nth++) {
      const { call } = await control<Outcome>('ring', { number, caller: null })
      const isReported = nth % 5 !== 0 && nth % 5 !== 4
      await control('hang-up', { call, seconds: 30, report: isReported })
      if (nth % 5 === 1) await control('report', { call, times: 2 })
      if (nth % 5 === 2) await control('report', { call, signing: 'forged' })
      if (nth % 5 === 3) await control('report', { call, signing: 'stale' })
      if (nth % 5 === 4) late.unshift(call!)
    }
    expect(await minutesOf(person.id)).toBe(60)
    for (const call of late) await control('report', { call })
    expect(await minutesOf(person.id)).toBe(80)
    expect((await world.post('find-lost-calls', {})).json).toEqual({ found: 20 })
    expect((await world.post('find-lost-calls', {})).json).toEqual({ found: 0 })
    expect(await minutesOf(person.id)).toBe(100)
  })

  test.each(['forged', 'stale', 'none'])('82. A report that is %s is refused', async (signing) => {
    const person = await customer()
    await update(person)
    const { call } = await control<Outcome>('ring', { number: await numberOf(person) })
    await control('hang-up', { call, seconds: 30, report: false })
    const { responses } = await control<{ responses: unknown[] }>('report', { call, signing })
    expect(JSON.stringify(responses)).toContain('400')
    expect(await minutesOf(person.id)).toBe(0)
  })

  test('without the provider’s key its functions refuse everything', async () => {
    const init = { method: 'POST', body: '{"event":"call_inbound"}' }
    expect((await world.call('ring-retell', init)).status).toBe(400)
    expect((await world.call('retell-events', init)).status).toBe(400)
  })
})

test('83. A thousand rings while our function fails: each caller reaches the agent, a message or a person', async () => {
  captureLog()
  const person = await customer({ minutes_limit: 1 })
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
  for (let nth = 0; nth < 1_000; nth++) {
    if (nth === 500)
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
    if (ring.call && nth >= 500) overLimit.push(ring.call)
  }
  // Killed 167 times, down 167 times, silent 95 times.
  expect(got).toEqual({ agent: 571, number: 429 })
  // Over the limit the agent only takes a message.
  const { calls } = await control<{ calls: { id: string; turns: { text: string }[] }[] }>('state')
  const said = calls.filter(({ id }) => overLimit.includes(id)).map(({ turns }) => turns[0]!.text)
  expect(said.length).toBeGreaterThan(200)
  expect(said.filter((words) => !words.includes('I can take a message.'))).toEqual([])
})

test('a ring follows what the customer has set', async () => {
  const person = await customer({ minutes_limit: 1 })
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
    expect((await other.client.from(table).insert({ user_id: owner.id })).error).not.toBeNull()
  }
  expect((await owner.client.from('phone_numbers').select('*')).data).toEqual([])
  expect((await owner.client.from('voice_agents').select('*')).error).not.toBeNull()
  for (const table of ['voice_agents', 'phone_numbers'])
    expect((await world.client().from(table).select('*')).error).not.toBeNull()
  for (const call of ['claim_voice_agent', 'ring_facts', 'want_voice_agent', 'account_of_agent'])
    expect((await owner.client.rpc(call)).error, call).not.toBeNull()
})

/** Has an agent answer and record a call of 61 seconds; returns the call's id at the provider. */
async function recordedCall(person: Customer, findings: object = {}): Promise<string> {
  const { call } = await control<Outcome>('ring', { number: await numberOf(person), caller: '+15550100133' })
  // The call is reported as one that ends now, which began when the agent already told callers.
  await control('hang-up', { call, seconds: 0, findings })
  return call!
}
const record = { record_calls: true, record_consent_version: '2026-11' }
const recorder = async (columns: object = record): Promise<Customer> => {
  const person = await customer()
  await person.client
    .from('call_settings')
    .upsert({ user_id: person.id, ...columns })
    .throwOnError()
  await update(person)
  return person
}
const recordings = ({ id }: Customer) =>
  world.sql<{ path: string; kept_at: string | null; bytes: number }>(
    'select path, kept_at, bytes from public.call_recordings where user_id = $1',
    [id],
  )
const filesOf = async ({ id }: Customer): Promise<string[]> =>
  ((await world.admin().storage.from('call-recordings').list(id)).data ?? []).map(({ name }) => name)
const callsAtProvider = async (): Promise<string[]> =>
  (await control<{ calls: { id: string }[] }>('state')).calls.map(({ id }) => id)
const agentAtProvider = async (person: Customer) => JSON.stringify(await agentsOf(person.id))

describe('90. A recording is kept that nobody agreed to', () => {
  test('90. Calls are recorded, and callers told, from the consent until it is taken back', async () => {
    const person = await recorder({ record_calls: false })
    const said = 'This call is recorded.'
    expect(await agentAtProvider(person)).toContain('"recordingEnabled":false')
    expect(await agentAtProvider(person)).not.toContain(said)
    await recordedCall(person)
    const save = (columns: object) =>
      person.client.from('call_settings').upsert({ user_id: person.id, ...columns })
    expect((await save({ record_calls: true })).error?.code).toBe('23514')
    expect((await save({ record_consent_at: '2020-01-01' })).error).not.toBeNull()
    await save(record).throwOnError()
    // The agent does not know it yet.
    await recordedCall(person)
    expect(await recordings(person)).toEqual([])
    await update(person)
    expect(await agentAtProvider(person)).toContain('"recordingEnabled":true')
    expect(await agentAtProvider(person)).toContain(said)
    await recordedCall(person)
    expect(await recordings(person)).toHaveLength(1)
    await save({ record_calls: false }).throwOnError()
    // The provider records until it is told.
    await recordedCall(person)
    await update(person)
    expect(await agentAtProvider(person)).not.toContain(said)
    await recordedCall(person)
    expect(await recordings(person)).toHaveLength(1)
  })
})

describe('91. A recording is lost, or stays', () => {
  test('91. What could not be copied is copied later; its customer alone hears it', async () => {
    const log = captureLog()
    const [person, other] = [await recorder(), await recorder()]
    await control('fail-next', { path: 'GET /vapi/call', status: 404 })
    await recordedCall(person)
    expect(log.text()).toContain('recording missing')
    expect(await filesOf(person)).toEqual([])
    await world.sql('update public.call_recordings set next_try_at = now() where user_id = $1', [person.id])
    expect((await world.post('update-recordings', {})).json).toEqual({ found: 1 })
    const [kept] = await recordings(person)
    const { data } = await person.client.rpc('list_calls', { p_search: '', p_limit: 5 }).throwOnError()
    expect(data).toMatchObject({ rows: [{ recording: kept!.path, minutes: 0 }] })
    const url = await person.client.storage.from('call-recordings').createSignedUrl(kept!.path, 60)
    const heard = await fetch(url.data!.signedUrl)
    expect(heard.headers.get('content-type')).toBe('audio/wav')
    expect((await heard.arrayBuffer()).byteLength).toBe(kept!.bytes)

    for (const client of [other.client, world.client()]) {
      const files = client.storage.from('call-recordings')
      expect((await files.createSignedUrl(kept!.path, 60)).error).not.toBeNull()
      expect((await files.download(kept!.path)).error).not.toBeNull()
      expect((await files.list(person.id)).data ?? []).toEqual([])
      expect((await client.from('call_recordings').select('path')).data ?? []).toEqual([])
    }
    const own = person.client.storage.from('call-recordings')
    const file = new Blob(['RIFF'], { type: 'audio/wav' })
    expect((await own.upload(`${person.id}/mine`, file)).error).not.toBeNull()
    expect((await own.update(kept!.path, file)).error).not.toBeNull()
    await own.remove([kept!.path])
    expect(await filesOf(person)).toHaveLength(1)
    for (const table of ['call_purges'])
      expect((await person.client.from(table).select('*')).error).not.toBeNull()
    for (const call of ['claim_recording', 'claim_call_purge', 'want_recording'])
      expect((await person.client.rpc(call)).error, call).not.toBeNull()
  })

  test('91. After 90 days it is deleted here and at the provider, with a line in the log', async () => {
    const log = captureLog()
    const person = await recorder()
    const call = await recordedCall(person)
    expect(await filesOf(person)).toHaveLength(1)
    const age = (days: number) =>
      world.sql(
        `update public.call_recordings set created_at = now() - make_interval(days => $1) where user_id = $2`,
        [days, person.id],
      )
    await age(89)
    await world.post('update-recordings', {})
    expect(await filesOf(person)).toHaveLength(1)
    await age(91)
    await control('fail-next', { path: 'DELETE /vapi/call', status: 400 })
    await world.post('update-recordings', {})
    expect(await filesOf(person)).toEqual([])
    expect(await callsAtProvider()).toContain(call)
    await world.sql('update public.call_purges set next_try_at = now()')
    await world.post('update-recordings', {})
    expect(await callsAtProvider()).not.toContain(call)
    expect(log.text()).toContain(`"deleted":"vapi:${call}","because":"too old"`)
    expect(await world.sql('select * from public.call_purges')).toEqual([])
    expect(await world.sql('select about from public.calls where user_id = $1', [person.id])).toHaveLength(1)
  })

  test('91. What a provider has that is not connected any more waits for its former key, and the admin sees it', async () => {
    const log = captureLog()
    const person = await recorder()
    const call = await recordedCall(person)
    // The call was Retell's, before Vapi's key was set; one was reported by another service.
    const url = `${world.origin}${mounts.voice}/retell`
    const retell = await retellLine({ apiKey: local.retellKey, url, webhookKey: local.retellKey })
    const there = await retell.make(wishOf(person.id))
    const { call: left } = await retell.test(there, person.id, '')
    const atRetell = left.replace('retell:', '')
    await world.sql(`update public.calls set provider_call_id = $1 where provider_call_id = $2`, [
      left,
      `vapi:${call}`,
    ])
    await world.sql(
      `update public.call_recordings set created_at = now() - interval '91 days' where user_id = $1`,
      [person.id],
    )
    await world.sql(
      `insert into public.call_purges (call, path, reason) values ('own-1', $1 || '/own-1', 'too old')`,
      [person.id],
    )
    await world.post('update-recordings', {})
    expect(await filesOf(person), 'our copy is gone').toEqual([])
    expect(log.text()).toContain(`"left":"${left}","at":"retell"`)
    expect(log.text()).not.toContain(`"deleted":"${left}"`)
    expect(await world.sql('select call, waits_for from public.call_purges')).toEqual([
      { call: left, waits_for: 'retell' },
    ])
    await world.post('update-recordings', {})
    expect(log.text().split(`"left":"${left}"`), 'it is tried once a day').toHaveLength(2)
    const queue = { p_search: '', p_state: null, p_limit: 1, p_offset: 0 }
    const { client: admin } = await signedInAdmin(world)
    expect((await admin.rpc('list_agents', queue).throwOnError()).data).toMatchObject({
      left_calls: { retell: 1 },
    })
    // The operator sets the former key, and a day passes.
    expect(await callsAtProvider()).toContain(atRetell)
    await world.sql('update public.call_purges set next_try_at = now()')
    const connected = services()
    const env = { ...connected.env, FORMER_RETELL_API_KEY: local.retellKey, RETELL_API_URL: url }
    expect(await purgeCalls({ ...connected, env })).toEqual([left])
    expect(await callsAtProvider()).not.toContain(atRetell)
    expect(log.text()).toContain(`"deleted":"${left}"`)
    expect((await admin.rpc('list_agents', queue).throwOnError()).data).toMatchObject({ left_calls: {} })
  })

  test('91. A deleted account leaves no call and no recording, here and at the provider', async () => {
    captureLog()
    const person = await recorder({ ...record, summaries_to: ['desk@example.com'] })
    await teach(person, { about: 'A hotel.' })
    await person.client
      .from('blocked_callers')
      .insert({ user_id: person.id, phone_number: '+15550100166' })
      .throwOnError()
    const call = await recordedCall(person)
    const authorization = `Bearer ${person.token}`
    await control('fail-next', { path: 'DELETE /vapi/call', status: 500, times: 2 })
    expect((await world.post('delete-account', { email: person.email }, { authorization })).status).toBe(200)
    expect(await filesOf(person)).toEqual([])
    await world.sql('update public.call_purges set next_try_at = now()')
    await world.post('update-recordings', {})
    expect(await callsAtProvider()).not.toContain(call)
    expect(await agentsOf(person.id)).toEqual([])
    expect(await world.sql('select * from public.call_purges')).toEqual([])
    for (const table of [
      'agent_knowledge',
      'blocked_callers',
      'call_mail_readers',
      'call_mails',
      'call_recordings',
      'call_settings',
      'calls',
    ])
      expect(await world.sql(`select from public.${table} where user_id = $1`, [person.id]), table).toEqual(
        [],
      )
  })
})

describe('93. A mail about a call is lost, doubled, or not wanted', () => {
  let readers = 0
  const reader = (): string => `reader-${(readers += 1)}@example.com`
  const mailsTo = (address: string) => world.mails().filter(({ to }) => to === address)
  const ink = { about: 'Ink', outcome: 'Declined' }

  test('93. Each reader gets one mail a call, whatever is reported or run again', async () => {
    const [one, two] = [reader(), reader()]
    const person = await recorder({ summaries_to: [one, two] })
    const call = await recordedCall(person, ink)
    await control('report', { call, times: 2 })
    await Promise.all([1, 2, 3].map(() => world.post('send-call-mails', {})))
    const [row] = await world.sql<{ id: string }>('select id from public.calls where user_id = $1', [
      person.id,
    ])
    for (const address of [one, two]) {
      const [mail, ...others] = mailsTo(address)
      expect(others).toEqual([])
      expect(mail!.subject).toBe('Call: Ink')
      expect(mail!.text).toContain('Outcome: Declined\nFrom +15550100133, ')
      expect(mail!.links).toContain(`${world.origin}/portal#call-${row!.id}`)
    }
  })

  test('93. Mails of a day come together, and a mail that failed is sent again', async () => {
    const log = captureLog()
    const address = reader()
    const person = await recorder({ summaries_to: [address], summaries: 'daily' })
    await recordedCall(person, ink)
    await recordedCall(person, { about: 'Paper' })
    await world.post('send-call-mails', {})
    expect(mailsTo(address)).toEqual([])
    const due = () => world.sql('update public.call_mails set due_at = now() where user_id = $1', [person.id])
    await due()
    const network = globalThis.fetch
    onTestFinished(() => void (globalThis.fetch = network))
    globalThis.fetch = (input, init) =>
      String(input instanceof Request ? input.url : input).includes(mounts.mail)
        ? Promise.resolve(Response.json({ name: 'application_error', message: 'down' }, { status: 500 }))
        : network(input, init)
    await world.post('send-call-mails', {})
    globalThis.fetch = network
    expect(log.text()).toContain('"event":"call-mails"')
    await due()
    await world.post('send-call-mails', {})
    const [mail, ...others] = mailsTo(address)
    expect(others).toEqual([])
    expect(mail!.subject).toBe('Your agent took 2 calls')
    expect(mail!.text).toMatch(/Ink\n[^]*Paper\n/)
    await recordedCall(person, { about: 'Glue' })
    await due()
    await world.post('send-call-mails', {})
    expect(mailsTo(address).map(({ subject }) => subject)).toEqual([
      'Your agent took 1 call',
      'Your agent took 2 calls',
    ])
  })

  test('93. Who ends the mails, or is taken off the list, gets no more', async () => {
    const [one, two, three] = [reader(), reader(), reader()]
    const person = await recorder({ summaries_to: [one, two, three] })
    await recordedCall(person, ink)
    const link = mailsTo(one)[0]!.links.find((each) => each.includes('stop-call-mails'))!
    expect(await (await fetch(link)).text()).toContain('No more mails about calls?')
    await recordedCall(person, ink)
    expect(mailsTo(one)).toHaveLength(2)
    expect(await (await fetch(link, { method: 'POST' })).text()).toContain('You get no more mails')
    for (const method of ['GET', 'POST'])
      expect(await (await fetch(link, { method })).text()).toContain('You have ended them before')
    for (const method of ['GET', 'POST']) {
      const wrong = await fetch(link.replace(/.{12}$/, '000000000000'), { method })
      expect([wrong.status, await wrong.text()]).toEqual([
        404,
        expect.stringContaining('This link is not valid'),
      ])
    }
    await person.client
      .from('call_settings')
      .update({ summaries_to: [one, two] })
      .eq('user_id', person.id)
    await recordedCall(person, ink)
    expect([one, two, three].map((address) => mailsTo(address).length)).toEqual([2, 3, 2])
    await person.client.from('call_settings').update({ summaries: 'never' }).eq('user_id', person.id)
    await recordedCall(person, ink)
    expect(mailsTo(two)).toHaveLength(3)
    const seen = await person.client.from('call_mail_readers').select('email, stopped_at').order('email')
    expect(seen.data!.filter(({ stopped_at }) => stopped_at !== null)).toMatchObject([{ email: one }])
    const other = await customer()
    expect((await other.client.from('call_mail_readers').select('email')).data).toEqual([])
    expect((await person.client.from('call_mail_readers').select('token')).error).not.toBeNull()
    expect((await person.client.from('call_mails').select('*')).error).not.toBeNull()
  })
})
