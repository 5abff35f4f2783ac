import type Stripe from 'stripe'
import { answer, badSignature, internalFailure, refuse } from '#platform/server/responses.ts'
import { webhookSecret } from '#platform/server/env.ts'
import { logFailure, logNotice } from '#platform/server/log.ts'
import { checkMethod, readText } from '#platform/server/request.ts'
import { services } from '#platform/server/services.ts'
import { handleEvent, takeEvent } from './webhook-inbox.ts'
import { trackedEvents } from './webhook-event.ts'

/** Of an event, in bytes; Stripe's are a few thousand. */
const bodyLimit = 256 * 1024

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
  const { handled, ticket } = await takeEvent(event, connected)
  if (handled) return answer({ received: true })
  try {
    await handleEvent(event, ticket, connected)
    return answer({ received: true })
  } catch (error) {
    logFailure('stripe-webhook', error)
    return refuse(internalFailure)
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
