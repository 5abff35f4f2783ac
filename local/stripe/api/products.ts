import type { Stripe } from 'stripe'
import { change, requireObject } from '../account.ts'
import type { Handlers } from '../handlers.ts'

export const products: Pick<Handlers, 'POST /v1/products/:id'> = {
  'POST /v1/products/:id'(account, { active }, id) {
    const before = requireObject(account, 'products', id)
    const product = change(account, 'products', before, {
      updated: account.now(),
      ...(active === undefined ? {} : { active }),
    })
    account.emit('product.updated', product, before)
    return product
  },
}

export const newProduct = (id: string, name: string, created: number, metadata: Stripe.Metadata) =>
  ({
    id,
    object: 'product',
    active: true,
    created,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
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
