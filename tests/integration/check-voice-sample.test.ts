import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerInPeriod } from '../support/admin.ts'
import { wav } from '../support/audio.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

type Customer = Awaited<ReturnType<typeof customerInPeriod>>
const samples = ({ client }: Customer) => client.storage.from('voice-samples')
const type = { contentType: 'audio/wav' }

async function upload(person: Customer, bytes: Uint8Array): Promise<string> {
  const path = `${person.id}/${randomUUID()}.wav`
  expect((await samples(person).upload(path, bytes, type)).error).toBeNull()
  return path
}
async function check(person: Customer | undefined, path: unknown) {
  const { data } = (await person?.client.auth.getSession()) ?? {}
  const token = data?.session?.access_token
  return world.post('check-voice-sample', { path }, { ...(token && { authorization: `Bearer ${token}` }) })
}
const choose = async ({ id, client }: Customer, path: string) =>
  (await client.from('agent_settings').upsert({ user_id: id, voice_sample_path: path })).error

test('a recording becomes the voice once the server has checked it, and stays as it is', async () => {
  const person = await customerInPeriod(world)
  const path = await upload(person, wav(1))
  expect((await choose(person, path))?.code).toBe('42501')
  const answer = await check(person, path)
  expect([answer.status, answer.json]).toEqual([200, { checked: true }])
  expect(await choose(person, path)).toBeNull()
  const other = Buffer.from('no sound at all')
  expect((await samples(person).upload(path, other, { ...type, upsert: true })).error).not.toBeNull()
  expect((await samples(person).update(path, other, type)).error).not.toBeNull()
  await samples(person).remove([path])
  expect((await samples(person).upload(path, other, type)).error).not.toBeNull()
})

test.each(['no sound at all', 'x', '<script>alert(1)</script>', 'RIFF....AVI '])(
  '75. A voice sample whose bytes are no audio (%s) → removed, and never the voice',
  async (text) => {
    const person = await customerInPeriod(world)
    const path = await upload(person, Buffer.from(text))
    expect((await check(person, path)).status).toBe(400)
    expect((await choose(person, path))?.code).toBe('42501')
    expect((await samples(person).download(path)).error).not.toBeNull()
  },
)

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
