import { StorageApiError } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minutesOf } from '../../support/plan-facts.ts'
import {
  startTestSupabase,
  testKeys,
  testUrl,
  type Client,
  type TestSupabase,
} from '../../support/supabase.ts'

type Person = Awaited<ReturnType<TestSupabase['createUser']>>

const limit = 26_214_400
const sound = Buffer.from('ID3 not really a sound, but bytes are bytes')

let db: TestSupabase
let alice: Person
let bob: Person
let admin: Person

beforeAll(async () => {
  db = await startTestSupabase()
  alice = await db.createCustomer()
  bob = await db.createCustomer()
  admin = await db.createAdmin()
})
afterAll(() => db.close())

const samples = (client: Client) => client.storage.from('voice-samples')
const mp3 = { contentType: 'audio/mpeg' }
/** Expects a refusal with a reason, not an internal error. */
const refused = (error: Error | null) => {
  expect(error).toBeInstanceOf(StorageApiError)
  expect((error as StorageApiError).status).toBe(400)
}
const text = async (blob: Blob | null) => blob && Buffer.from(await blob.arrayBuffer()).toString()

describe('a customer’s voice sample', () => {
  test('is stored and returned unchanged: bytes, a file, a form', async () => {
    const bytes = sound.buffer.slice(sound.byteOffset, sound.byteOffset + sound.byteLength)
    const file = new File([sound], 'any name.wav', { type: 'audio/wav' })
    const form = new FormData()
    form.append('', new Blob([sound], { type: 'audio/flac' }))
    const uploads = { 'a.mp3': bytes, 'my voice (final).wav': file, 'c.flac': form }
    for (const [name, body] of Object.entries(uploads)) {
      const options = body === bytes ? mp3 : {}
      const { data, error } = await samples(alice.client).upload(`${alice.id}/${name}`, body, options)
      expect(error).toBeNull()
      expect(data?.path).toBe(`${alice.id}/${name}`)
      const back = await samples(alice.client).download(`${alice.id}/${name}`)
      expect(await text(back.data)).toBe(sound.toString())
    }
    const types = await Promise.all(
      Object.keys(uploads).map(
        async (name) =>
          (await samples(alice.client).download(`${alice.id}/${name}`)).data?.type.split(';')[0],
      ),
    )
    expect(types).toEqual(['audio/mpeg', 'audio/wav', 'audio/flac'])
  })

  test('is listed by its own name in its folder', async () => {
    const { data } = await samples(alice.client).list(alice.id)
    expect(data?.map(({ name }) => name)).toEqual(['a.mp3', 'c.flac', 'my voice (final).wav'])
    expect(data?.[0]?.metadata).toMatchObject({ size: sound.length, mimetype: 'audio/mpeg' })
    const root = await samples(alice.client).list()
    expect(root.data).toMatchObject([{ name: alice.id, id: null }])
    const second = await samples(alice.client).list(alice.id, { limit: 1, offset: 1 })
    expect(second.data?.map(({ name }) => name)).toEqual(['c.flac'])
  })

  test('is replaced only on request', async () => {
    const path = `${alice.id}/again.mp3`
    const put = (body: string, upsert: boolean) =>
      samples(alice.client).upload(path, Buffer.from(body), { ...mp3, upsert })
    expect((await put('one', false)).error).toBeNull()
    expect((await put('two', false)).error?.message).toBe('The resource already exists')
    expect((await put('three', true)).error).toBeNull()
    expect(await text((await samples(alice.client).download(path)).data)).toBe('three')
  })

  test('can be uploaded by the plain request that reports progress', async () => {
    const send = (token: string, type = 'audio/mpeg') =>
      db.supabase.fetch(
        new Request(`${testUrl}/storage/v1/object/voice-samples/${alice.id}/plain.mp3`, {
          method: 'POST',
          body: sound,
          headers: {
            apikey: testKeys.publishable,
            authorization: `Bearer ${token}`,
            'content-type': type,
            'x-upsert': 'true',
          },
        }),
      )
    const { data } = await alice.client.auth.getSession()
    const token = data.session?.access_token ?? ''
    expect((await send(token)).status).toBe(200)
    expect((await send(token, 'audio/mpeg;codecs=mp3')).status).toBe(200)
    expect((await send('not.a.token')).ok).toBe(false)
    expect((await send(testKeys.publishable)).ok).toBe(false)
    expect(await text((await samples(alice.client).download(`${alice.id}/plain.mp3`)).data)).toBe(
      sound.toString(),
    )
  })

  test('is played from a signed URL, from any position', async () => {
    const { data } = await samples(alice.client).createSignedUrl(`${alice.id}/a.mp3`, 60)
    const range = new Request(data?.signedUrl ?? '', { headers: { range: 'bytes=4-6' } })
    const part = await db.supabase.fetch(range)
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 4-6/${sound.length}`)
    expect(await part.text()).toBe('not')
    refused((await samples(bob.client).createSignedUrl(`${alice.id}/a.mp3`, 60)).error)
  })

  test('is removed', async () => {
    const path = `${alice.id}/gone.mp3`
    await samples(alice.client).upload(path, sound, mp3)
    const { data } = await samples(alice.client).remove([path])
    expect(data?.map(({ name }) => name)).toEqual([path])
    refused((await samples(alice.client).download(path)).error)
  })
})

describe('nobody else', () => {
  test('hears or lists it but the admin; nor does the admin replace or remove it', async () => {
    const path = `${alice.id}/a.mp3`
    expect((await samples(admin.client).download(path)).error).toBeNull()
    for (const client of [bob.client, db.anon]) {
      refused((await samples(client).download(path)).error)
      expect((await samples(client).list(alice.id)).data ?? []).toEqual([])
    }
    for (const client of [bob.client, db.anon, admin.client]) {
      expect(
        (await samples(client).upload(path, Buffer.from('mine'), { ...mp3, upsert: true })).error,
      ).not.toBeNull()
      refused((await samples(client).update(path, Buffer.from('mine'), mp3)).error)
      expect((await samples(client).remove([path])).data ?? []).toEqual([])
    }
    const direct = await db.supabase.fetch(
      new Request(`${testUrl}/storage/v1/object/public/voice-samples/${path}`),
    )
    expect(direct.ok).toBe(false)
    expect(await text((await samples(alice.client).download(path)).data)).toBe(sound.toString())
  })

  test('moves or copies a file into or out of another’s folder', async () => {
    const [own, theirs] = [`${bob.id}/own.mp3`, `${alice.id}/a.mp3`]
    await samples(bob.client).upload(own, sound, mp3)
    refused((await samples(bob.client).copy(theirs, `${bob.id}/stolen.mp3`)).error)
    refused((await samples(bob.client).copy(own, `${alice.id}/planted.mp3`)).error)
    refused((await samples(bob.client).move(own, `${alice.id}/planted.mp3`)).error)
  })
})

describe('a customer who does not pay', () => {
  test.each(['blocked', 'payment_failed', 'canceled'])('adds no sample while %s', async (status) => {
    const guest = await db.createUser()
    const upload = () => samples(guest.client).upload(`${guest.id}/a.mp3`, sound, mp3)
    refused((await upload()).error)
    await db.service
      .from('user_subscriptions')
      .insert({
        user_id: guest.id,
        plan: 'growth',
        billing_status: 'active',
        minutes_limit: minutesOf('growth'),
      })
      .throwOnError()
    expect((await upload()).error).toBeNull()
    await db.service
      .from('user_subscriptions')
      .update(status === 'blocked' ? { admin_status: status } : { billing_status: status })
      .eq('user_id', guest.id)
      .throwOnError()
    refused((await samples(guest.client).upload(`${guest.id}/b.mp3`, sound, mp3)).error)
    expect(await text((await samples(guest.client).download(`${guest.id}/a.mp3`)).data)).toBe(
      sound.toString(),
    )
  })
})

test('74. An eleventh voice sample in a customer’s folder → rejected, until one is removed', async () => {
  const guest = await db.createCustomer()
  const put = (name: string, upsert = false) =>
    samples(guest.client).upload(`${guest.id}/${name}.mp3`, sound, { ...mp3, upsert })
  for (let nth = 1; nth <= 10; nth++) expect((await put(`${nth}`)).error).toBeNull()
  refused((await put('11')).error)
  refused((await samples(guest.client).copy(`${guest.id}/1.mp3`, `${guest.id}/11.mp3`)).error)
  expect((await put('10', true)).error).toBeNull()
  expect((await samples(bob.client).upload(`${bob.id}/first.mp3`, sound, mp3)).error).toBeNull()
  await samples(guest.client).remove([`${guest.id}/1.mp3`])
  expect((await put('11')).error).toBeNull()
})

describe('an upload is refused', () => {
  const upload = async (path: string, type = 'audio/mpeg', body: Buffer = sound) =>
    (await samples(bob.client).upload(path, body, { contentType: type })).error

  test.each([
    ['in another’s folder', () => `${alice.id}/x.mp3`],
    ['in no folder', () => 'x.mp3'],
    ['below the folder', () => `${bob.id}/deeper/x.mp3`],
    ['up and over', () => `${bob.id}/../${alice.id}/x.mp3`],
    ['up and over, in disguise', () => `${bob.id}/%2e%2e/${alice.id}/x.mp3`],
    ['up and over, in another disguise', () => `${bob.id}/..%2f${alice.id}%2fx.mp3`],
    ['with two dots in its name', () => `${bob.id}/x..mp3`],
    ['out of the bucket', () => `../demos/x.mp3`],
  ])('40. Voice sample %s → rejected', async (_where, path) => {
    const before = await db.supabase.query('select name from storage.objects order by name')
    refused(await upload(path()))
    expect(await db.supabase.query('select name from storage.objects order by name')).toEqual(before)
  })

  test.each(['text/html', 'image/svg+xml', 'application/octet-stream', 'audio/ogg'])(
    '40. Voice sample as %s → rejected',
    async (type) => {
      expect((await upload(`${bob.id}/x.mp3`, type))?.message).toContain('not supported')
    },
  )

  test('40. Voice sample of one byte more than 25 MB → rejected, and not of 25 MB', async () => {
    const tooLarge = await upload(`${bob.id}/large.mp3`, 'audio/mpeg', Buffer.alloc(limit + 1))
    expect(tooLarge?.message).toContain('exceeded the maximum allowed size')
    expect(await upload(`${bob.id}/large.mp3`, 'audio/mpeg', Buffer.alloc(limit))).toBeNull()
  })

  test('that declares no size and does not end', async () => {
    const { data } = await bob.client.auth.getSession()
    const chunk = new Uint8Array(1024 * 1024)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(chunk)
        sent += chunk.length
      },
    })
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: {
        apikey: testKeys.publishable,
        authorization: `Bearer ${data.session?.access_token}`,
        'content-type': 'audio/mpeg',
      },
    }
    const url = `${testUrl}/storage/v1/object/voice-samples/${bob.id}/endless.mp3`
    const answer = await db.supabase.fetch(new Request(url, init))
    expect(await answer.json()).toMatchObject({ statusCode: '413' })
    expect(sent).toBeLessThan(60 * 1024 * 1024)
  })
})

describe('demos', () => {
  const demos = (client: Client) => client.storage.from('demos')

  test('are uploaded and removed by the admin, and heard by everyone', async () => {
    expect((await demos(admin.client).upload('hotel/welcome.mp3', sound, mp3)).error).toBeNull()
    const { publicUrl } = demos(db.anon).getPublicUrl('hotel/welcome.mp3').data
    const heard = await db.supabase.fetch(new Request(publicUrl))
    expect(heard.status).toBe(200)
    expect(heard.headers.get('content-type')).toBe('audio/mpeg')
    expect(await heard.text()).toBe(sound.toString())
    expect((await demos(admin.client).list('hotel')).data).toHaveLength(1)

    for (const client of [alice.client, db.anon]) {
      refused((await demos(client).upload('hotel/other.mp3', sound, mp3)).error)
      expect((await demos(client).remove(['hotel/welcome.mp3'])).data ?? []).toEqual([])
    }
    expect((await demos(admin.client).remove(['hotel/welcome.mp3'])).data).toHaveLength(1)
    expect((await db.supabase.fetch(new Request(publicUrl))).ok).toBe(false)
  })

  test('are mp3 or wav', async () => {
    const flac = await demos(admin.client).upload('x.flac', sound, { contentType: 'audio/flac' })
    expect(flac.error?.message).toContain('not supported')
  })
})
