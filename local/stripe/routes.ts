import { customers } from './api/customers.ts'
import { events } from './api/events.ts'
import { invoiceItems } from './api/invoice-items.ts'
import { invoices } from './api/invoices.ts'
import { paymentMethods } from './api/payment-methods.ts'
import { payments } from './api/payments.ts'
import { portalConfigurations } from './api/portal-configurations.ts'
import { portalSessions } from './api/portal-sessions.ts'
import { prices } from './api/prices.ts'
import { products } from './api/products.ts'
import { subscriptions } from './api/subscriptions.ts'
import type { Handlers } from './handlers.ts'
import type { Endpoint } from './parameter-types.ts'

/** The handlers of all endpoints. */
export const handlers: Handlers = {
  ...customers,
  ...paymentMethods,
  ...products,
  ...prices,
  ...subscriptions,
  ...invoices,
  ...invoiceItems,
  ...payments,
  ...portalConfigurations,
  ...portalSessions,
  ...events,
}

const endpoints = (Object.keys(handlers) as Endpoint[]).map((endpoint) => {
  const [method = '', path = ''] = endpoint.split(' ')
  return { endpoint, method, pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`) }
})
// Exact paths come first: create_preview is not an id.
endpoints.sort((a, b) => Number(a.endpoint.includes(':id')) - Number(b.endpoint.includes(':id')))

/** Returns the endpoint of a method and a path, with the id in the path. */
export function endpointOf(method: string, path: string): { endpoint: Endpoint; id: string } | undefined {
  for (const { endpoint, method: its, pattern } of endpoints) {
    const found = its === method ? pattern.exec(path) : null
    if (found) return { endpoint, id: found[1] ?? '' }
  }
  return undefined
}

const resources = new Set(endpoints.map(({ endpoint }) => resourceOf(endpoint.split(' ')[1] ?? '')))

function resourceOf(path: string): string {
  return path.split('/')[2] ?? ''
}

/** Whether a path belongs to a resource of which some endpoints are modelled: Stripe has more of them. */
export const isOfModelled = (path: string): boolean => resources.has(resourceOf(path))
