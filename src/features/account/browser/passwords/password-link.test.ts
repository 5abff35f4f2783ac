import { describe, expect, test } from 'vitest'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import { openLink, setPassword, type LinkClients } from './password-link.ts'
import type { LinkPurpose } from '#account/browser/session.ts'

const account = { id: 'user-1', email: 'desk@hotel.test' }
const purposes = ['signup', 'recovery'] as const
const verified = async () => ({ ok: true, value: account }) as const
const withoutSession = async () => ({ ok: true, value: null }) as const
const failing = (message: string, unreachable: boolean) => async () =>
  ({ ok: false, failure: { message, unreachable } }) as const
const refused = failing('Token has expired', false)

/** The clients of a page that a link has opened; `done` lists what they were asked for. */
function page(more: Partial<LinkClients> = {}, usedBy: string | null = null) {
  const done: string[] = []
  const clients: LinkClients = {
    token: () => 'hash',
    verify: verified,
    currentUser: async () => account,
    setPassword: async (password) => {
      done.push(`password ${password}`)
      return { ok: true, value: undefined }
    },
    resetOnboarding: async (userId) => done.push(`onboarding of ${userId}`),
    signOut: async (scope) => void done.push(`sign out ${scope}`),
    progress: {
      remember: (userId) => done.push(`remember ${userId}`),
      forget: () => done.push('forget'),
      userId: () => usedBy,
    },
    ...more,
  }
  return { done, clients }
}
const toPricing = (toast: Toast) => ({ goTo: '/pricing', toast, replace: true })

describe('opening a link', () => {
  test.each(purposes)('%s: a token is verified, and that is remembered', async (purpose) => {
    const { done, clients } = page()
    expect(await openLink(purpose, clients)).toEqual({ account })
    expect(done).toEqual(['remember user-1'])
  })

  test.each(purposes)('%s: a reload after the verification finds its session', async (purpose) => {
    const { done, clients } = page({ token: () => null }, 'user-1')
    expect(await openLink(purpose, clients)).toEqual({ account })
    expect(done).toEqual([])
  })

  test.each(purposes)('%s: without an answer it can be opened again', async (purpose) => {
    const { done, clients } = page({ verify: failing('No answer.', true) })
    expect(await openLink(purpose, clients)).toBe('unreachable')
    expect(done).toEqual([])
  })

  test.each([null, ''])('the token %j is none', async (token) => {
    const { clients } = page({ token: () => token })
    expect(await openLink('signup', clients)).toEqual(toPricing(toasts.missingToken))
    expect(await openLink('recovery', clients)).toBe('expired')
  })

  const reloaded = { token: () => null }
  test.each<[string, Partial<LinkClients>, string | null]>([
    ['its session is gone', { ...reloaded, currentUser: async () => null }, 'user-1'],
    ['another account is signed in', reloaded, 'user-2'],
    ['verified without a session', { verify: withoutSession }, null],
    ['a used link', { verify: refused }, null],
  ])('32. %s: signup leads to pricing, a new password to a new link', async (_, more, usedBy) => {
    const { done, clients } = page(more, usedBy)
    expect(await openLink('signup', clients)).toEqual(toPricing(toasts.invalidLink))
    expect(await openLink('recovery', clients)).toBe('expired')
    expect(done).toEqual(['forget', 'forget'])
  })
})

describe('setting the password', () => {
  test.each<[LinkPurpose, string[], object]>([
    [
      'signup',
      ['password secret', 'onboarding of user-1', 'sign out local', 'forget'],
      { goTo: '/login?email=desk%40hotel.test&from=signup', toast: toasts.accountCreated, replace: true },
    ],
    [
      'recovery',
      ['password secret', 'sign out global', 'forget'],
      { goTo: '/login?email=desk%40hotel.test', toast: toasts.passwordChanged, replace: true },
    ],
  ])('%s: to the log-in', async (purpose, steps, outcome) => {
    const { done, clients } = page()
    const typed = { password: 'secret', confirmation: 'secret' }
    expect(await setPassword(purpose, account, typed, clients)).toEqual(outcome)
    expect(done).toEqual(steps)
  })

  test.each([
    ['no password', '', '', { field: 'password', message: 'Enter a password.' }],
    ['no confirmation', 'secret', '', { field: 'confirmation', message: 'Enter the password again.' }],
    ['a mismatch', 'secret1', 'secret2', { field: 'confirmation', toast: toasts.passwordsDoNotMatch }],
    ['five characters', '12345', '12345', { field: 'password', toast: toasts.passwordTooShort }],
  ])('%s is not sent', async (_, password, confirmation, problem) => {
    const { done, clients } = page()
    for (const purpose of purposes)
      expect(await setPassword(purpose, account, { password, confirmation }, clients)).toMatchObject({
        problem,
      })
    expect(done).toEqual([])
  })

  test('a refusal is shown, except at signup, where only the button works again', async () => {
    const { done, clients } = page({ setPassword: failing('Use another one.', false) })
    const typed = { password: '123456', confirmation: '123456' }
    expect(await setPassword('signup', account, typed, clients)).toEqual({})
    expect(await setPassword('recovery', account, typed, clients)).toEqual({
      problem: {
        field: 'password',
        message: 'Use another one.',
        toast: toasts.passwordUpdateFailed('Use another one.'),
      },
    })
    expect(done).toEqual([])
  })
})
