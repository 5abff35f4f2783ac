import { routes } from '#domain/routes.ts'
import { refreshSubscription } from '#stores/subscription.ts'
import { Waiting } from './Waiting.tsx'

/** Signed in, but the provider has not told us of a payment: it comes by itself, or there is none. */
export const NoSubscription = () => (
  <Waiting onRetry={() => void refreshSubscription()}>
    <p>
      There is no subscription on this account yet. If you have just paid, it appears here by itself as soon
      as the payment is confirmed.
    </p>
    <p>
      If you have not, <a href={routes.pricing}>choose a plan</a>. If it stays like this,{' '}
      <a href={routes.contact}>contact us</a>.
    </p>
  </Waiting>
)
