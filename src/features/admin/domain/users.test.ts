import { expect, test } from 'vitest'
import { pageOfUsers, rangeLabel } from './users.ts'

test('a page has fifty users, sorted by e-mail address', () => {
  const people = Array.from({ length: 10_000 }, (_, index) => {
    const id = String(index).padStart(5, '0')
    return {
      id,
      email: `${id}@hotel.example`,
      plan: 'growth',
      subscriptionStatus: 'active',
      minutesUsed: 10,
      minutesLimit: 750,
    }
  })
  const page = pageOfUsers(people.toReversed(), { search: '', status: null, page: 199 })
  expect(page.users.map(({ id }) => id)[0]).toBe('09950')
  expect(rangeLabel(199, 50, page.total)).toBe('9,951 to 10,000 of 10,000 users')
  expect(rangeLabel(0, 1, 1)).toBe('1 to 1 of 1 user')
})
