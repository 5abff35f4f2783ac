import { site } from '#site'
import { routes } from '#platform/domain/routes.ts'
import { refreshSubscription } from '#billing/browser/subscription-store.ts'
import { Waiting } from '#platform/ui/Waiting.tsx'
import { button } from '#platform/domain/variants.ts'

interface Props {
  /** The e-mail of the account. */
  email: string
  onLogout: () => void
}

const mailQuery = (email: string): string =>
  new URLSearchParams({
    subject: 'My subscription is missing',
    body: `Account: ${email}\nDay of the payment: \nLast four digits of the card: \n`,
  })
    .toString()
    // In a mailto URL a plus sign is no space.
    .replaceAll('+', '%20')

/**
 * Shown to a signed-in customer without a subscription: the provider's event is still on its way, or there was no
 * payment. In the first case the checkout charges nothing more: its server asks the provider.
 */
export const NoSubscription = ({ email, onLogout }: Props) => (
  <Waiting
    onRetry={() => void refreshSubscription()}
    also={
      <button className={button({ kind: 'other' })} type="button" onClick={onLogout}>
        Logout
      </button>
    }
  >
    <p>
      There is no subscription on this account yet. If you have just paid, it will appear here as soon as the
      payment is confirmed. If you have not, <a href={routes.pricing}>choose a plan</a>.
    </p>
    <p>
      If it does not, write to <a href={`mailto:${site.email}?${mailQuery(email)}`}>{site.email}</a>. Tell us
      the email of this account (<span className="wrap-anywhere">{email}</span>), the day you paid, and the
      last four digits of your card, never the whole number.
    </p>
  </Waiting>
)
