import { expect, test } from 'vitest'
import { subscribeRequest } from '#checkout/domain/contracts.ts'
import { pagePost } from './http.ts'
import { checkOrigin } from './request.ts'

for (const name of Object.keys(process.env)) {
  if (/^(PUBLIC|SUPABASE|STRIPE|MAIL)_/.test(name)) delete process.env[name]
}

const post = pagePost({
  name: 'a function',
  body: subscribeRequest,
  handle: () => Promise.reject(new Error('was invoked')),
})
const request = (init: RequestInit) => new Request('http://localhost/a-function', init)

test('requests that need no environment to be refused are refused without one', async () => {
  expect((await post(request({ method: 'GET' }))).status).toBe(405)
  expect((await post(request({ method: 'DELETE' }))).status).toBe(405)
  const plain = await post(request({ method: 'POST', body: 'text' }))
  expect(plain.status).toBe(415)
})

test.each([
  ['https://agents.example', true],
  ['https://deploy-preview-7--agents.netlify.app', true],
  ['https://deploy-preview-8--agents.netlify.app', false],
  ['null', false],
  [null, false],
])('at a deploy preview, a request from %s: %s', (origin, isOurs) => {
  const preview = new Request('https://deploy-preview-7--agents.netlify.app/.netlify/functions/publish', {
    headers: origin === null ? {} : { origin },
  })
  expect(checkOrigin(preview, 'https://agents.example') === undefined).toBe(isOurs)
})
