import { expect, test } from 'vitest'
import { countLabel, pageOfUsers, rangeLabel, type StatusFilter } from './users.ts'

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
  const label = (search: string, page: number, status: StatusFilter | null = null) => {
    const query = { search, status, page }
    return rangeLabel(query, pageOfUsers(people.toReversed(), query))
  }
  const last = pageOfUsers(people.toReversed(), { search: '', status: null, page: 199 })
  expect(last.users.map(({ id }) => id)[0]).toBe('09950')
  expect(last.more).toBe(false)
  expect(label('', 0)).toBe('1 to 50 of 1,000+ users')
  expect(label('', 199)).toBe('9,951 to 10,000')
  expect(label('012', 0)).toBe('1 to 50 of 120 users')
  expect(label('01234@', 0)).toBe('1 to 1 of 1 user')
  expect(label('01234@', 0, 'blocked')).toBe('No users')
  const uncounted = { users: last.users, counts: { all: 1_001 }, more: true }
  expect(rangeLabel({ search: '', status: 'other', page: 0 }, uncounted)).toBe('1 to 50')
})

test('more than a thousand are not counted', () => {
  expect([999, 1_000, 1_001].map(countLabel)).toEqual(['999', '1,000', '1,000+'])
})
