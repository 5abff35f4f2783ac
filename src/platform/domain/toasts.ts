import { resendFor, routes } from './routes.ts'

/** A message that is shown as a toast. */
export interface Toast {
  title: string
  description?: string
  /** `default`: a success; `notice`: neither a success nor a failure. */
  variant: 'default' | 'notice' | 'destructive'
  /** A link to a page of ours that helps. */
  link?: { label: string; href: string }
}

const bad = (title: string, description?: string): Toast => ({ title, description, variant: 'destructive' })
const note = (title: string, description?: string): Toast => ({ title, description, variant: 'notice' })
const good = (title: string, description?: string): Toast => ({ title, description, variant: 'default' })

/** All toasts, in the words of the specification (sections 4, 5 and 8). */
export const toasts = {
  invalidPlan: bad('Invalid Plan', 'Please select a plan from the pricing page.'),
  missingToken: bad('Missing Token', 'Account creation link is incomplete. Please try again.'),
  invalidLink: {
    ...bad(
      'Invalid Link',
      'This account creation link is invalid or has expired. Please start over from the pricing page.',
    ),
    link: { label: 'Paid already? Get a new link', href: routes.resend },
  },
  couldNotVerifyUser: bad('Error', 'Could not verify user. Please try again.'),
  accountExists: bad(
    'Account Exists',
    'An account with this email already exists. Please log in to manage your subscription.',
  ),
  /** The provider's message is the title. */
  cardError: (message: string) => bad(message),
  subscriptionFailed: (message: string | undefined) =>
    bad('Subscription Failed', message || 'Could not create subscription.'),
  /** The request that pays stayed without an answer. `account`: null if the payer is not signed in. */
  paymentUnknown: ({ email, account }: { email: string; account: string | null }): Toast => ({
    ...note(
      'We do not know yet',
      account === null
        ? 'Your card may have been charged. If so, a link to your account is mailed to you within minutes. If you try again with this email, you are not charged twice.'
        : 'Your card may have been charged. If so, your portal shows the plan within minutes. If you try again, you are not charged twice.',
    ),
    link:
      account === null
        ? { label: 'Get the link to my account', href: resendFor(email) }
        : { label: 'Look in the portal', href: routes.portalBilling },
  }),
  mayHavePaid: note(
    'Your payment may have gone through',
    'This email has an account by now. Get the link to it here, or log in if you have set a password.',
  ),
  paymentFailed: (message: string) => bad('Payment Failed', message),
  passwordsDoNotMatch: bad('Passwords do not match', 'Please re-enter your password.'),
  passwordTooShort: bad('Password too short', 'Password must be at least 6 characters.'),
  voiceSampleMissing: bad('Please upload a voice sample to continue.'),
  templateMissing: bad('Please select an industry template.'),
  templateNotSaved: bad('Your choice was not saved', 'Check your connection, then press Next.'),
  setupFailed: bad('Error completing setup', 'Please try again.'),
  signUpFailed: (message: string) => bad('Sign up Failed', message),
  signInFailed: (message: string) => bad('Sign in Failed', message),
  signOutFailed: (message: string) => bad('Sign out Failed', message),
  passwordUpdateFailed: (message: string) => bad('Error updating password', message),
  noUser: bad('No user is currently signed in.'),
  missingInformation: bad('Missing Information', 'Please fill in all fields and select an audio file.'),
  faqIncomplete: bad('Please fill in both question and answer.'),
  notImplemented: note('Feature not implemented yet'),
  exportNotImplemented: note('Data export is not implemented yet', 'It needs a storage integration.'),
  backupNotImplemented: note('Data backup is not implemented yet', 'It needs a storage integration.'),
  passwordUpdated: good('Password updated', 'Use your new password the next time you log in.'),
  /** The heading of the sign-up page, for a payer who has an account already. */
  paymentSuccessful: good('Payment successful!'),
  accountCreated: good('Account Created!', 'Please log in to continue to onboarding.'),
  progressSaved: good('Progress Saved', 'You can resume onboarding later by logging in.'),
  sampleUnderWay: note(
    'Your voice sample is still being updated',
    'Wait until it is done, or cancel the upload.',
  ),
  accountDeleted: good('Account deleted', 'Your subscription has ended. Nothing more will be charged.'),
  planChanged: (plan: string) => good('Plan changed', `You are on ${plan} now.`),
  nextPlanSet: (plan: string, day: string) => good('Plan noted', `You are on ${plan} from ${day}.`),
  planKept: (plan: string) => good('Plan kept', `You stay on ${plan}.`),
  endScheduled: (day: string) =>
    good('Subscription will end', `It ends on ${day}. You can keep it until then.`),
  subscriptionKept: good('Subscription kept', 'Your subscription goes on.'),
  passwordChanged: good('Password changed', 'Please log in with your new password.'),
} as const

/** The minimum length of a password (specification, section 9). The database checks the same number. */
export const minimumPasswordLength = 6
