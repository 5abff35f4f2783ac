import * as z from 'zod/mini'
import type { BillingPortalAnswer } from '#billing/domain/contracts.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import { routes } from '#platform/domain/routes.ts'
import { signedInUser } from '#account/server/signed-in-user.ts'
import { DatabaseError } from '#platform/server/database.ts'
import { logFailure } from '#platform/server/log.ts'
import { providerFailure } from '#platform/server/provider-failure.ts'
import type { Services } from '#platform/server/services.ts'

const noSubscription: Failure = {
  code: 'no_subscription',
  message: 'There is no subscription to manage yet.',
}

const customerRow = z.nullable(z.object({ stripe_customer_id: z.nullable(z.string()) }))

/** Opens the payment provider's own billing portal for the signed-in user: cards, invoices, cancellation. */
export async function openBillingPortal(
  _body: object,
  connected: Services,
  { request }: { request: Request },
): Promise<Result<BillingPortalAnswer>> {
  const { env, stripe, supabase } = connected
  const user = await signedInUser(request, connected)
  if (!user.ok) return user

  const { data, error } = await supabase
    .from('user_subscriptions')
    .select('stripe_customer_id')
    .eq('user_id', user.value.id)
    .maybeSingle()
  if (error) throw new DatabaseError('user_subscriptions', error.code)
  const customer = z.parse(customerRow, data)?.stripe_customer_id
  if (!customer) return { ok: false, failure: noSubscription }

  try {
    const { url } = await stripe.billingPortal.sessions.create({
      customer,
      return_url: `${env.PUBLIC_SITE_URL}${routes.portal}/billing`,
    })
    return { ok: true, value: { url } }
  } catch (caught) {
    const failure = providerFailure(caught)
    if (!failure) throw caught
    logFailure('billing-portal', caught)
    return { ok: false, failure }
  }
}
