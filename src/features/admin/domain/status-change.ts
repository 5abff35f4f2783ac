import { renews, statusTone } from '#billing/domain/status.ts'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'

/** Returns the status that the button of an account leads to (specification, section 4). */
export const changedStatus = ({ subscriptionStatus }: AdminUser): 'blocked' | 'active' =>
  subscriptionStatus === 'active' ? 'blocked' : 'active'

/** The payment provider's statuses in words. Others are shown as they are. */
const paymentWords: Record<string, string> = {
  active: 'paid',
  trialing: 'on trial',
  incomplete: 'not paid yet',
}

/** Describes the badge of a status. If the admin has set it, `more` says so, and what the payment provider says. */
export function statusBadge(status: string, billingStatus: string | null | undefined) {
  if (!billingStatus || billingStatus === status) return { tone: statusTone(status), more: null }
  return {
    // The lamp of "all in order" is not for an account that the provider reports otherwise.
    tone: status === 'active' ? 'warn' : statusTone(status),
    more: `by you, ${paymentWords[billingStatus] ?? billingStatus.replaceAll('_', ' ')}`,
  }
}

const untilStripe = 'Stripe’s next change of the status replaces yours.'

/** Says what Block or Activate does to an account: each a term and a sentence. */
export function consequences(user: AdminUser): [string, string][] {
  const { plan, subscriptionStatus, billingStatus } = user
  const isCharged = !billingStatus || renews(billingStatus)
  if (changedStatus(user) === 'blocked')
    return [
      ['Stops', 'Changes to setup, voice and greeting, emails about used minutes, deleting the account.'],
      [
        'Calls',
        'From the next one on, callers reach the customer’s fallback number, or hear that nobody can take the call. An agent that you have set up by hand goes on until you switch it off.',
      ],
      [
        'Customer sees',
        '“Your account is blocked”, and a link to contact you. Plan, minutes and calls stay readable.',
      ],
      [
        'Billing',
        isCharged
          ? 'Goes on. To end it, cancel the subscription at Stripe.'
          : 'Nothing is charged: the subscription does not renew.',
      ],
    ]
  if (plan === null) return [['Changes', 'Nothing: this account has no subscription that could be active.']]
  return [
    subscriptionStatus === 'blocked'
      ? [
          'Works again',
          'The agent, changes to setup, voice and greeting, emails about used minutes, deleting the account.',
        ]
      : [
          'Works',
          'The agent answers, and setup, voice and greeting can be changed, whatever Stripe says of the payment.',
        ],
    ['Customer sees', 'The status active, and no notice of a block or a failed payment.'],
    [
      'Billing',
      billingStatus === 'active'
        ? 'Goes on as before.'
        : billingStatus === 'payment_failed'
          ? `What is owed stays owed. ${untilStripe}`
          : isCharged
            ? `Goes on as before. ${untilStripe}`
            : `Nothing is charged. ${untilStripe}`,
    ],
  ]
}
