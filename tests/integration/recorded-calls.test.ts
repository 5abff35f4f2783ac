import { describe, expect, onTestFinished, test } from 'vitest'
import { services, type Services } from '#platform/server/services.ts'
import { runJobs } from '#platform/server/jobs.ts'
import { purges } from '#telephony/server/recordings.ts'
import type { Outcome } from '../../local/voice/calls.ts'
import { mounts } from '../../local/environment.ts'
import { captureLog } from '../support/log.ts'
import { telephonyIn, type Customer } from '../support/telephony.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()
const { control, agentsOf, customer, freeNumber, update, teach, stateOf, numberOf } = telephonyIn(world)

/** Has an agent answer and record a call; returns the call's id at the provider. */
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
    expect((await save({ record_consent_at: '2020-01-01' })).error?.code).toBe('42501')
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
  test('201. Of two agents, only the one that tells callers has its calls recorded', async () => {
    captureLog()
    const person = await customer({ plan: 'pro' })
    await update(person)
    await freeNumber()
    await person.client.rpc('ask_for_agent', { p_name: 'Second desk' }).throwOnError()
    await update(person)
    await person.client
      .from('call_settings')
      .upsert({ user_id: person.id, ...record })
      .throwOnError()
    // Another run is at work at the second agent, so that only the first is told.
    await world.sql(
      `update private.jobs j set claim = gen_random_uuid(), claimed_until = now() + interval '1 minute'
       from public.voice_agents a where a.user_id = $1 and a.name is not null and j.key = a.account::text`,
      [person.id],
    )
    await update(person)
    const { numbers } = (await stateOf(person)) as { numbers: { number: string; agent: string | null }[] }
    const calls: string[] = []
    for (const { number } of numbers) {
      const { call } = await control<Outcome>('ring', { number, caller: '+15550100144' })
      await control('hang-up', { call, seconds: 0 })
      calls.push(`vapi:${call}`)
    }
    expect(numbers.map(({ agent }) => agent)).toEqual([null, 'Second desk'])
    const recorded = await world.sql(
      `select c.provider_call_id as call from public.call_recordings r join public.calls c on c.id = r.call_id
       where r.user_id = $1`,
      [person.id],
    )
    expect(recorded).toEqual([{ call: calls[0] }])
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
    await world.hasten('recordings')
    await world.work('recordings')
    const [kept] = await recordings(person)
    const { data } = await person.client.rpc('list_calls', { p_search: '', p_limit: 5 }).throwOnError()
    expect(data).toMatchObject({ rows: [{ recording: kept!.path, minutes: 0 }] })
    const url = await person.client.storage.from('call-recordings').createSignedUrl(kept!.path, 60)
    const heard = await fetch(url.data!.signedUrl)
    expect(heard.headers.get('content-type')).toBe('audio/wav')
    expect((await heard.arrayBuffer()).byteLength).toBe(kept!.bytes)

    for (const client of [other.client, world.client()]) {
      const files = client.storage.from('call-recordings')
      expect((await files.createSignedUrl(kept!.path, 60)).error).toMatchObject({ statusCode: '404' })
      expect((await files.download(kept!.path)).error).toMatchObject({ statusCode: '404' })
      expect((await files.list(person.id)).data ?? []).toEqual([])
      expect((await client.from('call_recordings').select('path')).data ?? []).toEqual([])
    }
    const own = person.client.storage.from('call-recordings')
    const file = new Blob(['RIFF'], { type: 'audio/wav' })
    expect((await own.upload(`${person.id}/mine`, file)).error).toMatchObject({ statusCode: '403' })
    expect((await own.update(kept!.path, file)).error).toMatchObject({ statusCode: '403' })
    await own.remove([kept!.path])
    expect(await filesOf(person)).toHaveLength(1)
    const calls = { recording_to_keep: { p_call: 'x' }, want_recording: { p_call: 'x', p_agent: 'x' } }
    for (const [call, args] of Object.entries(calls))
      expect((await person.client.rpc(call, args)).error?.code, call).toBe('42501')
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
    await world.work('old recordings', 'purges', 'recordings')
    expect(await filesOf(person)).toHaveLength(1)
    await age(91)
    await control('fail-next', { path: 'DELETE /vapi/call', status: 400 })
    await world.work('old recordings', 'purges', 'recordings')
    expect(await filesOf(person)).toEqual([])
    expect(await callsAtProvider()).toContain(call)
    await world.hasten('purges')
    await world.work('old recordings', 'purges', 'recordings')
    expect(await callsAtProvider()).not.toContain(call)
    expect(log.text()).toContain(`"deleted":"vapi:${call}","because":"too old"`)
    expect(await world.sql(`select * from private.jobs where kind = 'purges'`)).toEqual([])
    expect(await world.sql('select about from public.calls where user_id = $1', [person.id])).toHaveLength(1)
  })

  test('91. Without the provider’s key, what the provider has of a call is not forgotten', async () => {
    const log = captureLog()
    const person = await recorder()
    const call = await recordedCall(person)
    await world.sql(
      `update public.call_recordings set created_at = now() - interval '91 days' where user_id = $1`,
      [person.id],
    )
    // Of a call that another service has reported, only our copy is deleted.
    await world.sql(
      `select private.enqueue('purges', 'own-1', interval '0', jsonb_build_object('path', $1 || '/own-1', 'reason', 'too old'))`,
      [person.id],
    )
    await world.work('old recordings')
    const env = { ...services().env, VAPI_API_KEY: undefined }
    const purge = (connected: Services) => runJobs(purges, connected, { until: Date.now() + 10_000 })
    expect(await purge({ ...services(), env })).toBe(1)
    expect(await filesOf(person), 'our copy is gone').toEqual([])
    expect(await callsAtProvider()).toContain(call)
    expect(log.text()).toContain('recording left at the provider')
    expect(log.text()).not.toContain(`"deleted":"vapi:${call}"`)
    await world.hasten('purges')
    expect(await purge(services())).toBe(1)
    expect(await callsAtProvider()).not.toContain(call)
  })

  test('91. A deleted account leaves no call and no recording, here and at the provider', async () => {
    captureLog()
    const person = await recorder({ ...record, summaries_to: ['desk@example.com'] })
    await teach(person, { about: 'A hotel.' })
    await person.client
      .from('blocked_callers')
      .insert({ user_id: person.id, phone_number: '+15550100166' })
      .throwOnError()
    await person.client.from('retention').upsert({ user_id: person.id, keep_days: 30 }).throwOnError()
    const call = await recordedCall(person)
    const authorization = `Bearer ${person.token}`
    await control('fail-next', { path: 'DELETE /vapi/call', status: 500, times: 2 })
    expect((await world.post('delete-account', { email: person.email }, { authorization })).status).toBe(200)
    expect(await filesOf(person)).toEqual([])
    await world.hasten('purges')
    await world.work('old recordings', 'purges', 'recordings')
    expect(await callsAtProvider()).not.toContain(call)
    expect(await agentsOf(person.id)).toEqual([])
    expect(await world.sql(`select * from private.jobs where kind = 'purges'`)).toEqual([])
    for (const table of [
      'agent_knowledge',
      'blocked_callers',
      'call_mail_readers',
      'call_mails',
      'call_recordings',
      'call_settings',
      'calls',
      'retention',
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
    await Promise.all([1, 2, 3].map(() => world.work('call mails')))
    const [row] = await world.sql<{ id: string }>('select id from public.calls where user_id = $1', [
      person.id,
    ])
    for (const address of [one, two]) {
      const [mail, ...others] = mailsTo(address)
      expect(others).toEqual([])
      expect(mail!.subject).toBe('Call: Ink')
      expect(mail!.text).toContain('Outcome: Declined\nFrom +1 555 010 0133, ')
      expect(mail!.links).toContain(`${world.origin}/portal?call=${row!.id}`)
    }
  })

  test('93. Mails of a day come together, and a mail that failed is sent again', async () => {
    const log = captureLog()
    const address = reader()
    const person = await recorder({ summaries_to: [address], summaries: 'daily' })
    await recordedCall(person, ink)
    await recordedCall(person, { about: 'Paper' })
    await world.work('call mails')
    expect(mailsTo(address)).toEqual([])
    const due = () => world.sql('update public.call_mails set due_at = now() where user_id = $1', [person.id])
    await due()
    const network = globalThis.fetch
    onTestFinished(() => void (globalThis.fetch = network))
    globalThis.fetch = (input, init) =>
      String(input instanceof Request ? input.url : input).includes(mounts.mail)
        ? Promise.resolve(Response.json({ name: 'application_error', message: 'down' }, { status: 500 }))
        : network(input, init)
    await world.work('call mails')
    globalThis.fetch = network
    expect(log.text()).toContain('"event":"call mails"')
    await world.hasten('call mails')
    await world.work('call mails')
    const [mail, ...others] = mailsTo(address)
    expect(others).toEqual([])
    expect(mail!.subject).toBe('Your agent took 2 calls')
    expect(mail!.text).toMatch(/Ink\n[^]*Paper\n/)
    await recordedCall(person, { about: 'Glue' })
    await due()
    await world.work('call mails')
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
    expect(await (await fetch(link)).text()).toContain('No more emails about calls?')
    await recordedCall(person, ink)
    expect(mailsTo(one)).toHaveLength(2)
    expect(await (await fetch(link, { method: 'POST' })).text()).toContain('You get no more emails')
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
    expect((await person.client.from('call_mail_readers').select('token')).error?.code).toBe('42501')
    expect((await person.client.from('call_mails').select('*')).error?.code).toBe('42501')
  })
})
