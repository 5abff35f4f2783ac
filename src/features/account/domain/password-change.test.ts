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
  type: 'raiseToast',
  toast: { title, variant, ...(description === undefined ? {} : { description }) },
})

test.each([
  ['no one signed in', submitted('front-1', 'front-1', false), [toast('No user is currently signed in.')]],
  [
    'a mismatch',
    submitted('front-1', 'front-2'),
    [
      toast('Passwords do not match', 'Please re-enter your password.'),
      { type: 'focus', id: 'confirmation' },
    ],
  ],
  [
    'five characters',
    submitted('front', 'front'),
    [
      toast('Password too short', 'Password must be at least 6 characters.'),
      { type: 'focus', id: 'password' },
    ],
  ],
])('%s is reported and nothing is set', (_, event, commands) => {
  expect(transition(editing, event)).toEqual({ state: editing, commands })
})

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
  expect(transition(saving, { type: 'refused', message: 'New password should be different' })).toEqual({
    state: editing,
    commands: [toast('Error updating password', 'New password should be different')],
  })
})
