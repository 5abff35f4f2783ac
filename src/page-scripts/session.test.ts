import { storageKey } from '#site'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { showSession } from './session.ts'

/** Runs the script as a page does. Returns the root's dataset, the queued tasks, and a function that fires an event. */
function start(stored: () => string | null) {
  const dataset: Record<string, string> = {}
  const tasks: (() => void)[] = []
  const listeners: Record<string, () => void> = {}
  vi.stubGlobal('document', { documentElement: { dataset } })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === storageKey('auth') ? stored() : 'admin-1 granted'),
  })
  vi.stubGlobal('addEventListener', (type: string, listener: () => void) => (listeners[type] = listener))
  vi.stubGlobal('setTimeout', (task: () => void) => tasks.push(task))
  showSession()
  return { dataset, tasks, fire: (type: string) => listeners[type]?.() }
}
function run(stored: () => string | null) {
  const page = start(stored)
  for (const task of page.tasks) task()
  return page
}
const session = (id: string) => JSON.stringify({ refresh_token: 'r', user: { id } })

afterEach(() => void vi.unstubAllGlobals())

describe('the session before the first paint', () => {
  test('tells a customer from the admin that this browser knows', () => {
    expect(run(() => session('admin')).dataset).toEqual({ session: 'customer' })
    expect(run(() => session('admin-1')).dataset).toEqual({ session: 'admin' })
  })

  test('is shown at once', () => {
    expect(start(() => session('guest')).dataset).toEqual({ session: 'customer' })
  })

  test.each([
    ['nothing is stored', null],
    ['what is stored is no JSON', '{'],
    ['what is stored is null', 'null'],
    ['there is no user', '{"refresh_token":"r"}'],
    ['there is no refresh token', '{"user":{"id":"guest"}}'],
  ])('is none if %s', (_, stored) => {
    expect(run(() => stored).dataset).toEqual({})
  })

  test('is none if storage is closed', () => {
    const closed = () => {
      throw new Error('SecurityError')
    }
    expect(run(closed).dataset).toEqual({})
  })

  test.each(['storage', 'pageshow'])('is read again on %s', (event) => {
    let stored: string | null = session('guest')
    const page = run(() => stored)
    stored = null
    page.fire(event)
    expect(page.dataset).toEqual({})
  })
})
