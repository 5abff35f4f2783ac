import type { Stripe } from 'stripe'
import { change, decimal, mergedMetadata, newId, known, type Account } from '../account.ts'
import { invalid, malformed } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'
import { newProduct } from './products.ts'

type Endpoints = 'POST /v1/prices' | 'GET /v1/prices' | 'GET /v1/prices/:id' | 'POST /v1/prices/:id'

export const prices: Pick<Handlers, Endpoints> = {
  'POST /v1/prices'(account, params) {
    if (params.unit_amount === undefined) {
      throw malformed('Missing required param: unit_amount.', {
        code: 'parameter_missing',
        param: 'unit_amount',
      })
    }
    const price = newPrice(newId('price'), params.unit_amount, account.now(), {
      active: params.active ?? true,
      currency: params.currency.toLowerCase(),
      lookup_key: claimed(account, params.lookup_key, params.transfer_lookup_key),
      metadata: mergedMetadata({}, params.metadata),
      nickname: params.nickname ?? null,
      product: productOf(account, params),
      interval: params.recurring?.interval ?? null,
      intervalCount: params.recurring?.interval_count ?? 1,
    })
    account.store.put('prices', price.id, price)
    account.emit('price.created', price)
    return price
  },

  'GET /v1/prices'(account, params) {
    const found = account.store
      .all('prices')
      .filter((one) => params.active === undefined || one.active === params.active)
      .filter((one) => !params.product || one.product === params.product)
      .filter((one) => !params.currency || one.currency === params.currency)
      .filter((one) => !params.type || one.type === params.type)
      .filter((one) => !params.lookup_keys || params.lookup_keys.includes(one.lookup_key ?? ''))
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/prices')
  },

  'GET /v1/prices/:id': (account, _params, id) => known(account, 'prices', id),

  'POST /v1/prices/:id'(account, params, id) {
    const before = known(account, 'prices', id)
    const price = change(account, 'prices', before, {
      metadata: mergedMetadata(before.metadata, params.metadata),
      ...(params.active === undefined ? {} : { active: params.active }),
      ...(params.nickname === undefined ? {} : { nickname: params.nickname }),
      ...(params.lookup_key === undefined
        ? {}
        : { lookup_key: claimed(account, params.lookup_key, params.transfer_lookup_key, id) }),
    })
    account.emit('price.updated', price, before)
    return price
  },
}

function productOf(account: Account, params: Stripe.PriceCreateParams): string {
  if (params.product) return known(account, 'products', params.product, 'product').id
  if (!params.product_data) {
    throw malformed('You must specify either `product` or `product_data` when creating a price.')
  }
  const product = newProduct(
    params.product_data.id ?? newId('prod', 14),
    params.product_data.name,
    account.now(),
    {
      active: true,
      description: null,
      metadata: mergedMetadata({}, params.product_data.metadata),
    },
  )
  account.store.put('products', product.id, product)
  account.emit('product.created', product)
  return product.id
}

/** Checks a lookup key: it belongs to one price, and moves to another one only on request. */
function claimed(
  account: Account,
  key: string | undefined,
  transfer: boolean | undefined,
  own?: string,
): string | null {
  if (!key) return null
  const holder = account.store.all('prices').find((one) => one.lookup_key === key && one.id !== own)
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
  active: boolean
  currency: string
  lookup_key: string | null
  metadata: Stripe.Metadata
  nickname: string | null
  product: string
  /** Null if the price is charged only once. */
  interval: string | null
  intervalCount: number
}

export function newPrice(id: string, cents: number, created: number, fields: PriceFields) {
  const { interval, intervalCount, ...shown } = fields
  return {
    id,
    object: 'price',
    ...shown,
    billing_scheme: 'per_unit',
    created,
    custom_unit_amount: null,
    livemode: false,
    recurring: interval
      ? {
          interval,
          interval_count: intervalCount,
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
