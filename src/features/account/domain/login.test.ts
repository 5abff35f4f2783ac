import { describe, expect, test } from 'vitest'
import * as forgot from './forgot-password.ts'
import { transition, type LoginCommand, type LoginEvent, type LoginState } from './login.ts'
import * as renewal from './new-password.ts'
import { toasts } from '#platform/domain/toasts.ts'
import { createLoginFlow, type LoginClients } from '#account/ui/login-flow.ts'
import { createNewPasswordFlow } from '#account/ui/new-password-flow.ts'

const customer = { id: 'user-1', isAdmin: false }
const admin = { id: 'admin-1', isAdmin: true }
const editing: LoginState = { step: 'editing', welcome: true }
const signingIn: LoginState = { step: 'signingIn', welcome: true }
const findingHome: LoginState = { step: 'findingHome', welcome: true, person: customer }
const leaving: LoginState = { step: 'leaving' }
const goTo = (address: string): LoginCommand[] => [{ type: 'goTo', address }]

type Row = [string, LoginState, LoginEvent, LoginState, LoginCommand[]]
const rows: Row[] = [
  [
    'opened',
    { step: 'opening' },
    { type: 'opened', from: null },
    { step: 'editing', welcome: false },
    [{ type: 'findSession' }],
  ],
  [
    'opened after signup',
    { step: 'opening' },
    { type: 'opened', from: 'signup' },
    editing,
    [{ type: 'findSession' }],
  ],
  [
    'signed in already',
    editing,
    { type: 'sessionFound', person: customer },
    findingHome,
    [{ type: 'readOnboarding', userId: 'user-1' }],
  ],
  [
    'signed in already as the admin',
    editing,
    { type: 'sessionFound', person: admin },
    leaving,
    goTo('/admin'),
  ],
  [
    'no e-mail',
    editing,
    { type: 'submitted', email: '', password: 'secret' },
    { ...editing, problem: { field: 'email', message: 'Enter your email address.' } },
    [{ type: 'focus', field: 'email' }],
  ],
  [
    'no password',
    editing,
    { type: 'submitted', email: 'desk@hotel.test', password: '' },
    { ...editing, problem: { field: 'password', message: 'Enter your password.' } },
    [{ type: 'focus', field: 'password' }],
  ],
  [
    'submitted',
    editing,
    { type: 'submitted', email: ' Desk@hotel.test', password: ' s ' },
    signingIn,
    [{ type: 'signIn', email: 'desk@hotel.test', password: ' s ' }],
  ],
  ['a second click', signingIn, { type: 'submitted', email: 'a@b.test', password: 's' }, signingIn, []],
  [
    'refused',
    signingIn,
    { type: 'signInRefused', message: 'Invalid login credentials' },
    editing,
    [
      { type: 'raiseToast', toast: toasts.signInFailed('Invalid login credentials') },
      { type: 'focus', field: 'password' },
    ],
  ],
  [
    'signed in',
    signingIn,
    { type: 'signedIn', person: customer },
    findingHome,
    [{ type: 'readOnboarding', userId: 'user-1' }],
  ],
  ['signed in as the admin', signingIn, { type: 'signedIn', person: admin }, leaving, goTo('/admin')],
  [
    'the session tells it a second time',
    findingHome,
    { type: 'sessionFound', person: customer },
    findingHome,
    [],
  ],
  ['onboarding complete', findingHome, { type: 'onboardingRead', completed: true }, leaving, goTo('/portal')],
  [
    'onboarding not complete',
    findingHome,
    { type: 'onboardingRead', completed: false },
    leaving,
    goTo('/onboarding'),
  ],
  [
    'onboarding unknown',
    findingHome,
    { type: 'onboardingRead', completed: undefined },
    leaving,
    goTo('/portal'),
  ],
]

describe('logging in', () => {
  test.each(rows)('%s', (_name, state, event, expected, commands) => {
    expect(transition(state, event)).toEqual({ state: expected, commands })
  })

  test('flow: a wrong password, then the right one', async () => {
    const done: string[] = []
    const clients: LoginClients = {
      findSession: async () => null,
      signIn: async (_email, password) =>
        password === 'right'
          ? { ok: true, value: customer }
          : { ok: false, failure: { message: 'Invalid login credentials', unreachable: false } },
      readOnboarding: async () => false,
      focus: (field) => done.push(`focus ${field}`),
      raiseToast: (toast) => done.push(`${toast.title}: ${toast.description}`),
      replaceWith: (address) => done.push(`replace with ${address}`),
    }
    const flow = createLoginFlow(clients)
    flow.send({ type: 'opened', from: null })
    flow.send({ type: 'submitted', email: 'desk@hotel.test', password: 'wrong' })
    await expect.poll(() => flow.state.get().step).toBe('editing')
    flow.send({ type: 'submitted', email: 'desk@hotel.test', password: 'right' })
    await expect.poll(() => flow.state.get().step).toBe('leaving')
    expect(done).toEqual([
      'Sign in Failed: Invalid login credentials',
      'focus password',
      'replace with /onboarding',
    ])
  })
})

describe('asking for a link to a new password', () => {
  const email = 'desk@hotel.test'
  const rows: [
    string,
    forgot.ForgotPasswordState,
    forgot.ForgotPasswordEvent,
    forgot.ForgotPasswordState,
    forgot.ForgotPasswordCommand[],
  ][] = [
    ['opened', { step: 'opening' }, { type: 'opened' }, { step: 'editing' }, []],
    [
      'no e-mail',
      { step: 'editing' },
      { type: 'submitted', email: '' },
      { step: 'editing', problem: 'Enter your email address.' },
      [{ type: 'focusEmail' }],
    ],
    [
      'submitted',
      { step: 'editing' },
      { type: 'submitted', email: 'DESK@hotel.test' },
      { step: 'sending', email },
      [{ type: 'requestLink', email }],
    ],
    ['requested', { step: 'sending', email }, { type: 'linkRequested' }, { step: 'sent', email }, []],
    [
      'failed',
      { step: 'sending', email },
      { type: 'requestFailed', message: 'No mail today.' },
      { step: 'editing', failure: 'No mail today.' },
      [],
    ],
    [
      'another e-mail',
      { step: 'sent', email },
      { type: 'startedAgain' },
      { step: 'editing' },
      [{ type: 'focusEmail' }],
    ],
  ]
  test.each(rows)('%s', (_name, state, event, expected, commands) => {
    expect(forgot.transition(state, event)).toEqual({ state: expected, commands })
  })
})

describe('setting a new password', () => {
  const account = { id: 'user-1', email: 'desk@hotel.test' }
  const editing: renewal.NewPasswordState = { step: 'editing', account }
  const setting: renewal.NewPasswordState = { step: 'settingPassword', account }
  const verifying: renewal.NewPasswordState = { step: 'verifying', token: 'hash' }
  const expired: renewal.NewPasswordState = { step: 'expired' }
  const rows: [
    string,
    renewal.NewPasswordState,
    renewal.NewPasswordEvent,
    renewal.NewPasswordState,
    renewal.NewPasswordCommand[],
  ][] = [
    [
      'opened with a token',
      { step: 'opening' },
      { type: 'opened', token: 'hash', resumable: false },
      verifying,
      [{ type: 'hideToken' }, { type: 'verify', token: 'hash' }],
    ],
    ['opened without', { step: 'opening' }, { type: 'opened', token: null, resumable: false }, expired, []],
    [
      'opened again',
      { step: 'opening' },
      { type: 'opened', token: null, resumable: true },
      { step: 'resuming' },
      [{ type: 'findSession' }],
    ],
    ['found', { step: 'resuming' }, { type: 'sessionFound', account }, editing, []],
    ['lost', { step: 'resuming' }, { type: 'sessionMissing' }, expired, [{ type: 'forgetProgress' }]],
    [
      'verified',
      verifying,
      { type: 'verified', account },
      editing,
      [{ type: 'rememberProgress', userId: 'user-1' }],
    ],
    ['expired', verifying, { type: 'verificationRefused' }, expired, [{ type: 'forgetProgress' }]],
    [
      'no verdict',
      verifying,
      { type: 'verificationUnreachable' },
      { step: 'unreachable', token: 'hash' },
      [],
    ],
    [
      'asked again',
      { step: 'unreachable', token: 'hash' },
      { type: 'retried' },
      verifying,
      [{ type: 'verify', token: 'hash' }],
    ],
    [
      'a mismatch',
      editing,
      { type: 'submitted', password: 'secret1', confirmation: 'secret2' },
      editing,
      [
        { type: 'raiseToast', toast: toasts.passwordsDoNotMatch },
        { type: 'focus', field: 'confirmation' },
      ],
    ],
    [
      'no password',
      editing,
      { type: 'submitted', password: '', confirmation: '' },
      { ...editing, problem: { field: 'password', message: 'Enter a password.' } },
      [{ type: 'focus', field: 'password' }],
    ],
    [
      'submitted',
      editing,
      { type: 'submitted', password: 'secret', confirmation: 'secret' },
      setting,
      [{ type: 'setPassword', password: 'secret' }],
    ],
    [
      'refused',
      setting,
      { type: 'passwordRefused', message: 'Use another one.' },
      editing,
      [
        { type: 'raiseToast', toast: toasts.passwordUpdateFailed('Use another one.') },
        { type: 'focus', field: 'password' },
      ],
    ],
    [
      'set',
      setting,
      { type: 'passwordSet' },
      { step: 'signingOut', account },
      [{ type: 'signOutEverywhere' }],
    ],
    [
      'signed out',
      { step: 'signingOut', account },
      { type: 'signedOut' },
      { step: 'leaving' },
      [
        { type: 'forgetProgress' },
        { type: 'raiseToastForNextPage', toast: toasts.passwordChanged },
        { type: 'goTo', address: '/login?email=desk%40hotel.test' },
      ],
    ],
  ]
  test.each(rows)('%s', (_name, state, event, expected, commands) => {
    expect(renewal.transition(state, event)).toEqual({ state: expected, commands })
  })

  test('flow: a link that gives no session has expired', async () => {
    const nothing = (): void => undefined
    const flow = createNewPasswordFlow({
      verify: async () => ({ ok: true, value: null }),
      findSession: async () => null,
      setPassword: async () => ({ ok: true, value: undefined }),
      signOutEverywhere: async () => undefined,
      hideToken: nothing,
      rememberProgress: nothing,
      forgetProgress: nothing,
      focus: nothing,
      raiseToast: nothing,
      raiseToastForNextPage: nothing,
      replaceWith: nothing,
    })
    flow.send({ type: 'opened', token: 'hash', resumable: false })
    await expect.poll(() => flow.state.get().step).toBe('expired')
  })
})
