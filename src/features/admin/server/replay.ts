import type { Failure } from '#platform/domain/failures.ts'
import type { ReplayEventAnswer } from '#admin/domain/contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import { checkAdmin } from './check-admin.ts'
import { errorCode, logFailure } from '#platform/server/log.ts'
import type { Services } from '#platform/server/services.ts'
import { unlessUnknown } from '#platform/server/stripe.ts'
import { handleEvent, takeEvent } from '#billing/server/webhook/webhook-inbox.ts'
import { isTracked } from '#billing/server/webhook/webhook-event.ts'

const unknownEvent: Failure = { code: 'not_found', message: 'Stripe does not know this event.' }

/** Reads an event from Stripe and handles it, even if it was handled before. */
export async function replayEvent(
  { eventId }: { eventId: string },
  connected: Services,
  { request }: { request: Request },
): Promise<Result<ReplayEventAnswer>> {
  const denied = await checkAdmin(request, connected)
  if (denied) return { ok: false, failure: denied }
  const event = await connected.stripe.events.retrieve(eventId).catch(unlessUnknown)
  if (!event || !isTracked(event.type)) return { ok: false, failure: unknownEvent }
  const { sequence } = await takeEvent(event, connected)
  try {
    return { ok: true, value: { outcome: await handleEvent(event, sequence, connected) } }
  } catch (error) {
    logFailure('replay-webhook-event', error)
    const message = `It failed again: ${errorCode(error)}.`
    return { ok: false, failure: { code: 'provider_unavailable', message } }
  }
}
