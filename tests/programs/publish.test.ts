import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Source } from '#assistant/domain/site-prompt.ts'
import { services } from '#platform/server/services.ts'
import { localEnvironment } from '../../local/environment.ts'
import { openPublication, type Publication } from '../../local/publication.ts'
import { signedIn, signedInAdmin } from '../support/admin.ts'
import { useWorld } from '../support/world.ts'

/** The time limit of a test: builds are slow. */
const minutes = 240_000

const world = useWorld()
let hook: http.Server
const relay = http.createServer((request, response) => {
  const { apikey = '', authorization = '' } = request.headers as Record<string, string>
  const { url = '', method = '' } = request
  if (url.includes(silent)) return void response.writeHead(503).end()
  void text(request)
    .then((body) =>
      fetch(new URL(url, world.origin), {
        method,
        headers: { apikey, authorization, 'content-type': 'application/json' },
        body: body || null,
      }),
    )
    .then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
})
/** The path of the API that fails. */
let silent = '/nowhere'
let called = 0
let status = 200
let publication: Publication
const directory = mkdtempSync(join(tmpdir(), 'deskbell-site-'))

beforeAll(async () => {
  hook = http.createServer((_request, response) => {
    called += 1
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
  services().env.BUILD_HOOK_URL = `http://localhost:${(hook.address() as AddressInfo).port}/`
  // A build runs in its own process and reads the database over HTTP.
  const { port } = relay.listen(0).address() as AddressInfo
  publication = openPublication(directory, localEnvironment({ port, given: {} }))
})
afterAll(() => {
  delete services().env.BUILD_HOOK_URL
  hook.close()
  relay.close()
  rmSync(directory, { recursive: true, force: true })
})

const publish = (token?: string) =>
  world.post('publish', {}, token === undefined ? {} : { authorization: `Bearer ${token}` })

test('only the admin publishes, and the audit log says who did', async () => {
  expect(await publish()).toMatchObject({ status: 401, json: { error: { code: 'unauthorized' } } })
  expect((await publish('not.a.token')).status).toBe(401)
  const customer = await signedIn(world)
  expect(await publish(customer.token)).toMatchObject({ status: 403, json: { error: { code: 'forbidden' } } })
  expect(called).toBe(0)

  const admin = await signedInAdmin(world)
  expect(await publish(admin.token)).toMatchObject({ status: 200, json: { accepted: true } })
  expect(called).toBe(1)
  const lines = await world.sql(`select actor_email from public.audit_log where action = 'published'`)
  expect(lines).toEqual([{ actor_email: admin.email }])
})

test('a build hook that refuses is reported', async () => {
  status = 500
  const { token } = await signedInAdmin(world)
  expect(await publish(token)).toMatchObject({
    status: 502,
    json: { error: { code: 'provider_unavailable' } },
  })
  status = 200
})

test(
  'rows stand over the files, tombstones take them away, and settings reach the pages',
  { timeout: minutes },
  async () => {
    const { client } = await signedInAdmin(world)
    await client
      .from('faqs')
      .insert([
        { id: '1763683200000', question: 'Do you answer at <night>?', answer: 'Yes, **always**. <b>Now</b>' },
        { id: 'setup-time', question: 'How soon do we start?', answer: 'Soon.' },
        { id: 'languages', question: 'x', answer: 'x', deleted_at: new Date().toISOString() },
      ])
      .throwOnError()
    await client
      .from('audio_demos')
      .insert([
        { id: '1763683200001', industry: 'Hotel', title: 'At dawn', audio_url: '/dawn.wav', seconds: 65 },
        { id: '1763683200002', industry: 'tech & saas', title: 'A ticket', audio_url: '/ticket.wav' },
      ])
      .throwOnError()
    const set = { contact_email: 'desk@hotel.example', maintenance_notice: 'Back at ten.' }
    await client.from('site_settings').update(set).eq('id', true).throwOnError()

    const root = await publication.publish()
    const faq = await readFile(join(root, 'dist/faq/index.html'), 'utf8')
    expect(faq).toContain('Do you answer at &lt;night&gt;?')
    expect(faq).toContain('<strong>always</strong>')
    expect(faq).toContain('&lt;b&gt;Now&lt;/b&gt;')
    expect(faq).toContain('How soon do we start?')
    expect(faq).not.toContain('id="languages"')
    expect(faq).toContain('Back at ten.')
    expect(faq).toContain('mailto:desk@hotel.example')
    const answers = JSON.parse(await readFile(join(root, 'dist/talk.json'), 'utf8')) as Source[]
    expect(answers.find(({ title }) => title === 'How soon do we start?')).toMatchObject({ text: 'Soon.' })
    const hotels = await readFile(join(root, 'dist/industries/hotels-resorts/index.html'), 'utf8')
    expect(hotels).toContain('A late arrival')
    expect(hotels).toMatch(/href="\/dawn.wav".*At dawn.*1:05/s)
    const tech = await readFile(join(root, 'dist/industries/tech-saas/index.html'), 'utf8')
    expect(tech).toContain('A ticket')
    expect(tech).not.toContain('undefined')
    const build = JSON.parse(await readFile(join(root, 'dist/build.json'), 'utf8'))
    const { data } = await client.from('faqs').select('id, updated_at').order('id').throwOnError()
    expect(build.rows).toMatchObject(
      Object.fromEntries((data ?? []).map((row) => [`faqs/${row.id}`, row.updated_at])),
    )
    expect(build.settings).toEqual({ contactEmail: 'desk@hotel.example', maintenanceNotice: 'Back at ten.' })

    // After a restart the publication is served without a build.
    const refuse = () => expect.unreachable('it builds again')
    expect(await publication.current(refuse)).toBe(root)
  },
)

test(
  'a build that a database fails to answer stops, and tells the admin why',
  { timeout: minutes },
  async () => {
    silent = '/audio_demos'
    await expect(publication.publish()).rejects.toThrow(
      /did not answer with its audio_demos.*Nothing was published/s,
    )
    silent = '/nowhere'
    const { client } = await signedInAdmin(world)
    const { data } = await client.from('audit_log').select('after').eq('action', 'failed to publish').single()
    expect(data?.after.problem).toMatch(/^The database did not answer with its audio_demos[^\n]*$/)
    expect((await client.rpc('report_failed_publication', { p_problem: 'x' })).error?.code).toBe('42501')
  },
)
