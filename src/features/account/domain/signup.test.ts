import { describe, expect, test } from 'vitest'
import { transition, type SignupCommand, type SignupEvent, type SignupState } from './signup.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import { createSignupFlow, type SignupClients } from '#account/ui/signup-flow.ts'

const account = { id: 'user-1', email: 'desk@hotel.test' }
const editing: SignupState = { step: 'editing', account }
const setting: SignupState = { step: 'settingPassword', account }
const resetting: SignupState = { step: 'resettingOnboarding', account }
const signingOut: SignupState = { step: 'signingOut', account }
const verifying: SignupState = { step: 'verifying', token: 'hash' }
const unreachable: SignupState = { step: 'unreachable', token: 'hash' }
const leaving: SignupState = { step: 'leaving' }

const invalidLink: SignupCommand[] = [
  { type: 'forgetProgress' },
  { type: 'raiseToastForNextPage', toast: toasts.invalidLink },
  { type: 'goTo', address: '/pricing' },
]
const submitted = (password: string, confirmation: string): SignupEvent => ({
  type: 'submitted',
  password,
  confirmation,
})
const told = (toast: Toast, field: 'password' | 'confirmation'): SignupCommand[] => [
  { type: 'raiseToast', toast },
  { type: 'focus', field },
]

type Row = [string, SignupState, SignupEvent, SignupState, SignupCommand[]]
const rows: Row[] = [
  [
    'a token is hidden and verified',
    { step: 'opening' },
    { type: 'opened', token: 'hash', resumable: false },
    verifying,
    [{ type: 'hideToken' }, { type: 'verify', token: 'hash' }],
  ],
  ...[null, ''].map((token): Row => [
    `the token ${JSON.stringify(token)} is none`,
    { step: 'opening' },
    { type: 'opened', token, resumable: false },
    leaving,
    [
      { type: 'raiseToastForNextPage', toast: toasts.missingToken },
      { type: 'goTo', address: '/pricing' },
    ],
  ]),
  [
    'a reload after the verification looks for its session',
    { step: 'opening' },
    { type: 'opened', token: null, resumable: true },
    { step: 'resuming' },
    [{ type: 'findSession' }],
  ],
  ['its session is there', { step: 'resuming' }, { type: 'sessionFound', account }, editing, []],
  ['its session is gone', { step: 'resuming' }, { type: 'sessionMissing' }, leaving, invalidLink],
  ['verified', verifying, { type: 'verified', account }, editing, [{ type: 'rememberProgress', account }]],
  ['verified without a session', verifying, { type: 'verified', account: null }, leaving, invalidLink],
  ['not verified', verifying, { type: 'verificationRefused' }, leaving, invalidLink],
  ['no verdict', verifying, { type: 'verificationUnreachable' }, unreachable, []],
  ['asked again', unreachable, { type: 'retried' }, verifying, [{ type: 'verify', token: 'hash' }]],
  [
    'no password',
    editing,
    submitted('', ''),
    { ...editing, problem: { field: 'password', message: 'Enter a password.' } },
    [{ type: 'focus', field: 'password' }],
  ],
  [
    'no confirmation',
    editing,
    submitted('secret', ''),
    { ...editing, problem: { field: 'confirmation', message: 'Enter the password again.' } },
    [{ type: 'focus', field: 'confirmation' }],
  ],
  [
    'a mismatch',
    editing,
    submitted('secret1', 'secret2'),
    editing,
    told(toasts.passwordsDoNotMatch, 'confirmation'),
  ],
  [
    'five characters',
    editing,
    submitted('12345', '12345'),
    editing,
    told(toasts.passwordTooShort, 'password'),
  ],
  [
    'six characters',
    editing,
    submitted('123456', '123456'),
    setting,
    [{ type: 'setPassword', password: '123456' }],
  ],
  ['the password is refused without a message', setting, { type: 'passwordRefused' }, editing, []],
  [
    'the password is set',
    setting,
    { type: 'passwordSet' },
    resetting,
    [{ type: 'resetOnboarding', userId: 'user-1' }],
  ],
  ['onboarding is reset', resetting, { type: 'onboardingReset' }, signingOut, [{ type: 'signOut' }]],
  [
    'signed out',
    signingOut,
    { type: 'signedOut' },
    leaving,
    [
      { type: 'forgetProgress' },
      { type: 'raiseToastForNextPage', toast: toasts.accountCreated },
      { type: 'goTo', address: '/login?email=desk%40hotel.test&from=signup' },
    ],
  ],
]

describe('transition', () => {
  test.each(rows)('%s', (_name, state, event, expected, commands) => {
    expect(transition(state, event)).toEqual({ state: expected, commands })
  })

  test('a second click creates nothing', () => {
    expect(transition(setting, submitted('123456', '123456'))).toEqual({ state: setting, commands: [] })
  })
})

describe('flow', () => {
  const inMemory = (session: typeof account | null) => {
    const done: string[] = []
    const clients: SignupClients = {
      verify: async (token) => {
        done.push(`verify ${token}`)
        return session
          ? { ok: true, value: session }
          : { ok: false, failure: { message: 'Token has expired', unreachable: false } }
      },
      findSession: async () => session,
      setPassword: async (password) => {
        done.push(`password ${password}`)
        return { ok: true, value: undefined }
      },
      resetOnboarding: async (userId) => done.push(`onboarding of ${userId}`),
      signOut: async () => void done.push('sign out'),
      hideToken: () => done.push('hide token'),
      rememberProgress: (userId) => done.push(`remember ${userId}`),
      forgetProgress: () => done.push('forget'),
      focus: (field) => done.push(`focus ${field}`),
      raiseToast: (toast) => done.push(`toast ${toast.title}`),
      raiseToastForNextPage: (toast) => done.push(`next page ${toast.title}`),
      replaceWith: (address) => done.push(`replace with ${address}`),
    }
    return { done, flow: createSignupFlow(clients) }
  }

  test('from the link to the login page', async () => {
    const { done, flow } = inMemory(account)
    flow.send({ type: 'opened', token: 'hash', resumable: false })
    await expect.poll(() => flow.state.get().step).toBe('editing')
    flow.send(submitted('secret', 'secret'))
    await expect.poll(() => flow.state.get().step).toBe('leaving')
    expect(done).toEqual([
      'hide token',
      'verify hash',
      'remember user-1',
      'password secret',
      'onboarding of user-1',
      'sign out',
      'forget',
      'next page Account Created!',
      'replace with /login?email=desk%40hotel.test&from=signup',
    ])
  })

  test('a used link leads to pricing', async () => {
    const { done, flow } = inMemory(null)
    flow.send({ type: 'opened', token: 'hash', resumable: false })
    await expect.poll(() => done.at(-1)).toBe('replace with /pricing')
    expect(done).toContain('next page Invalid Link')
  })
})
