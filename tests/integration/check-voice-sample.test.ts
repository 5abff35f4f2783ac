import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { customerInPeriod } from '../support/admin.ts'
import { wav } from '../support/audio.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld()

type Customer = Awaited<ReturnType<typeof customerInPeriod>>
const samples = ({ client }: Customer) => client.storage.from('voice-samples')
const type = { contentType: 'audio/wav' }

async function upload(person: Customer, bytes: Uint8Array): Promise<string> {
  const path = `${person.id}/${randomUUID()}.wav`
  expect((await samples(person).upload(path, bytes, type)).error).toBeNull()
  return path
}
async function check(person: Customer | undefined, path: unknown, consent: unknown = '2026-11') {
  const { data } = (await person?.client.auth.getSession()) ?? {}
  const token = data?.session?.access_token
  return world.post(
    'check-voice-sample',
    { path, consent },
    { ...(token && { authorization: `Bearer ${token}` }) },
  )
}
const choose = async ({ id, client }: Customer, path: string) =>
  (await client.from('agent_settings').upsert({ user_id: id, voice_sample_path: path })).error

const consents = ({ client }: Customer) =>
  client.from('voice_sample_checks').select('path, user_id, consent_version, consented_at')

test('a recording becomes the voice once the server has checked it, and stays as it is', async () => {
  const person = await customerInPeriod(world)
  const path = await upload(person, wav(1))
  expect((await choose(person, path))?.code).toBe('42501')
  const answer = await check(person, path)
  expect([answer.status, answer.json]).toEqual([200, { checked: true }])
  expect(await choose(person, path)).toBeNull()
  const other = Buffer.from('no sound at all')
  expect((await samples(person).upload(path, other, { ...type, upsert: true })).error).toMatchObject({
    statusCode: '403',
  })
  expect((await samples(person).update(path, other, type)).error).toMatchObject({ statusCode: '403' })
  await samples(person).remove([path])
  expect((await samples(person).upload(path, other, type)).error).toMatchObject({ statusCode: '403' })
})

test.each(['no sound at all', 'x', '<script>alert(1)</script>', 'RIFF....AVI '])(
  '75. A voice sample whose bytes are no audio (%s) → removed, and never the voice',
  async (text) => {
    const person = await customerInPeriod(world)
    const path = await upload(person, Buffer.from(text))
    expect((await check(person, path)).status).toBe(400)
    expect((await choose(person, path))?.code).toBe('42501')
    expect((await samples(person).download(path)).error).toMatchObject({ statusCode: '404' })
  },
)

test.each([undefined, null, '', 'yes', '1999-01'])(
  '76. A voice sample without the consent of its speaker (%s) → never the voice',
  async (consent) => {
    const person = await customerInPeriod(world)
    const path = await upload(person, wav(1))
    // An argument that is undefined would be replaced by the default.
    expect((await check(person, path, consent ?? null)).status).toBe(400)
    expect((await choose(person, path))?.code).toBe('42501')
    expect((await consents(person)).data).toEqual([])
  },
)

test('the consent is kept with the recording: by whom, to what and when', async () => {
  const [person, other] = [await customerInPeriod(world), await customerInPeriod(world)]
  const path = await upload(person, wav(1))
  const before = Date.now()
  expect((await check(person, path)).status).toBe(200)
  const { data } = await consents(person)
  expect(data).toEqual([
    { path, user_id: person.id, consent_version: '2026-11', consented_at: expect.any(String) },
  ])
  const at = Date.parse(data?.[0]?.consented_at ?? '')
  expect(at).toBeGreaterThan(before - 5_000)
  expect(at).toBeLessThan(Date.now() + 5_000)
  // A second check changes neither the time nor the sentence.
  expect((await check(person, path)).status).toBe(200)
  expect((await consents(person)).data).toEqual(data)

  expect((await consents(other)).data).toEqual([])
  const row = { path: `${person.id}/x.wav`, user_id: person.id, is_audio: true, consent_version: '2026-11' }
  const table = person.client.from('voice_sample_checks')
  expect((await table.insert(row)).error?.code).toBe('42501')
  expect((await table.update({ consented_at: '2020-01-01' }).eq('path', path)).error?.code).toBe('42501')
  expect((await table.delete().eq('path', path)).error?.code).toBe('42501')
})

test('nobody checks a recording of somebody else, or without a login', async () => {
  const [one, other] = [await customerInPeriod(world), await customerInPeriod(world)]
  const path = await upload(one, Buffer.from('no sound at all'))
  expect((await check(other, path)).status).toBe(404)
  expect((await check(undefined, path)).status).toBe(401)
  expect((await check(one, 5)).status).toBe(400)
  expect((await check(one, `${one.id}/../${other.id}/x.wav`)).status).toBe(404)
  expect((await check(one, `${one.id}/none.wav`)).status).toBe(404)
  expect((await samples(one).download(path)).error).toBeNull()
})
