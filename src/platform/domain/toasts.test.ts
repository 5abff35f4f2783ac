import { expect, test } from 'vitest'
import { toasts, type Toast } from './toasts.ts'

const said = 'what the provider says'

// The words of the specification's error catalogue (section 8). Tests of forms and pages compare with the table.
test.each<[Toast, string, string?]>([
  [toasts.invalidPlan, 'Invalid Plan', 'Please select a plan from the pricing page.'],
  [toasts.missingToken, 'Missing Token', 'Account creation link is incomplete. Please try again.'],
  [
    toasts.invalidLink,
    'Invalid Link',
    'This account creation link is invalid or has expired. Please start over from the pricing page.',
  ],
  [toasts.couldNotVerifyUser, 'Error', 'Could not verify user. Please try again.'],
  [
    toasts.accountExists,
    'Account Exists',
    'An account with this email already exists. Please log in to manage your subscription.',
  ],
  [toasts.cardError(said), said],
  [toasts.subscriptionFailed(said), 'Subscription Failed', said],
  [toasts.subscriptionFailed(undefined), 'Subscription Failed', 'Could not create subscription.'],
  [toasts.paymentFailed(said), 'Payment Failed', said],
  [toasts.passwordsDoNotMatch, 'Passwords do not match', 'Please re-enter your password.'],
  [toasts.passwordTooShort, 'Password too short', 'Password must be at least 6 characters.'],
  [toasts.voiceSampleMissing, 'Please upload a voice sample to continue.'],
  [toasts.templateMissing, 'Please select an industry template.'],
  [toasts.setupFailed, 'Error completing setup', 'Please try again.'],
  [toasts.missingInformation, 'Missing Information', 'Please fill in all fields and select an audio file.'],
  [toasts.faqIncomplete, 'Please fill in both question and answer.'],
  [toasts.signUpFailed(said), 'Sign up Failed', said],
  [toasts.signInFailed(said), 'Sign in Failed', said],
  [toasts.signOutFailed(said), 'Sign out Failed', said],
  [toasts.passwordUpdateFailed(said), 'Error updating password', said],
  [toasts.noUser, 'No user is currently signed in.'],
])('%o is in the words of the specification', (toast, title, description) => {
  expect(toast).toMatchObject({ title, description, variant: 'destructive' })
})
