import { describe, expect, test } from 'vitest'
import {
  transition,
  type LinkPurpose,
  type PasswordLinkCommand,
  type PasswordLinkEvent,
  type PasswordLinkState,
} from './password-link.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import { createPasswordLinkFlow, type PasswordLinkClients } from '#account/ui/password-link-flow.ts'

const account = { id: 'user-1', email: 'desk@hotel.test' }
const opening: PasswordLinkState = { step: 'opening' }
const verifying: PasswordLinkState = { step: 'verifying', token: 'hash' }
const resuming: PasswordLinkState = { step: 'resuming' }
const unreachable: PasswordLinkState = { step: 'unreachable', token: 'hash' }
const expired: PasswordLinkState = { step: 'expired' }
const editing: PasswordLinkState = { step: 'editing', account }
const setting: PasswordLinkState = { step: 'settingPassword', account }
const resetting: PasswordLinkState = { step: 'resettingOnboarding', account }
const signingOut: PasswordLinkState = { step: 'signingOut', account }
const leaving: PasswordLinkState = { step: 'leaving' }

const leave = (toast: Toast, url: string): PasswordLinkCommand[] => [
  { type: 'raiseToastForNextPage', toast },
  { type: 'goTo', url, replace: true },
]
const forget: PasswordLinkCommand = { type: 'forgetProgress' }
const invalidLink = [forget, ...leave(toasts.invalidLink, '/pricing')]
const submitted = (password: string, confirmation: string): PasswordLinkEvent => ({
  type: 'submitted',
  password,
  confirmation,
})
const refusal: PasswordLinkEvent = {
  type: 'passwordRefused',
  message: 'Use another one.',
  unreachable: false,
}
/** The form with a problem that a toast announces, and the commands that report it. */
const reported = (
  toast: Toast,
  field: 'password' | 'confirmation',
  message: string,
): [PasswordLinkState, PasswordLinkCommand[]] => [
  { ...editing, problem: { field, message, toast } },
  [
    { type: 'raiseToast', toast },
    { type: 'focus', id: field },
  ],
]

type Row = [string, PasswordLinkState, PasswordLinkEvent, PasswordLinkState, PasswordLinkCommand[]]

const openedWithout = (
  token: string | null,
  state: PasswordLinkState,
  commands: PasswordLinkCommand[],
): Row => [
  `the token ${JSON.stringify(token)} is none`,
  opening,
  { type: 'opened', token, resumable: false },
  state,
  commands,
]

const ofBoth: Row[] = [
  [
    'a token is verified',
    opening,
    { type: 'opened', token: 'hash', resumable: false },
    verifying,
    [{ type: 'verify', token: 'hash' }],
  ],
  [
    'a reload after the verification looks for its session',
    opening,
    { type: 'opened', token: null, resumable: true },
    resuming,
    [{ type: 'findSession' }],
  ],
  ['its session is there', resuming, { type: 'sessionFound', account }, editing, []],
  [
    'verified',
    verifying,
    { type: 'verified', account },
    editing,
    [{ type: 'rememberProgress', userId: 'user-1' }],
  ],
  ['no answer', verifying, { type: 'verificationUnreachable' }, unreachable, []],
  ['asked again', unreachable, { type: 'retried' }, verifying, [{ type: 'verify', token: 'hash' }]],
  [
    'no password',
    editing,
    submitted('', ''),
    { ...editing, problem: { field: 'password', message: 'Enter a password.' } },
    [{ type: 'focus', id: 'password' }],
  ],
  [
    'no confirmation',
    editing,
    submitted('secret', ''),
    { ...editing, problem: { field: 'confirmation', message: 'Enter the password again.' } },
    [{ type: 'focus', id: 'confirmation' }],
  ],
  [
    'a mismatch',
    editing,
    submitted('secret1', 'secret2'),
    ...reported(toasts.passwordsDoNotMatch, 'confirmation', 'The two passwords do not match.'),
  ],
  [
    'another password corrects it',
    reported(toasts.passwordsDoNotMatch, 'confirmation', '')[0],
    { type: 'edited', field: 'password' },
    editing,
    [],
  ],
  [
    'five characters',
    editing,
    submitted('12345', '12345'),
    ...reported(toasts.passwordTooShort, 'password', 'Password must be at least 6 characters.'),
  ],
  [
    'six characters',
    editing,
    submitted('123456', '123456'),
    setting,
    [{ type: 'setPassword', password: '123456' }],
  ],
  ['a second click', setting, submitted('123456', '123456'), setting, []],
]

const ofOne: Record<LinkPurpose, Row[]> = {
  signup: [
    ...[null, ''].map((token) => openedWithout(token, leaving, leave(toasts.missingToken, '/pricing'))),
    ['its session is gone', resuming, { type: 'sessionMissing' }, leaving, invalidLink],
    ['verified without a session', verifying, { type: 'verified', account: null }, leaving, invalidLink],
    ['not verified', verifying, { type: 'verificationRefused' }, leaving, invalidLink],
    ['the password is refused without a message', setting, refusal, editing, []],
    [
      'the password is set',
      setting,
      { type: 'passwordSet' },
      resetting,
      [{ type: 'resetOnboarding', userId: 'user-1' }],
    ],
    [
      'onboarding is reset',
      resetting,
      { type: 'onboardingReset' },
      signingOut,
      [{ type: 'signOut', scope: 'local' }],
    ],
    [
      'signed out',
      signingOut,
      { type: 'signedOut' },
      leaving,
      [forget, ...leave(toasts.accountCreated, '/login?email=desk%40hotel.test&from=signup')],
    ],
  ],
  recovery: [
    ...[null, ''].map((token) => openedWithout(token, expired, [])),
    ['its session is gone', resuming, { type: 'sessionMissing' }, expired, [forget]],
    ['verified without a session', verifying, { type: 'verified', account: null }, expired, [forget]],
    ['not verified', verifying, { type: 'verificationRefused' }, expired, [forget]],
    [
      'the password is refused',
      setting,
      refusal,
      ...reported(toasts.passwordUpdateFailed('Use another one.'), 'password', 'Use another one.'),
    ],
    [
      'the password is set',
      setting,
      { type: 'passwordSet' },
      signingOut,
      [{ type: 'signOut', scope: 'global' }],
    ],
    [
      'signed out',
      signingOut,
      { type: 'signedOut' },
      leaving,
      [forget, ...leave(toasts.passwordChanged, '/login?email=desk%40hotel.test')],
    ],
  ],
}

describe.each(['signup', 'recovery'] as const)('%s', (purpose) => {
  test.each([...ofBoth, ...ofOne[purpose]])('%s', (_name, state, event, expected, commands) => {
    expect(transition(purpose, state, event)).toEqual({ state: expected, commands })
  })
})

describe('flow', () => {
  const inMemory = (purpose: LinkPurpose, session: typeof account | null) => {
    const done: string[] = []
    const clients: PasswordLinkClients = {
      verify: async (token) => {
        done.push(`verify ${token}`)
        return { ok: true, value: session }
      },
      findSession: async () => session,
      setPassword: async (password) => {
        done.push(`password ${password}`)
        return { ok: true, value: undefined }
      },
      resetOnboarding: async (userId) => done.push(`onboarding of ${userId}`),
      signOut: async (scope) => void done.push(`sign out ${scope}`),
      progress: { remember: (userId) => done.push(`remember ${userId}`), forget: () => done.push('forget') },
      runCommon: (command) => done.push(command.type === 'goTo' ? `go to ${command.url}` : `${command.type}`),
    }
    return { done, clients, flow: createPasswordLinkFlow(purpose, clients) }
  }

  test.each([
    [
      'signup',
      ['onboarding of user-1', 'sign out local'],
      'go to /login?email=desk%40hotel.test&from=signup',
    ],
    ['recovery', ['sign out global'], 'go to /login?email=desk%40hotel.test'],
  ] as const)('from the link of %s to the login page', async (purpose, afterwards, left) => {
    const { done, flow } = inMemory(purpose, account)
    flow.send({ type: 'opened', token: 'hash', resumable: false })
    await expect.poll(() => flow.state.get().step).toBe('editing')
    flow.send(submitted('secret', 'secret'))
    await expect.poll(() => flow.state.get().step).toBe('leaving')
    expect(done).toEqual([
      'verify hash',
      'remember user-1',
      'password secret',
      ...afterwards,
      'forget',
      'raiseToastForNextPage',
      left,
    ])
  })

  test('a used link leads to pricing', async () => {
    const raised: Toast[] = []
    const { clients } = inMemory('signup', null)
    const flow = createPasswordLinkFlow('signup', {
      ...clients,
      verify: async () => ({ ok: false, failure: { message: 'Token has expired', unreachable: false } }),
      runCommon: (command) => void ('toast' in command && raised.push(command.toast)),
    })
    flow.send({ type: 'opened', token: 'hash', resumable: false })
    await expect.poll(() => raised).toEqual([toasts.invalidLink])
  })

  test('a link that gives no session has expired', async () => {
    const { flow } = inMemory('recovery', null)
    flow.send({ type: 'opened', token: 'hash', resumable: false })
    await expect.poll(() => flow.state.get().step).toBe('expired')
  })
})
