import type { SupabaseClient } from '@supabase/supabase-js'
import { beforeAll, expect, test } from 'vitest'
import { noKnowledge } from '#agent/domain/knowledge/knowledge.ts'
import { local, mounts } from '../../local/environment.ts'
import { customerInPeriod, signedIn, signedInAdmin } from '../support/admin.ts'
import { answerInProcess } from '../support/in-process.ts'
import { captureLog } from '../support/log.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
let admin: Awaited<ReturnType<typeof signedInAdmin>>
beforeAll(async () => {
  admin = await signedInAdmin(world)
})

const rpc = async <T = string>(name: string, args: Record<string, unknown>, by = admin.client): Promise<T> =>
  (await by.rpc(name, args).throwOnError()).data as T
interface Queue {
  counts: Record<string, number>
  more: boolean
  rows: { account: string; state: string; numbers: string[] }[]
}
const list = (more: Record<string, unknown> = {}) =>
  rpc<Queue>('list_agents', { p_search: '', p_state: null, p_limit: 20, p_offset: 0, ...more })
const details = (account: string) => rpc<Record<string, unknown>>('agent_of_account', { p_account: account })
const wanted = async (account: string) => ({
  p_account: account,
  p_wanted_at: (await details(account)).wanted_at,
})
const seenBy = async (client: SupabaseClient) => (await rpc<{ state: string }>('my_agent', {}, client)).state

/** Returns a customer whose agent waits for a hand: no provider was asked for it. */
async function waiting() {
  const person = await customerInPeriod(world, { onboarding_completed: true })
  await world.admin().rpc('want_voice_agent', { p_user_id: person.id }).throwOnError()
  return person
}
let count = 0
async function number(isAtProvider = false): Promise<string> {
  const entered = `+1555030${String((count += 1)).padStart(4, '0')}`
  expect(await rpc('add_phone_numbers', { p_numbers: [entered, entered], p_at_provider: isAtProvider })).toBe(
    1,
  )
  return entered
}
const give = (account: string, entered: string) =>
  rpc('give_phone_number', { p_account: account, p_number: entered })
const teach = ({ client, id }: Awaited<ReturnType<typeof waiting>>) =>
  client.from('agent_knowledge').upsert({ user_id: id, knowledge: noKnowledge }).throwOnError()

test('an agent is set up by hand: number, Live, and again after the customer has changed something', async () => {
  const person = await waiting()
  expect(await seenBy(person.client)).toBe('setting_up')
  expect((await list({ p_search: person.email, p_state: 'waiting' })).rows).toMatchObject([
    { account: person.id, state: 'waiting', numbers: [] },
  ])
  expect(await rpc('set_agent_live', await wanted(person.id))).toBe('no_number')
  const entered = await number()
  expect(await give(person.id, entered)).toBe('saved')
  const seen = await wanted(person.id)
  await teach(person)
  expect(await rpc('set_agent_live', seen), 'the customer has changed something').toBe('conflict')
  expect(await rpc('set_agent_live', await wanted(person.id))).toBe('saved')
  expect(await seenBy(person.client)).toBe('live')
  expect((await list({ p_search: person.email })).rows).toMatchObject([{ state: 'live', numbers: [entered] }])

  await teach(person)
  expect(await seenBy(person.client)).toBe('changing')
  expect(await details(person.id)).toMatchObject({ state: 'waiting', by_hand: true, knowledge: noKnowledge })
  // The provider is never asked for an agent that was set up by hand.
  const authorization = `Bearer ${admin.token}`
  expect((await world.post('retry-agent', { account: person.id }, { authorization })).json).toEqual({
    updated: false,
  })
  expect(await details(person.id)).toMatchObject({ is_at_provider: false })

  await world.post('delete-account', { email: person.email }, { authorization: `Bearer ${person.token}` })
  expect((await list({ p_state: 'leaving' })).rows).toMatchObject([{ account: person.id }])
  expect(await rpc('set_agent_removed', { p_account: person.id })).toBe('saved')
  expect((await list({ p_state: 'leaving' })).rows).toEqual([])
  expect(await rpc('remove_phone_number', { p_number: entered }), 'it is free again').toBe(true)
  const log = await admin.client.from('audit_log').select('action, subject_id').order('id').throwOnError()
  const ofNumber = log.data.filter(({ subject_id }) => subject_id === entered)
  expect(ofNumber.map(({ action }) => action as string)).toEqual(['added', 'changed', 'changed', 'deleted'])
})

test('145. What is given back, or not paid for 30 days, waits for the admin if it was set up by hand', async () => {
  const person = await waiting()
  await world.sql(`update public.user_subscriptions set plan = 'pro' where user_id = $1`, [person.id])
  const [first, second, third] = [await number(), await number(), await number()]
  for (const each of [first, second]) expect(await give(person.id, each)).toBe('saved')
  const live = async (account: string) =>
    expect(await rpc('set_agent_live', await wanted(account))).toBe('saved')
  await live(person.id)
  expect(await rpc('ask_for_agent', { p_name: 'Second desk' }, person.client)).toBe('asked')
  const rows = await world.sql<{ account: string }>(
    'select account from public.voice_agents where user_id = $1 and name is not null',
    [person.id],
  )
  const { account } = rows[0]!
  expect(await give(account, third)).toBe('saved')
  await live(account)

  const giveBack = (agent: string, given?: string) =>
    rpc('give_back', { p_agent: agent, ...(given && { p_number: given }) }, person.client)
  expect(await giveBack(person.id, second)).toBe('saved')
  expect(await details(person.id)).toMatchObject({
    state: 'waiting',
    numbers: [{ kept_until: null }, { number: second, kept_until: expect.any(String) as string }],
  })
  await live(person.id)
  const given = `given_back_at = now() - interval '31 days'`
  await world.sql(`update public.phone_numbers set ${given} where number = $1`, [second])
  await world.work('stopped agents', 'agents')
  expect(await details(person.id), 'it waits again once the number is to be released').toMatchObject({
    state: 'waiting',
  })
  expect(await rpc('take_phone_number', { p_account: person.id, p_number: second })).toBe('saved')
  await live(person.id)

  const ended = (days: number) =>
    world.sql(
      'update public.voice_agents set stopped_at = now() - make_interval(days => $1) where user_id = $2 and stopped_at is not null',
      [days, person.id],
    )
  expect(await giveBack(account)).toBe('saved')
  await world.work('stopped agents', 'agents')
  expect(await rpc('set_agent_removed', { p_account: account }), 'it is kept').toBe('missing')
  await ended(31)
  await world.work('stopped agents', 'agents')
  expect((await list({ p_state: 'leaving' })).rows).toMatchObject([{ account }])
  expect(await rpc('set_agent_removed', { p_account: account })).toBe('saved')
  expect(await rpc('remove_phone_number', { p_number: third }), 'it is free again').toBe(true)
  expect((await list({ p_search: person.email })).rows).toMatchObject([{ account: person.id }])

  const status = (to: string) =>
    world.sql('update public.user_subscriptions set billing_status = $1 where user_id = $2', [to, person.id])
  await status('canceled')
  await world.work('stopped agents', 'agents')
  await ended(31)
  await world.work('stopped agents', 'agents')
  expect((await list({ p_state: 'leaving' })).rows).toMatchObject([{ account: person.id }])
  expect(await rpc('set_agent_removed', { p_account: person.id })).toBe('saved')
  expect(await rpc('remove_phone_number', { p_number: first })).toBe(true)
  await status('active')
  expect(await details(person.id), 'who pays again is set up again').toMatchObject({
    state: 'waiting',
    by_hand: false,
    numbers: [],
  })
})

test('an agent that nobody has set up goes with its account, and its number is free', async () => {
  const person = await waiting()
  const entered = await number()
  await give(person.id, entered)
  await world.post('delete-account', { email: person.email }, { authorization: `Bearer ${person.token}` })
  expect((await list()).rows.some(({ account }) => account === person.id)).toBe(false)
  expect(await rpc('remove_phone_number', { p_number: entered })).toBe(true)
})

test('a number belongs to one agent, and to one at its provider', async () => {
  const [one, other] = [await waiting(), await waiting()]
  const entered = await number(true)
  await fetch(`${world.origin}${mounts.voice}/test/number`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number: entered }),
  })
  expect(await give(one.id, entered)).toBe('saved')
  expect(await give(other.id, entered)).toBe('taken')
  expect(await rpc('remove_phone_number', { p_number: entered })).toBe(false)
  expect(await rpc('take_phone_number', { p_account: one.id, p_number: entered })).toBe('saved')
  expect(await give(one.id, entered)).toBe('saved')

  // The provider makes the agent, and binds the number that the admin gave.
  const authorization = `Bearer ${admin.token}`
  expect((await world.post('retry-agent', { account: one.id }, { authorization })).json).toEqual({
    updated: true,
  })
  expect(await details(one.id)).toMatchObject({ state: 'live', is_at_provider: true, by_hand: false })
  expect(await rpc('take_phone_number', { p_account: one.id, p_number: entered })).toBe('at_provider')
  expect(await give(one.id, await number())).toBe('elsewhere')
  expect(await rpc('set_agent_live', await wanted(one.id))).toBe('at_provider')
  // A second line is bound by the next run.
  expect(await give(one.id, await number(true))).toBe('saved')
  expect(await details(one.id)).toMatchObject({ state: 'changing' })
})

test('the operator gets one mail about each agent that waits, also after a mail that failed', async () => {
  captureLog()
  const mails = () =>
    world
      .mails()
      .filter(({ to, subject }) => to === local.adminEmail && /agents? (is|are) waiting /.test(subject))
  const person = await waiting()
  await world.work('waiting agents')
  expect(mails(), 'a provider has five minutes').toEqual([])
  await world.sql(
    `update public.voice_agents set wanted_at = now() - interval '6 minutes' where account = $1`,
    [person.id],
  )
  const mailAgain = answerInProcess(
    `${world.origin}${mounts.mail}`,
    () => new Response(null, { status: 500 }),
  )
  await world.work('waiting agents')
  mailAgain()
  expect(mails()).toEqual([])
  await world.work('waiting agents')
  await world.work('waiting agents')
  expect(mails()).toMatchObject([
    { text: expect.stringContaining(`- ${person.email}: to be set up`) as string },
  ])
  expect(mails()[0]!.text).toContain(`${process.env.PUBLIC_SITE_URL}/admin/agents`)
})

test('the strip counts agents that wait, and open leads', async () => {
  const before = await rpc<Record<string, number>>('admin_overview', {})
  await waiting()
  await world.admin().rpc('create_lead', {
    p: {
      id: crypto.randomUUID(),
      kind: 'call-back',
      name: 'Ada',
      email: 'ada@example.com',
      phone: null,
      wish: 'A call',
      page: '/',
    },
  })
  const after = await rpc<Record<string, number>>('admin_overview', {})
  expect(after.agents_waiting! - before.agents_waiting!).toBe(1)
  expect(after.leads! - before.leads!).toBe(1)
})

test('the admin sees which mails an account was sent, and nobody else does', async () => {
  const person = await waiting()
  await world.post('request-password-reset', { email: person.email })
  const [mail] = world.mails().filter(({ to }) => to === person.email)
  const sent = (by: SupabaseClient) =>
    by.from('sent_mails').select('user_id, kind, provider_id').eq('user_id', person.id)
  expect((await sent(admin.client).throwOnError()).data).toEqual([
    { user_id: person.id, kind: 'password link', provider_id: mail!.id },
  ])
  expect((await sent(person.client)).data).toEqual([])
  expect((await sent(world.client())).error?.code).toBe('42501')
  const forged = { p_email: person.email, p_kind: 'forged', p_provider_id: 'x' }
  expect((await person.client.rpc('note_mail', forged)).error?.code).toBe('42501')
})

test('nobody but the admin sees or changes agents and numbers', async () => {
  const person = await waiting()
  const stranger = await signedIn(world)
  const entered = await number()
  const account = { p_account: person.id }
  const calls: [string, Record<string, unknown>][] = [
    ['list_agents', { p_search: '', p_state: null, p_limit: 20, p_offset: 0 }],
    ['agent_of_account', account],
    ['set_agent_live', await wanted(person.id)],
    ['set_agent_removed', account],
    ['add_phone_numbers', { p_numbers: ['+15550309999'], p_at_provider: false }],
    ['remove_phone_number', { p_number: entered }],
    ['give_phone_number', { ...account, p_number: entered }],
    ['take_phone_number', { ...account, p_number: entered }],
    ['waiting_agents', {}],
    ['note_agents_told', { p_accounts: [] }],
  ]
  for (const client of [person.client, stranger.client, world.client()]) {
    for (const [name, args] of calls) expect((await client.rpc(name, args)).error?.code, name).toBe('42501')
    expect((await client.from('phone_numbers').select('number')).data ?? []).toEqual([])
  }
  const answer = await world.post(
    'retry-agent',
    { account: person.id },
    { authorization: `Bearer ${person.token}` },
  )
  expect(answer.status).toBe(403)
})
