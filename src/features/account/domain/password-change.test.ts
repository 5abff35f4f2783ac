import { expect, test } from 'vitest'
import { transition, type PasswordChangeEvent, type PasswordChangeState } from './password-change.ts'

const editing: PasswordChangeState = { step: 'editing' }
const saving: PasswordChangeState = { step: 'saving' }
const submitted = (password: string, confirmation: string, signedIn = true): PasswordChangeEvent => ({
  type: 'submitted',
  signedIn,
  password,
  confirmation,
})
const toast = (title: string, description?: string, variant = 'destructive') => ({
  type: 'raiseToast' as const,
  toast: { title, variant, ...(description === undefined ? {} : { description }) },
})

test.each([
  [
    'no one signed in',
    submitted('front-1', 'front-1', false),
    'No user is currently signed in.',
    [toast('No user is currently signed in.'), { type: 'focus', id: 'submit' }],
  ],
  [
    'a mismatch',
    submitted('front-1', 'front-2'),
    'The two passwords do not match.',
    [
      toast('Passwords do not match', 'Please re-enter your password.'),
      { type: 'focus', id: 'confirmation' },
    ],
  ],
  [
    'five characters',
    submitted('front', 'front'),
    'Password must be at least 6 characters.',
    [
      toast('Password too short', 'Password must be at least 6 characters.'),
      { type: 'focus', id: 'password' },
    ],
  ],
] as const)(
  '%s is reported at its field and nothing is set, until it is corrected',
  (_, event, message, commands) => {
    const [raised, focused] = commands
    const { state, ...reported } = transition(editing, event)
    expect(reported).toEqual({ commands })
    expect(state).toEqual({
      step: 'editing',
      problem: { field: focused.id, message, toast: raised.toast },
    })
    expect(transition(state, { type: 'edited', field: 'confirmation' })).toEqual({
      state: editing,
      commands: [],
    })
  },
)

test('an empty field has its problem beside it', () => {
  expect(transition(editing, submitted('', ''))).toEqual({
    state: { step: 'editing', problem: { field: 'password', message: 'Enter a password.' } },
    commands: [{ type: 'focus', id: 'password' }],
  })
})

test('six characters are enough; a second press changes nothing', () => {
  const event = submitted('desk-1', 'desk-1')
  expect(transition(editing, event)).toEqual({
    state: saving,
    commands: [{ type: 'setPassword', password: 'desk-1' }],
  })
  expect(transition(saving, event)).toEqual({ state: saving, commands: [] })
})

test('success raises a toast and empties the fields; a refusal raises one with the provider’s message and keeps them', () => {
  expect(transition(saving, { type: 'changed' })).toEqual({
    state: editing,
    commands: [
      toast('Password updated', 'Use your new password the next time you log in.', 'default'),
      { type: 'emptyFields' },
    ],
  })
  const raised = toast('Error updating password', 'New password should be different')
  const refusal = { type: 'refused', message: 'New password should be different' } as const
  for (const [unreachable, field] of [
    [false, 'password'],
    [true, 'submit'],
  ] as const)
    expect(transition(saving, { ...refusal, unreachable })).toEqual({
      state: {
        step: 'editing',
        problem: { field, message: 'New password should be different.', toast: raised.toast },
      },
      commands: [raised, { type: 'focus', id: field }],
    })
})
