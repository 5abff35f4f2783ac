import { describe, expect, test } from 'vitest'
import * as forgot from './forgot-password.ts'
import { transition, type LoginCommand, type LoginEvent, type LoginState } from './login.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import { createLoginFlow, type LoginClients } from '#account/ui/login-flow.ts'

const customer = { id: 'user-1', isAdmin: false }
const admin = { id: 'admin-1', isAdmin: true }
const editing: LoginState = { step: 'editing', from: 'signup' }
const refused: LoginState = {
  ...editing,
  problem: {
    field: 'password',
    message: 'Invalid login credentials.',
    toast: toasts.signInFailed('Invalid login credentials'),
  },
}
const withoutEmail: LoginState = {
  ...editing,
  problem: { field: 'email', message: 'Enter your email address.' },
}
const signingIn: LoginState = { step: 'signingIn', from: 'signup' }
const findingHome: LoginState = { step: 'findingHome', from: 'signup', person: customer }
const leaving: LoginState = { step: 'leaving' }
const goTo = (url: string): LoginCommand[] => [{ type: 'goTo', url, replace: true }]

type Row = [string, LoginState, LoginEvent, LoginState, LoginCommand[]]
const rows: Row[] = [
  [
    'opened',
    { step: 'opening' },
    { type: 'opened', from: null },
    { step: 'editing', from: null },
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
    'opened by somebody who is no admin',
    { step: 'opening' },
    { type: 'opened', from: 'admin' },
    { step: 'editing', from: 'admin' },
    [],
  ],
  [
    'signed in already, and no admin',
    { step: 'editing', from: 'admin' },
    { type: 'sessionFound', person: customer },
    { step: 'editing', from: 'admin' },
    [],
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
    [{ type: 'focus', id: 'email' }],
  ],
  [
    'no password',
    editing,
    { type: 'submitted', email: 'desk@hotel.test', password: '' },
    { ...editing, problem: { field: 'password', message: 'Enter your password.' } },
    [{ type: 'focus', id: 'password' }],
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
    { type: 'signInRefused', message: 'Invalid login credentials', unreachable: false },
    refused,
    [
      { type: 'raiseToast', toast: toasts.signInFailed('Invalid login credentials') },
      { type: 'focus', id: 'password' },
    ],
  ],
  ['another e-mail corrects it', refused, { type: 'edited', field: 'email' }, editing, []],
  [
    'not answered',
    signingIn,
    { type: 'signInRefused', message: 'No answer.', unreachable: true },
    {
      ...editing,
      problem: { field: 'submit', message: 'No answer.', toast: toasts.signInFailed('No answer.') },
    },
    [
      { type: 'raiseToast', toast: toasts.signInFailed('No answer.') },
      { type: 'focus', id: 'submit' },
    ],
  ],
  ['nothing to correct', editing, { type: 'edited', field: 'email' }, editing, []],
  [
    'a password does not correct the e-mail',
    withoutEmail,
    { type: 'edited', field: 'password' },
    withoutEmail,
    [],
  ],
  ['an e-mail does', withoutEmail, { type: 'edited', field: 'email' }, editing, []],
  [
    'signed in',
    signingIn,
    { type: 'signedIn', person: customer },
    findingHome,
    [{ type: 'readOnboarding', userId: 'user-1' }],
  ],
  ['signed in as the admin', signingIn, { type: 'signedIn', person: admin }, leaving, goTo('/admin')],
  [
    'the session is reported a second time',
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
    const done: CommonCommand[] = []
    const clients: LoginClients = {
      findSession: async () => null,
      signIn: async (_email, password) =>
        password === 'right'
          ? { ok: true, value: customer }
          : { ok: false, failure: { message: 'Invalid login credentials', unreachable: false } },
      readOnboarding: async () => false,
      runCommon: (command) => done.push(command),
    }
    const flow = createLoginFlow(clients)
    flow.send({ type: 'opened', from: null })
    flow.send({ type: 'submitted', email: 'desk@hotel.test', password: 'wrong' })
    await expect.poll(() => flow.state.get().step).toBe('editing')
    flow.send({ type: 'submitted', email: 'desk@hotel.test', password: 'right' })
    await expect.poll(() => flow.state.get().step).toBe('leaving')
    expect(done).toEqual([
      { type: 'raiseToast', toast: toasts.signInFailed('Invalid login credentials') },
      { type: 'focus', id: 'password' },
      ...goTo('/onboarding'),
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
      { step: 'editing', problem: { field: 'email', message: 'Enter your email address.' } },
      [{ type: 'focus', id: 'email' }],
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
      { step: 'editing', problem: { field: 'submit', message: 'No mail today.' } },
      [{ type: 'focus', id: 'submit' }],
    ],
    [
      'corrected',
      { step: 'editing', problem: { field: 'email', message: 'Enter your email address.' } },
      { type: 'edited', field: 'email' },
      { step: 'editing' },
      [],
    ],
    [
      'another e-mail',
      { step: 'sent', email },
      { type: 'startedAgain' },
      { step: 'editing' },
      [{ type: 'focus', id: 'email' }],
    ],
  ]
  test.each(rows)('%s', (_name, state, event, expected, commands) => {
    expect(forgot.transition(state, event)).toEqual({ state: expected, commands })
  })
})
