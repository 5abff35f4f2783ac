import { site } from '#site'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'

interface Props {
  /** Of the account. */
  email: string
  onLogout: () => void
}

const letter = (email: string): string =>
  new URLSearchParams({
    subject: 'My subscription is missing',
    body: `Account: ${email}\nDay of the payment: \nLast four digits of the card: \n`,
  })
    .toString()
    // Mail programs take a plus sign for what it is.
    .replaceAll('+', '%20')

/**
 * Signed in, but the provider has not told us of a payment: it comes by itself, or there is none. Checkout is no way
 * out, because it sends an address that has an account to log in.
 */
export const NoSubscription = ({ email, onLogout }: Props) => (
  <Waiting
    onRetry={() => void refreshSubscription()}
    also={
      <button className="btn two" type="button" onClick={onLogout}>
        Sign out
      </button>
    }
  >
    <p>
      There is no subscription on this account yet. If you have just paid, it appears here by itself as soon
      as the payment is confirmed.
    </p>
    <p>
      If it does not, write to <a href={`mailto:${site.email}?${letter(email)}`}>{site.email}</a>. Tell us the
      email of this account (<span className="break">{email}</span>), the day you paid, and the last four
      digits of your card, never the whole number.
    </p>
  </Waiting>
)
