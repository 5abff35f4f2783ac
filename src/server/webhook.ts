import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Failure } from '#domain/contracts.ts'
import { answer, internalFailure, refuse } from './answers.ts'
import { callSql } from './database.ts'
import { webhookSecret } from './env.ts'
import { errorCode, logFailure, logNotice } from './log.ts'
import { checkMethod, readText } from './request.ts'
import { services, type Services } from './services.ts'
import { syncSubscription } from './sync.ts'
import { trackedEvents, subscriptionOf } from './webhook-event.ts'

/** Of an event, in bytes; Stripe's are a few thousand. */
const bodyLimit = 256 * 1024

const badSignature: Failure = { code: 'invalid_signature', message: 'The signature is missing or wrong.' }

const begun = z.object({ handled: z.boolean(), ticket: z.number() })

/**
 * Stripe's webhook. A bad signature is 400 and writes nothing; an event that we do not track is 200; a failure is 500,
 * and Stripe delivers the event again. Of an event's payload only the identifiers are used, and only when its
 * signature holds.
 */
export async function receiveWebhook(request: Request): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return refuse(problem)
  const secret = webhookSecret()
  const signature = request.headers.get('stripe-signature')
  if (!secret || !signature) return refuse(badSignature)
  const body = await readText(request, bodyLimit)
  if (!body.ok) return refuse(body.failure)

  const connected = services()
  const event = await verified(body.value, signature, secret, connected.stripe)
  if (!event) return refuse(badSignature)
  if (!trackedEvents.has(event.type)) {
    logNotice('stripe-webhook', { ignored: event.type, event: event.id })
    return answer({ received: true })
  }
  return handle(event, connected)
}

/** Records the event, then brings its subscription into the database, which marks the event as handled. */
async function handle(event: Stripe.Event, connected: Services): Promise<Response> {
  const { supabase } = connected
  const subscription = subscriptionOf(event)
  const { handled, ticket } = await callSql(
    supabase,
    'begin_webhook_event',
    { p_id: event.id, p_type: event.type, p_subscription: subscription ?? null },
    begun,
  )
  if (handled) return answer({ received: true })

  const end = (error: string | null) =>
    callSql(supabase, 'end_webhook_event', { p_id: event.id, p_error: error }, z.unknown())
  try {
    const outcome = subscription
      ? await syncSubscription(subscription, ticket, connected, event.id)
      : 'not_ours'
    if (outcome === 'not_ours') await end(null)
    if (outcome === 'not_ours' || outcome === 'unknown_customer') {
      logNotice('stripe-webhook', { outcome, event: event.id })
    }
    return answer({ received: true })
  } catch (error) {
    logFailure('stripe-webhook', error)
    await end(errorCode(error)).catch((unwritten: unknown) => logFailure('end_webhook_event', unwritten))
    return refuse(internalFailure)
  }
}

async function verified(
  body: string,
  signature: string,
  secret: string,
  stripe: Stripe,
): Promise<Stripe.Event | undefined> {
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError)
      return undefined
    throw error
  }
}
