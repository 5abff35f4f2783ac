import { expect, test } from 'vitest'
import { toasts } from '#platform/domain/toasts.ts'
import { findStartPage, logIn, type LoginClients } from './log-in.ts'

const customer = { id: 'user-1', isAdmin: false }
const admin = { id: 'admin-1', isAdmin: true }
const typed = { email: ' Desk@hotel.test', password: ' s ' }
const signingIn = (...[signIn, completed]: [LoginClients['signIn'], boolean?]): LoginClients => ({
  signIn,
  readOnboarding: async () => completed,
})
const signedIn = (person: typeof customer, completed?: boolean): LoginClients =>
  signingIn(async () => ({ ok: true, value: person }), completed)
const refusing = (message: string, unreachable: boolean): LoginClients =>
  signingIn(async () => ({ ok: false, failure: { message, unreachable } }))

test.each<[string, typeof typed, LoginClients, object]>([
  [
    'no e-mail',
    { email: '', password: 'secret' },
    signedIn(customer),
    { problem: { field: 'email', message: 'Enter your email address.' } },
  ],
  [
    'no password',
    { ...typed, password: '' },
    signedIn(customer),
    { problem: { field: 'password', message: 'Enter your password.' } },
  ],
  [
    'refused',
    typed,
    refusing('Invalid login credentials', false),
    {
      problem: {
        field: 'password',
        message: 'Invalid login credentials.',
        toast: toasts.signInFailed('Invalid login credentials'),
      },
    },
  ],
  [
    'not answered',
    typed,
    refusing('No answer.', true),
    { problem: { field: 'submit', message: 'No answer.', toast: toasts.signInFailed('No answer.') } },
  ],
  ['the admin', typed, signedIn(admin), { goTo: '/admin', replace: true }],
  ['onboarding complete', typed, signedIn(customer, true), { goTo: '/portal', replace: true }],
  ['onboarding not complete', typed, signedIn(customer, false), { goTo: '/onboarding', replace: true }],
  ['onboarding unknown', typed, signedIn(customer), { goTo: '/portal', replace: true }],
])('logging in: %s', async (_, given, clients, outcome) => {
  expect(await logIn(given, clients)).toEqual(outcome)
})

test('the e-mail is sent as the database keeps it, and the password as it is typed', async () => {
  const sent: string[] = []
  const { readOnboarding } = signedIn(customer, true)
  const signIn: LoginClients['signIn'] = async (...given) => {
    sent.push(...given)
    return { ok: true, value: customer }
  }
  await logIn(typed, { signIn, readOnboarding })
  expect(sent).toEqual(['desk@hotel.test', ' s '])
})

test('signed in already: customer and admin are led to their start pages', async () => {
  expect(await findStartPage(customer, signedIn(customer, false))).toMatchObject({ goTo: '/onboarding' })
  expect(await findStartPage(admin, signedIn(admin))).toMatchObject({ goTo: '/admin' })
})
