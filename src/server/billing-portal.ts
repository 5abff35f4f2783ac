import type { AuthError } from '@supabase/supabase-js'
import * as z from 'zod/mini'
import type { BillingPortalAnswer, Failure } from '#domain/contracts.ts'
import type { Result } from '#domain/result.ts'
import { routes } from '#domain/routes.ts'
import { DatabaseError } from './database.ts'
import { logFailure } from './log.ts'
import { providerFailure } from './provider-failure.ts'
import { bearerToken } from './admin.ts'
import type { Services } from './services.ts'

const unauthorized: Failure = { code: 'unauthorized', message: 'Please log in again.' }
const noSubscription: Failure = {
  code: 'no_subscription',
  message: 'There is no subscription to manage yet.',
}

const loginUnavailable: Failure = {
  code: 'provider_unavailable',
  message: 'Your login could not be checked. Please try again.',
}

const customerRow = z.nullable(z.object({ stripe_customer_id: z.nullable(z.string()) }))

/**
 * Opens the payment provider's own billing portal for the signed-in caller: cards, invoices, cancellation.
 */
export async function openBillingPortal(
  _body: object,
  { env, stripe, supabase }: Services,
  { request }: { request: Request },
): Promise<Result<BillingPortalAnswer>> {
  const token = bearerToken(request)
  if (!token) return { ok: false, failure: unauthorized }
  const { data: session, error: refused } = await supabase.auth.getUser(token)
  if (refused && !isDenial(refused)) {
    logFailure('billing-portal', refused)
    return { ok: false, failure: loginUnavailable }
  }
  if (!session.user) return { ok: false, failure: unauthorized }

  const { data, error } = await supabase
    .from('user_subscriptions')
    .select('stripe_customer_id')
    .eq('user_id', session.user.id)
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

/** Whether the token was looked at and found wanting; anything else says nothing about the caller. */
const isDenial = ({ status = 0 }: AuthError): boolean => status >= 400 && status < 500
