import { expect, test } from 'vitest'
import { changePassword } from './change-password.ts'

const toast = (title: string, description?: string, variant = 'destructive') => ({
  title,
  variant,
  ...(description === undefined ? {} : { description }),
})
const refusal = {
  ok: false,
  failure: { message: 'New password should be different', unreachable: false },
} as const
const unanswered = { ok: false, failure: { ...refusal.failure, unreachable: true } } as const
const done = { ok: true, value: undefined } as const
const refused = {
  message: 'New password should be different.',
  toast: toast('Error updating password', 'New password should be different'),
}

test.each([
  [
    'nobody is signed in',
    ['front-1', 'front-1', false, done],
    {
      problem: {
        field: 'submit',
        message: 'No user is currently signed in.',
        toast: toast('No user is currently signed in.'),
      },
    },
  ],
  ['an empty field', ['', '', true, done], { problem: { field: 'password', message: 'Enter a password.' } }],
  [
    'no confirmation',
    ['front-1', '', true, done],
    { problem: { field: 'confirmation', message: 'Enter the password again.' } },
  ],
  [
    'a mismatch',
    ['front-1', 'front-2', true, done],
    {
      problem: {
        field: 'confirmation',
        message: 'The two passwords do not match.',
        toast: toast('Passwords do not match', 'Please re-enter your password.'),
      },
    },
  ],
  [
    'five characters',
    ['front', 'front', true, done],
    {
      problem: {
        field: 'password',
        message: 'Password must be at least 6 characters.',
        toast: toast('Password too short', 'Password must be at least 6 characters.'),
      },
    },
  ],
  [
    'six characters are enough',
    ['desk-1', 'desk-1', true, done],
    { toast: toast('Password updated', 'Use your new password the next time you log in.', 'default') },
  ],
  ['refused', ['desk-1', 'desk-1', true, refusal], { problem: { field: 'password', ...refused } }],
  ['not answered', ['desk-1', 'desk-1', true, unanswered], { problem: { field: 'submit', ...refused } }],
] as const)('changing the password: %s', async (_, [password, confirmation, signedIn, answer], outcome) => {
  const set: string[] = []
  const updatePassword = async (password: string) => {
    set.push(password)
    return answer
  }
  const ended = await changePassword(
    { password, confirmation },
    { isSignedIn: async () => signedIn, updatePassword },
  )
  expect(ended).toEqual(outcome)
  // Only what has no problem of its own is sent.
  expect(set).toEqual(password === 'desk-1' ? ['desk-1'] : [])
})
