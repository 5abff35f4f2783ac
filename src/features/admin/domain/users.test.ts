import { expect, test } from 'vitest'
import { planName } from '#plans/domain/plans.ts'
import {
  accountFacts,
  countLabel,
  firstUsers,
  pageOfUsers,
  rangeLabel,
  stripeCustomerUrl,
  userOfAddress,
  userPath,
  usersPath,
  type StatusFilter,
  type UserOrder,
} from './users.ts'

test('an address names an account, and nothing else does', () => {
  const id = '8d0b1f9e-5b7d-4c58-9a37-0a7f3e5f2f11'
  const at = (path: string) => userOfAddress(new URL(path, 'https://desk.example'))
  expect([at(userPath(id)), at(usersPath('active')), at('/admin/users?user=1')]).toEqual([id, null, null])
})

test('an account in terms', () => {
  const subscription = {
    plan: 'growth',
    minutes_limit: 750,
    onboarding_completed: false,
    current_period_start: '2026-11-01T12:00:00Z',
    current_period_end: null,
    cancel_at: '2026-12-01T12:00:00Z',
    first_paid_at: null,
    past_due_since: null,
  }
  const account = {
    business: null,
    created_at: '2026-10-30T12:00:00Z',
    last_sign_in_at: null,
    has_password: true,
    subscription,
    minutesUsed: 1_200,
  }
  expect(accountFacts(account)).toEqual([
    ['Business', 'Not named'],
    ['Joined', '30 October 2026'],
    ['Last sign-in', 'Never'],
    ['Plan', planName('growth')],
    ['Minutes', '1,200 of 750'],
    ['Period', '1 November 2026 to Not known'],
    ['First paid', 'Never'],
    ['Setup', 'Not finished'],
    ['Ends', '1 December 2026'],
  ])
  const payer = { ...account, business: 'Harbour Hotel', has_password: false, subscription: null }
  expect(accountFacts(payer)).toEqual([
    ['Business', 'Harbour Hotel'],
    ['Joined', '30 October 2026'],
    ['Last sign-in', 'Never: no password is set yet'],
    ['Plan', 'No plan'],
  ])
})

test('a customer is looked up in the mode of our key', () => {
  expect([stripeCustomerUrl('cus_1', 'pk_test_1'), stripeCustomerUrl('cus_1', 'pk_live_1')]).toEqual([
    'https://dashboard.stripe.com/test/customers/cus_1',
    'https://dashboard.stripe.com/customers/cus_1',
  ])
})

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
    const query = { ...firstUsers, search, status, page }
    return rangeLabel(query, pageOfUsers(people.toReversed(), query))
  }
  const last = pageOfUsers(people.toReversed(), { ...firstUsers, page: 199 })
  expect(last.users.map(({ id }) => id)[0]).toBe('09950')
  expect(last.more).toBe(false)
  expect(label('', 0)).toBe('1 to 50 of 1,000+ users')
  expect(label('', 199)).toBe('9,951 to 10,000')
  expect(label('012', 0)).toBe('1 to 50 of 120 users')
  expect(label('01234@', 0)).toBe('1 to 1 of 1 user')
  expect(label('01234@', 0, 'blocked')).toBe('No users')
  const uncounted = { users: last.users, counts: { all: 1_001 }, more: true }
  expect(rangeLabel({ ...firstUsers, status: 'other' }, uncounted)).toBe('1 to 50')
})

test('the newest users come first if that is asked for', () => {
  const of = (email: string, createdAt?: string) => ({
    id: email,
    email,
    plan: null,
    subscriptionStatus: null,
    minutesUsed: 0,
    minutesLimit: 0,
    createdAt,
  })
  const people = [of('a', '2026-11-01T00:00:00Z'), of('c', '2026-11-02T00:00:00Z'), of('b')]
  const listed = (order: UserOrder) => pageOfUsers(people, { ...firstUsers, order }).users.map(({ id }) => id)
  expect([listed('email'), listed('newest')]).toEqual([
    ['a', 'b', 'c'],
    ['c', 'a', 'b'],
  ])
})

test('more than a thousand are not counted', () => {
  expect([999, 1_000, 1_001].map(countLabel)).toEqual(['999', '1,000', '1,000+'])
})
