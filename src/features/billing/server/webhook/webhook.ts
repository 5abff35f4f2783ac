import type Stripe from 'stripe'
import type { Failure } from '#platform/domain/failures.ts'
import {
  failureResponse,
  internalFailure,
  jsonResponse,
  refuseSignature,
} from '#platform/server/responses.ts'
import { webhookSecret } from '#platform/server/env.ts'
import { logFailure, logNotice } from '#platform/server/log.ts'
import { checkMethod, readText } from '#platform/server/request.ts'
import { services } from '#platform/server/services.ts'
import { handleEvent, takeEvent } from './webhook-inbox.ts'
import { isTracked, isWellFormed } from './webhook-event.ts'

/** The largest event, in bytes; Stripe's events have a few thousand. */
const bodyLimit = 256 * 1024

const malformedEvent: Failure = { code: 'invalid_request', message: 'The event is malformed.' }

/**
 * Receives Stripe's events. The response to a wrong signature or a malformed event is 400, and nothing is written; to an event that we do not
 * track, 200; to a failure of ours, 500, and Stripe delivers the event again. Only the identifiers in the payload are used,
 * and only if the signature is valid.
 */
export async function receiveWebhook(request: Request): Promise<Response> {
  const problem = checkMethod(request)
  if (problem) return failureResponse(problem)
  const secret = webhookSecret()
  const signature = request.headers.get('stripe-signature')
  if (!secret || !signature) return refuseSignature('stripe-webhook', secret ? 'missing' : 'no secret')
  const body = await readText(request, bodyLimit)
  if (!body.ok) return failureResponse(body.failure)

  const connected = services()
  const event = await verified(body.value, signature, secret, connected.stripe)
  if (event === undefined) return refuseSignature('stripe-webhook', 'wrong')
  if (!isWellFormed(event)) return failureResponse(malformedEvent)
  if (!isTracked(event.type)) {
    logNotice('stripe-webhook', { ignored: event.type, stripe_event: event.id })
    return jsonResponse({ received: true })
  }
  const { handled, sequence } = await takeEvent(event, connected)
  if (handled) return jsonResponse({ received: true })
  try {
    await handleEvent(event, sequence, connected)
    return jsonResponse({ received: true })
  } catch (error) {
    logFailure('stripe-webhook', error)
    return failureResponse(internalFailure)
  }
}

/** Returns the event if its signature is valid, else undefined. */
async function verified(
  body: string,
  signature: string,
  secret: string,
  stripe: Stripe,
): Promise<Stripe.Event | undefined> {
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret)
  } catch {
    return undefined
  }
}
