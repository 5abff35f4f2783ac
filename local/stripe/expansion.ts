import { type Account } from './account.ts'
import { malformed } from './errors.ts'
import { embedded, limitInvoiceLines } from './lists.ts'
import type { TableName } from './state.ts'

type Json = Record<string, unknown>

/** The table of an id, by its prefix. */
const tablesByPrefix: Record<string, readonly TableName[]> = {
  cus: ['customers', 'deletedCustomers'],
  pm: ['paymentMethods'],
  prod: ['products'],
  price: ['prices'],
  sub: ['subscriptions'],
  in: ['invoices'],
  ii: ['invoiceItems'],
  inpay: ['invoicePayments'],
  pi: ['paymentIntents'],
  ch: ['charges'],
}

/** Fields that an object only contains if they are expanded, by object and name. */
const hidden: Record<string, Record<string, (account: Account, id: string) => unknown>> = {
  invoice: {
    confirmation_secret(account, id) {
      const payment = account.store.all('invoicePayments').findLast((one) => one.invoice === id)
      const intent = account.store.get('paymentIntents', String(payment?.payment.payment_intent))
      return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
    },
    payments: (account, id) =>
      embedded(
        account.store.all('invoicePayments').filter((one) => one.invoice === id),
        '/v1/invoice_payments',
      ),
  },
}

/**
 * Returns a copy of a response in which objects replace the ids at the given paths, such as `latest_invoice.payments`.
 * @throws StripeFailure 400 if a path does not exist
 */
export function expanded(account: Account, response: object, paths: readonly string[]): object {
  const copy = structuredClone(response)
  for (const path of paths) {
    if (path.split('.').filter((name) => name !== 'data').length > 4)
      throw malformed('You cannot expand more than 4 levels of a property.')
    expand(account, copy as Json, path.split('.'), path)
  }
  return limitInvoiceLines(copy)
}

function expand(account: Account, node: Json, [name = '', ...rest]: string[], path: string): void {
  const own = Object.hasOwn(node, name)
  const reveal = own ? undefined : hidden[String(node.object)]
  if (reveal && Object.hasOwn(reveal, name)) node[name] = reveal[name]?.(account, String(node.id))
  else if (!own) throw malformed(`This property cannot be expanded (${path}).`, { param: 'expand' })

  const value = node[name]
  if (typeof value === 'string') {
    const found = lookUp(account, value)
    if (!found) throw malformed(`This property cannot be expanded (${path}).`, { param: 'expand' })
    node[name] = structuredClone(found)
  } else if (value !== null && typeof value === 'object') node[name] = structuredClone(value)

  const next = node[name]
  if (rest.length === 0 || next === null || typeof next !== 'object') return
  for (const child of Array.isArray(next) ? next : [next]) expand(account, child as Json, rest, path)
}

function lookUp(account: Account, id: string): object | undefined {
  for (const table of tablesByPrefix[id.split('_')[0] ?? ''] ?? []) {
    const found = account.store.get(table, id)
    if (found) return found
  }
  return undefined
}
