import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { scriptHash, sessionScript } from './session-script.ts'

const script = sessionScript('deskbell_auth', 'Admin@Deskbell.test')

/** Runs the lines as a browser would; returns the root's dataset, the tasks that are to follow, and what fires an event. */
function start(stored: () => string | null) {
  const dataset: Record<string, string> = {}
  const tasks: (() => void)[] = []
  const listeners: Record<string, () => void> = {}
  runInNewContext(script, {
    document: { documentElement: { dataset } },
    localStorage: { getItem: (key: string) => (key === 'deskbell_auth' ? stored() : null) },
    addEventListener: (type: string, listener: () => void) => (listeners[type] = listener),
    setTimeout: (task: () => void) => tasks.push(task),
  })
  return { dataset, tasks, fire: (type: string) => listeners[type]?.() }
}
function run(stored: () => string | null) {
  const page = start(stored)
  for (const task of page.tasks) task()
  return page
}
const session = (email: string) => JSON.stringify({ refresh_token: 'r', user: { email } })

describe('the lines before the first paint', () => {
  test('know a customer from the admin, whatever the case', () => {
    expect(run(() => session('guest@hotel.example')).dataset).toEqual({ session: 'customer' })
    expect(run(() => session('ADMIN@deskbell.test')).dataset).toEqual({ session: 'admin' })
  })

  test('know it at once', () => {
    expect(start(() => session('guest@hotel.example')).dataset).toEqual({ session: 'customer' })
  })

  test.each([
    ['nothing stored', null],
    ['no JSON', '{'],
    ['null', 'null'],
    ['no user', '{"refresh_token":"r"}'],
    ['no refresh token', '{"user":{"email":"guest@hotel.example"}}'],
  ])('stay signed out: %s', (_, stored) => {
    expect(run(() => stored).dataset).toEqual({})
  })

  test('stay signed out where storage is closed', () => {
    const closed = () => {
      throw new Error('SecurityError')
    }
    expect(run(closed).dataset).toEqual({})
  })

  test.each(['storage', 'pageshow'])('look again on %s', (event) => {
    let stored: string | null = session('guest@hotel.example')
    const page = run(() => stored)
    stored = null
    page.fire(event)
    expect(page.dataset).toEqual({})
  })

  test('cannot be closed early by an address', () => {
    expect(sessionScript('k', '</script><script>alert(1)')).not.toContain('</script')
  })
})

test('the hash is the one a content policy names', () => {
  expect(scriptHash('x')).toBe(`sha256-${createHash('sha256').update('x').digest('base64')}`)
})
