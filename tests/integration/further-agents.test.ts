import { describe, expect, test } from 'vitest'
import { planLimits } from '#plans/domain/plans.ts'
import { localPriceId } from '../../local/environment.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { captureLog } from '../support/log.ts'
import { cards } from '../support/money.ts'
import { subscriber } from '../support/plan-change.ts'
import { dogs, telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const {
  control,
  atVapi,
  agentsOf,
  buyer,
  customer,
  freeNumber,
  update,
  teach,
  stateOf,
  retryNow,
  minutesOf,
} = telephonyIn(world)

describe('further numbers and agents, up to the plan’s limits', () => {
  interface Mine {
    agents: {
      account: string
      name: string | null
      state: string
      kept_until: string | null
      chosen_for: string[]
      numbers: { number: string; kept_until: string | null }[]
      lines: number
    }[]
    numbers: { number: string; agent: string | null }[]
    room: { agents: number | null; lines: number | null }
  }
  const mine = async (person: Customer) => (await stateOf(person)) as Mine
  const askForLine = async ({ client }: Customer, agent: string): Promise<unknown> =>
    (await client.rpc('ask_for_line', { p_agent: agent }).throwOnError()).data
  const askForAgent = async ({ client }: Customer, name: string): Promise<unknown> =>
    (await client.rpc('ask_for_agent', { p_name: name }).throwOnError()).data
  /** Rings a number, and returns the agent's first words and what came of it. */
  const ring = (number: string) => control<Outcome>('ring', { number, caller: '+15550100155' })

  test('the database has the catalogue’s limits', async () => {
    const known = await world.sql('select plan, agents, lines from private.plan_limits')
    expect(known).toEqual(planLimits)
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
    await world.work('stopped agents', 'agents')
    await world.sql(
      `update public.voice_agents set stopped_at = now() - make_interval(days => 31) where account = $1`,
      [account],
    )
    await world.work('stopped agents', 'agents')
    expect(await agentsOf(account)).toEqual([])
    expect(await agentsOf(person.id)).toHaveLength(1)
    await world.sql(`update public.user_subscriptions set plan = 'pro' where user_id = $1`, [person.id])
    await update(person)
    expect(await agentsOf(account)).toHaveLength(1)

    await world.post('delete-account', { email: person.email }, { authorization: `Bearer ${person.token}` })
    await world.work('stopped agents', 'agents')
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
  const run = () => world.work('stopped agents', 'agents')
  const atProvider = async (number: string) =>
    (await atVapi()).numbers.find((each) => each.number === number) as { server?: object | null } | undefined
  const age = (table: string, column: string, value: string, days: number) =>
    world.sql(
      `update public.${table} set given_back_at = now() - make_interval(days => $1) where ${column} = $2`,
      [days, value],
    )

  test('145, 179. A number that is given back answers nobody, is kept for 30 days, and then released at the provider', async () => {
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
    expect(log.notices()).toContainEqual(expect.objectContaining({ released: 'number', of: person.id }))
    expect(log.text()).not.toContain(second)
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
    expect((await atVapi()).numbers.filter(({ name }) => name === account)).toHaveLength(1)
    const other = await buyer({ plan: 'pro' })
    expect(await giveBack(other, account)).toBe('missing')
    expect(await takeBack(other, account)).toBe('missing')
    expect(await giveBack(other, account, number)).toBe('missing')
    expect((await world.client().rpc('give_back', { p_agent: account })).error?.code).toBe('42501')
    expect((await world.client().rpc('take_back', { p_agent: account })).error?.code).toBe('42501')

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
    expect((await atVapi()).numbers.filter(({ name }) => name === account)).toEqual([])
    expect(await world.sql('select * from public.phone_numbers where number = $1', [number])).toEqual([])
    await update(person)
    await run()
    expect(await mine(person)).toMatchObject({
      agents: [{ account: person.id }],
      room: { agents: 2, lines: 2 },
    })
    expect(await agentsOf(person.id)).toHaveLength(1)
  })

  const choose = async (
    { client }: Pick<Customer, 'client'>,
    plan: string,
    agents: string[],
    numbers: string[],
  ) => {
    const chosen = { p_plan: plan, p_agents: agents, p_numbers: numbers }
    return (await client.rpc('choose_for_plan', chosen).throwOnError()).data as unknown
  }
  /** Buys Pro, and has three agents with a number each. */
  async function threeAgents() {
    const bought = await subscriber(world, 'pro', cards.paying)
    const { data } = await bought.client.auth.getSession()
    const person = { ...bought, id: bought.user, token: data.session!.access_token }
    await world.sql('update public.user_subscriptions set onboarding_completed = true where user_id = $1', [
      person.id,
    ])
    await freeNumber()
    await update(person)
    for (const name of ['Second desk', 'Third desk']) {
      await freeNumber()
      expect(await askForAgent(person, name)).toBe('asked')
      await update(person)
    }
    const { agents } = await mine(person)
    expect(agents).toMatchObject([{ account: person.id }, { name: 'Second desk' }, { name: 'Third desk' }])
    return {
      person,
      agents: agents.map(({ account }) => account),
      numbers: agents.map((one) => one.numbers[0]!.number),
    }
  }
  const answering = async (numbers: string[]) => (await Promise.all(numbers.map(ring))).map(({ got }) => got)

  test('200. Pro with three agents becomes Growth: from the new period on the chosen one answers, with two lines', async () => {
    captureLog()
    const { person, agents, numbers } = await threeAgents()
    const [first, second, third] = agents as [string, string, string]
    const [n1, n2, n3] = numbers as [string, string, string]
    const other = await customer({ plan: 'pro' })
    await update(other)
    expect(await choose(person, 'growth', [other.id], [])).toBe('missing')
    expect(await choose(person, 'growth', [third], [n1])).toBe('missing')
    expect(await choose(person, 'growth', [second, third], [n2, n3])).toBe('wrong_count')
    expect(await choose(person, 'growth', [third, third], [n3])).toBe('saved')
    expect(await choose(person, 'growth', [], [])).toBe('wrong_count')
    expect(await choose(person, 'growth', [third], [])).toBe('wrong_count')
    expect(await choose(person, 'pro', agents, numbers)).toBe('begun')
    const anyone = { p_plan: 'growth', p_agents: [], p_numbers: [] }
    expect((await world.client().rpc('choose_for_plan', anyone)).error?.code).toBe('42501')

    await person.post('change-next-plan', { plan: 'growth' })
    expect((await mine(person)).agents.map(({ chosen_for }) => chosen_for)).toEqual([[], [], ['growth']])
    await person.post('change-next-plan', { plan: 'pro' })
    expect(
      (await mine(person)).agents.map(({ chosen_for }) => chosen_for),
      'taken back',
    ).toEqual([[], [], []])
    expect(await choose(person, 'growth', [second], [n2])).toBe('saved')
    await person.post('change-next-plan', { plan: 'growth' })
    expect(await choose(person, 'growth', [third], [n3]), 'changed').toBe('saved')
    expect(await answering(numbers), 'nothing changes before the new period').toEqual([
      'agent',
      'agent',
      'agent',
    ])

    await world.advanceClock(32)
    await world.settled()
    expect(await person.row()).toMatchObject({ plan: 'growth' })
    expect(await answering(numbers)).toEqual(['words', 'words', 'agent'])
    expect((await mine(person)).room).toEqual({ agents: 0, lines: 1 })
    expect(await askForLine(person, first)).toBe('missing')
    expect(await askForLine(person, third)).toBe('asked')
    const n4 = await freeNumber()
    await update(person)
    expect(await answering([n3, n4]), 'both lines of Growth').toEqual(['agent', 'agent'])
    expect(await askForLine(person, third)).toBe('at_limit')
    expect(await choose(person, 'growth', [second], [n2]), 'the period has begun').toBe('begun')
    // A choice for the plan after that changes nothing yet.
    expect(await choose(person, 'starter', [second], [n2])).toBe('saved')
    await person.post('change-next-plan', { plan: 'starter' })
    expect(await answering([n1, n2, n3, n4])).toEqual(['words', 'words', 'agent', 'agent'])

    // The others' callers are put through if there is somebody.
    await person.client
      .from('call_settings')
      .upsert({ user_id: person.id, fallback_number: '+15550100199' })
      .throwOnError()
    expect(await ring(n1)).toMatchObject({ got: 'number', to: '+15550100199' })

    // After 30 days those that stopped are gone, the account's first one, too.
    await run()
    await world.sql(
      `update public.voice_agents set stopped_at = now() - interval '31 days' where user_id = $1 and stopped_at is not null`,
      [person.id],
    )
    await run()
    expect(await Promise.all(agents.map(async (each) => (await agentsOf(each)).length))).toEqual([0, 0, 1])
    expect(await mine(person)).toMatchObject({
      state: 'live',
      numbers: [{ number: n3 }, { number: n4 }],
      room: { agents: 0, lines: 0 },
    })
  })

  test('200. Without a choice the oldest agent goes on, and what was given back before takes no room', async () => {
    captureLog()
    const { person, agents, numbers } = await threeAgents()
    await giveBack(person, agents[1]!)
    // As the operator does it.
    const { items } = await world.stripe.subscriptions.retrieve(person.subscription)
    await world.stripe.subscriptions.update(person.subscription, {
      items: [{ id: items.data[0]!.id, price: localPriceId('growth') }],
      proration_behavior: 'none',
    })
    await world.advanceClock(32)
    await world.settled()
    expect(await person.row()).toMatchObject({ plan: 'growth' })
    expect(await answering(numbers)).toEqual(['agent', 'words', 'words'])
    expect((await mine(person)).room).toEqual({ agents: 0, lines: 1 })
    expect(await takeBack(person, agents[1]!), 'Growth has one agent').toBe('at_limit')
    expect(await askForLine(person, person.id)).toBe('asked')
    await world.sql(`update public.user_subscriptions set plan = 'pro' where user_id = $1`, [person.id])
    expect(await answering(numbers), 'a larger plan has the others again').toEqual([
      'agent',
      'words',
      'agent',
    ])
    expect(await takeBack(person, agents[1]!), 'its line is used by now').toBe('at_limit')
  })

  test('200. The numbers that go on with a plan of fewer lines are chosen too', async () => {
    const person = await customer({ plan: 'pro', next_plan: 'pro' })
    await update(person)
    for (let nth = 2; nth <= 3; nth++) {
      await freeNumber()
      await askForLine(person, person.id)
      await update(person)
    }
    const numbers = (await mine(person)).numbers.map(({ number }) => number)
    expect(await choose(person, 'growth', [person.id], numbers)).toBe('wrong_count')
    expect(await choose(person, 'growth', [person.id], numbers.slice(1))).toBe('saved')
    expect(await answering(numbers)).toEqual(['agent', 'agent', 'agent'])
    await world.sql(
      `update public.user_subscriptions set plan = 'growth', next_plan = 'growth' where user_id = $1`,
      [person.id],
    )
    expect(await answering(numbers)).toEqual(['words', 'agent', 'agent'])
    const { agents, numbers: shown } = await mine(person)
    expect(shown.map(({ number }) => number)).toEqual(numbers.slice(1))
    expect(agents[0]!.numbers).toMatchObject([
      { is_in_plan: false },
      { is_in_plan: true },
      { is_in_plan: true },
    ])
    for (const number of numbers.slice(1)) await giveBack(person, person.id, number)
    expect((await mine(person)).room.lines, 'in the same period').toBe(0)
    await world.sql('update public.user_subscriptions set current_period_start = now() where user_id = $1', [
      person.id,
    ])
    expect((await mine(person)).room.lines, 'in the next one').toBe(1)
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
    expect((await world.client().rpc('ask_for_agent', { p_name: 'x' })).error?.code).toBe('42501')
    expect((await world.client().rpc('ask_for_line', { p_agent: owner.id })).error?.code).toBe('42501')
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
