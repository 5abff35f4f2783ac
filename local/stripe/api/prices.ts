import type { Stripe } from 'stripe'
import { change, decimal, mergedMetadata, newId, requireObject, type Account } from '../account.ts'
import { invalid, malformed, missingParameter } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page } from '../lists.ts'
import { newProduct } from './products.ts'

type Endpoints = 'POST /v1/prices' | 'GET /v1/prices' | 'GET /v1/prices/:id' | 'POST /v1/prices/:id'

export const prices: Pick<Handlers, Endpoints> = {
  'POST /v1/prices'(account, params) {
    if (params.unit_amount === undefined) throw missingParameter('unit_amount')
    const price = newPrice(newId('price'), params.unit_amount, account.now(), {
      currency: params.currency.toLowerCase(),
      lookup_key: claimed(account, params.lookup_key, params.transfer_lookup_key),
      metadata: mergedMetadata({}, params.metadata),
      product: productOf(account, params),
      interval: params.recurring?.interval ?? null,
    })
    account.store.put('prices', price.id, price)
    account.emit('price.created', price)
    return price
  },

  'GET /v1/prices'(account, params) {
    const { lookup_keys: keys } = params
    const found = account.store.all('prices').filter((one) => !keys || keys.includes(one.lookup_key ?? ''))
    return page(found, params, '/v1/prices')
  },

  'GET /v1/prices/:id': (account, _params, id) => requireObject(account, 'prices', id),

  'POST /v1/prices/:id'(account, { active }, id) {
    const before = requireObject(account, 'prices', id)
    const price = change(account, 'prices', before, active === undefined ? {} : { active })
    account.emit('price.updated', price, before)
    return price
  },
}

function productOf(account: Account, { product, product_data: data }: Stripe.PriceCreateParams): string {
  if (product) return requireObject(account, 'products', product, 'product').id
  if (!data) throw malformed('You must specify either `product` or `product_data` when creating a price.')
  const made = newProduct(newId('prod', 14), data.name, account.now(), mergedMetadata({}, data.metadata))
  account.store.put('products', made.id, made)
  account.emit('product.created', made)
  return made.id
}

/** Checks a lookup key: it belongs to one price, and moves to another one only on request. */
function claimed(account: Account, key: string | undefined, transfer: boolean | undefined): string | null {
  if (!key) return null
  const holder = account.store.all('prices').find((one) => one.lookup_key === key)
  if (holder && !transfer) {
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. Pass transfer_lookup_key=true to transfer it to this price.`,
      { param: 'lookup_key' },
    )
  }
  if (holder) change(account, 'prices', holder, { lookup_key: null })
  return key
}

interface PriceFields {
  currency: string
  lookup_key: string | null
  metadata: Stripe.Metadata
  product: string
  /** Null if the price is charged only once. */
  interval: string | null
}

export function newPrice(id: string, cents: number, created: number, fields: PriceFields) {
  const { interval, ...shown } = fields
  return {
    id,
    object: 'price',
    ...shown,
    active: true,
    billing_scheme: 'per_unit',
    created,
    custom_unit_amount: null,
    livemode: false,
    nickname: null,
    recurring: interval
      ? {
          interval,
          interval_count: 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: interval ? 'recurring' : 'one_time',
    unit_amount: cents,
    unit_amount_decimal: decimal(cents),
  } satisfies Stripe.Price
}
