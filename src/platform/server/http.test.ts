import { expect, test } from 'vitest'
import { subscribeRequest } from '#checkout/domain/contracts.ts'
import { pagePost } from './http.ts'

for (const name of Object.keys(process.env)) {
  if (/^(PUBLIC|SUPABASE|STRIPE|MAIL)_/.test(name)) delete process.env[name]
}

const post = pagePost({
  name: 'a function',
  body: subscribeRequest,
  act: () => Promise.reject(new Error('was called')),
})
const request = (init: RequestInit) => new Request('http://localhost/a-function', init)

test('what can be refused without an environment is refused without one', async () => {
  expect((await post(request({ method: 'GET' }))).status).toBe(405)
  expect((await post(request({ method: 'DELETE' }))).status).toBe(405)
  const plain = await post(request({ method: 'POST', body: 'text' }))
  expect(plain.status).toBe(415)
})
