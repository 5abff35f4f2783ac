import { deliveryLabel, webhookEventNames, type WebhookDelivery } from '#connections/domain/connections.ts'
import { momentLabel } from '#platform/domain/text/dates.ts'
import { ConnectionList } from './ConnectionList.tsx'

/** The latest messages, folded; nothing if there are none. */
export function Latest({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  if (deliveries.length === 0) return null
  return (
    <details className="mt-4">
      <summary className="min-h-11 content-center">Latest messages</summary>
      <ConnectionList className="mt-3">
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <p>
              {delivery.event === 'test' ? 'Test' : webhookEventNames[delivery.event]}{' '}
              <span className="text-sm text-ink-2">{momentLabel(delivery.created_at)}</span>
            </p>
            <p className="text-sm">{deliveryLabel(delivery)}</p>
          </li>
        ))}
      </ConnectionList>
    </details>
  )
}
