import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestSupabase, testKeys, testUrl, type TestSupabase } from '../support/supabase.ts'

let db: TestSupabase
let tokens: Record<'nobody' | 'customer' | 'secret', string>
/** What is written to standard error, after personal data is kept out of it. */
const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
beforeAll(async () => {
  db = await startTestSupabase()
  const { data } = await (await db.createCustomer()).client.auth.getSession()
  tokens = {
    nobody: 'x.y.z',
    customer: data.session?.access_token ?? '',
    secret: testKeys.secret,
  }
})
afterAll(() => db.close())

const email = 'somebody@hotel.example'
const bodies = [
  ...['', '{', 'null', '5', '"x"', '[]', '[null]', '{}', '\0', `{"email":"${email}`],
  ...[
    { email: 5, password: 5 },
    { email, password: 5 },
    { email: { a: 1 }, password: [] },
    { email, password: null },
    { email: `a\0${email}`, password: 'front-desk-1' },
    { email, type: {}, token: 5 },
    { type: 'email', token_hash: {} },
    { type: 'recovery', email: [] },
    { refresh_token: 5 },
    { email, data: 5, user_metadata: 5 },
    { prefix: 5 },
    { prefix: null, search: 5 },
    { prefix: 'x', limit: 'a', offset: -1, sortBy: 5 },
    { prefix: 'x', sortBy: { column: 'a; drop table x', order: 5 } },
    { expiresIn: 'x' },
    { expiresIn: 60, paths: 5 },
    { prefixes: [5, null] },
    { bucketId: 5, sourceKey: 5, destinationKey: null },
    { bucketId: 'voice-samples', sourceKey: {}, destinationKey: [] },
    { p_search: 5 },
    { p: { user_id: email } },
  ].map((body) => JSON.stringify(body)),
]
const writes = [
  ...['token?grant_type=password', 'token?grant_type=refresh_token', 'token', 'signup', 'verify'],
  ...['recover', 'otp', 'magiclink', 'resend', 'logout', 'admin/users', 'admin/generate_link'],
].map((path) => `POST /auth/v1/${path}`)
writes.push(
  ...['list/voice-samples', 'list/x', 'sign/voice-samples/a/b', 'sign/voice-samples', 'move', 'copy'].map(
    (path) => `POST /storage/v1/object/${path}`,
  ),
  ...['%', '%ff.mp3', '/', '%00'].map((name) => `POST /storage/v1/object/voice-samples/${name}`),
  'POST /storage/v1/bucket',
  'DELETE /storage/v1/object/voice-samples',
  'PUT /storage/v1/object/voice-samples/x',
  'PUT /auth/v1/user',
  'PUT /auth/v1/admin/users/5',
  'POST /rest/v1/users',
  'POST /rest/v1/%zz',
  'POST /rest/v1/rpc/list_users',
  'POST /rest/v1/rpc/report_call',
  'PATCH /rest/v1/users?id=eq.x',
)
const reads = [
  ...['user', 'verify?type=5&token=x', 'admin/users?page=x&per_page=-5'].map((path) => `/auth/v1/${path}`),
  ...[
    'select=(((',
    'id=eq',
    `email=${email}`,
    `email=in.(${email}`,
    'limit=-1',
    'or=(',
    `or=(email.${email})`,
  ].map((query) => `/rest/v1/users?${query}`),
  `/rest/v1/users?id=eq.${email}`,
  ...[
    'sign/voice-samples/x?token=x',
    'voice-samples/%00',
    'authenticated/voice-samples/%ff',
    'public/x/y',
  ].map((path) => `/storage/v1/object/${path}`),
]

test('Garbage sent to the embedded Supabase → no 5xx, and no e-mail in its log', async () => {
  const broken: string[] = []
  const send = async (request: string, token: string, type?: string, body?: string): Promise<void> => {
    const [method = '', path = ''] = request.split(' ')
    const headers = {
      apikey: token === testKeys.secret ? token : testKeys.publishable,
      authorization: `Bearer ${token}`,
      ...(type && { 'content-type': type }),
    }
    const init = { method, headers, ...(body !== undefined && { body }) }
    const { status } = await db.supabase.fetch(new Request(testUrl + path, init))
    if (status >= 500) broken.push(`${status} ${request} ${body}`)
  }
  for (const token of Object.values(tokens)) {
    for (const request of writes) {
      for (const body of bodies) await send(request, token, 'application/json', body)
      await send(request, token, 'multipart/form-data; boundary=x', '--x\r\nx')
      await send(request, token, 'multipart/form-data', 'x')
      await send(request, token)
    }
    for (const path of reads) for (const method of ['GET', 'HEAD']) await send(`${method} ${path}`, token)
  }
  expect(broken).toEqual([])
  const log = written.mock.calls.flat().map(String)
  expect(log.length).toBeGreaterThan(0)
  expect(log.filter((line) => line.includes('@hotel.example'))).toEqual([])
})
