import { isDeepStrictEqual } from 'node:util'
import { trackedEvents } from '#billing/domain/tracked-events.ts'
import type { Account, EventType } from './account.ts'
import { newId } from './account.ts'
import { limitInvoiceLines } from './lists.ts'
import type { Delivery, StoredEvent } from './state.ts'
import type { Store } from './store.ts'

/** Our webhook endpoint listens to what we handle. */
const listenedTypes: readonly EventType[] = trackedEvents

/** Records an event with its object's present state, and queues its delivery. */
export function recordEvent(
  { store, now }: Pick<Account, 'store' | 'now'>,
  apiVersion: string,
  type: EventType,
  object: object,
  before?: object,
): void {
  const id = newId('evt')
  const listened = listenedTypes.includes(type)
  const event: StoredEvent = {
    id,
    object: 'event',
    api_version: apiVersion,
    created: now(),
    data: {
      object: limitInvoiceLines(object),
      ...(before ? { previous_attributes: differences(before, object) } : {}),
    },
    livemode: false,
    pending_webhooks: listened ? 1 : 0,
    request: { id: null, idempotency_key: null },
    type,
  }
  store.put('events', id, event)
  if (listened) queueDelivery(store, id)
}

/** Queues an event for its endpoint; it is sent at once unless a test control holds events. */
function queueDelivery(store: Store, event: string): void {
  const delivery: Delivery = {
    id: newId('whd', 14),
    event,
    state: store.get('settings', 'webhooks')?.mode === 'hold' ? 'held' : 'pending',
    attempts: 0,
    nextAt: Date.now(),
    since: Date.now(),
    lastResponse: null,
  }
  store.put('deliveries', delivery.id, delivery)
}

/** Returns the earlier values of the fields that differ. */
function differences(before: object, after: object): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(after))
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, now.get(name))),
  )
}
