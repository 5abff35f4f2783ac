import { afterAll, expect, test, vi } from 'vitest'
import { readAdminUsers } from '#clients/admin-users.ts'
import { openBrowserPage, storedSession } from '../support/browser-page.ts'

const number = (index: number) => String(index).padStart(5, '0')
const people = Array.from({ length: 2_001 }, (_, index) => ({
  id: `id-${number(index)}`,
  email: `${number(index)}@hotel.example`,
}))
const overviews = people.slice(1).map(({ id }) => ({
  user_id: id,
  plan: 'growth',
  status: 'active',
  minutes_used: 3,
  minutes_limit: 750,
}))

let isDown = false
const asked: string[] = []
/** Answers as PostgREST does: never more than a thousand rows. */
const page = openBrowserPage(({ url }) => {
  const { pathname, searchParams } = new URL(url)
  const table = pathname.split('/').at(-1) ?? ''
  const offset = Number(searchParams.get('offset'))
  asked.push(`${table} by ${searchParams.get('order')} from ${offset}`)
  if (isDown && offset > 0) return Response.json({ message: 'canceled' }, { status: 400 })
  const rows: unknown[] = table === 'users' ? people : overviews
  return Response.json(rows.slice(offset, offset + Math.min(1_000, Number(searchParams.get('limit')))))
})
page.localStorage.setItem('deskbell_auth', JSON.stringify(storedSession('admin')))
afterAll(() => vi.unstubAllGlobals())

test('the admin’s list is read page by page, to its end', async () => {
  const users = await readAdminUsers()
  expect(users).toHaveLength(2_001)
  expect(users?.[0]).toMatchObject({ email: '00000@hotel.example', plan: null, status: null })
  expect(users?.[2_000]).toEqual({
    id: 'id-02000',
    email: '02000@hotel.example',
    plan: 'growth',
    status: 'active',
    minutesUsed: 3,
    minutesLimit: 750,
  })
  expect(asked.sort()).toEqual([
    'subscription_overview by user_id.asc from 0',
    'subscription_overview by user_id.asc from 1000',
    'subscription_overview by user_id.asc from 2000',
    'users by email.asc from 0',
    'users by email.asc from 1000',
    'users by email.asc from 2000',
  ])
})

test('half a list is none', async () => {
  isDown = true
  expect(await readAdminUsers()).toBeUndefined()
})
