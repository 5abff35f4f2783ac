import type { Stripe } from 'stripe'
import { change, mergedMetadata, newId, known } from '../account.ts'
import { invalid } from '../errors.ts'
import type { Handlers } from '../handlers.ts'
import { page, within } from '../lists.ts'

type Endpoints = 'POST /v1/products' | 'GET /v1/products' | 'GET /v1/products/:id' | 'POST /v1/products/:id'

export const products: Pick<Handlers, Endpoints> = {
  'POST /v1/products'(account, params) {
    const id = params.id ?? newId('prod', 14)
    if (account.store.get('products', id)) {
      throw invalid(`Product already exists.`, { code: 'resource_already_exists', param: 'id' })
    }
    const product = newProduct(id, params.name, account.now(), {
      active: params.active ?? true,
      description: params.description ?? null,
      metadata: mergedMetadata({}, params.metadata),
    })
    account.store.put('products', id, product)
    account.emit('product.created', product)
    return product
  },

  'GET /v1/products'(account, params) {
    const found = account.store
      .all('products')
      .filter((one) => params.active === undefined || one.active === params.active)
      .filter((one) => !params.ids || params.ids.includes(one.id))
      .filter((one) => within(params.created, one.created))
    return page(found, params, '/v1/products')
  },

  'GET /v1/products/:id': (account, _params, id) => known(account, 'products', id),

  'POST /v1/products/:id'(account, params, id) {
    const before = known(account, 'products', id)
    const product = change(account, 'products', before, {
      updated: account.now(),
      metadata: mergedMetadata(before.metadata, params.metadata),
      ...(params.name === undefined ? {} : { name: params.name }),
      ...(params.active === undefined ? {} : { active: params.active }),
      ...(params.description === undefined ? {} : { description: params.description || null }),
      ...(params.default_price === undefined ? {} : { default_price: params.default_price }),
    })
    account.emit('product.updated', product, before)
    return product
  },
}

export const newProduct = (
  id: string,
  name: string,
  created: number,
  more: { active: boolean; description: string | null; metadata: Stripe.Metadata },
) =>
  ({
    id,
    object: 'product',
    ...more,
    created,
    default_price: null,
    images: [],
    livemode: false,
    marketing_features: [],
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  }) satisfies Stripe.Product
