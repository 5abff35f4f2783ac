import { expect, test } from 'vitest'
import { isOurOrigin } from './request.ts'

const site = 'https://agents.example'
const preview = 'https://deploy-preview-7--agents.netlify.app'

test.each([
  ['of the site', site, site, true],
  ['of a deploy preview, sent to itself', preview, preview, true],
  ['of the site, sent to a deploy preview', site, preview, true],
  ['of a deploy preview, sent to the site', preview, site, false],
  ['of another deploy preview', 'https://deploy-preview-8--agents.netlify.app', preview, false],
  ['of a stranger', 'https://evil.example', site, false],
  ['without an origin', null, site, false],
])('a request %s: from %s to %s, ours: %s', (_, origin, host, isOurs) => {
  expect(isOurOrigin(origin, new Request(`${host}/.netlify/functions/create-lead`), site)).toBe(isOurs)
})
