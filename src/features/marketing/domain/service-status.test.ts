import { expect, test } from 'vitest'
import { serviceStatus } from './service-status.ts'

test.each([
  [200, 'everything is working'],
  [503, 'something is not working'],
  [429, 'cannot be read'],
  [undefined, 'cannot be read'],
])('the health’s answer %s is told in words', (answer, words) => {
  expect(serviceStatus(answer)).toContain(words)
})
