import type { Stripe } from 'stripe'
import { currency } from '#plans/domain/plans.ts'
import { type Account } from './account.ts'
import { storageKey } from '#site'
import { newPrice } from './api/prices.ts'
import { newProduct } from './api/products.ts'

export interface CatalogueEntry {
  priceId: string
  planId: string
  name: string
  /** Per month, in the currency's smallest unit. */
  cents: number
  /** Per month. */
  minutes: number
}

/** Creates the product and the monthly price of every plan, like `stripe:sync`, and recreates them for a changed plan. */
export function seedCatalogue(account: Account, catalogue: readonly CatalogueEntry[]): void {
  const { store } = account
  for (const { priceId, planId, name, cents, minutes } of catalogue) {
    const price = store.get('prices', priceId)
    const productId = `prod_${planId}`
    const metadata: Stripe.Metadata = { plan: planId, minutes: String(minutes) }
    if (store.get('products', productId)?.name !== name) {
      store.put('products', productId, newProduct(productId, name, account.now(), metadata))
    }
    if (
      price?.unit_amount === cents &&
      price.metadata.minutes === metadata.minutes &&
      price.currency === currency.toLowerCase()
    )
      continue
    store.put(
      'prices',
      priceId,
      newPrice(priceId, cents, account.now(), {
        currency: currency.toLowerCase(),
        lookup_key: storageKey(planId),
        metadata,
        product: productId,
        interval: 'month',
      }),
    )
  }
}
