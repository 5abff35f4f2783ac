import { currencyName, parsePrice, priceAmount } from '#plans/domain/plans.ts'
import { saveCap } from '#billing/browser/packages.ts'
import type { MinutesState } from '#billing/domain/minutes/packages.ts'
import type { Subscription } from '#billing/domain/subscription.ts'
import type { TypedField } from '#platform/browser/storage/typed-fields.ts'
import { SavedField } from '#platform/ui/fields/SavedField.tsx'

interface Props {
  minutes: MinutesState
  subscription: Subscription
  userId: string
  onSaved: () => Promise<void>
}

/** The customer's cap on what packages cost in a period. */
export function Cap({ minutes, subscription, userId, onSaved }: Props) {
  const cap = minutes.cap_cents ?? subscription.price_cents ?? 0
  const field: TypedField<number> = {
    name: `${userId}:cap`,
    label: `Spending limit for packages, in ${currencyName} per period`,
    text: (cents) => String(cents / 100),
    parse: parseCap,
    async save({ value }) {
      if (!(await saveCap(userId, value))) return { kind: 'failed' }
      await onSaved()
      return { kind: 'saved' }
    },
    note: () => undefined,
  }
  return (
    <SavedField
      field={field}
      known={cap}
      hint={`${priceAmount(minutes.spent_cents)} of ${priceAmount(minutes.most_cents)} spent in this period.${
        minutes.most_cents < cap ? ' More is not possible in this period.' : ''
      }`}
      inputMode="numeric"
    />
  )
}

function parseCap(typed: string): { value: number } | { problem: string } {
  const value = parsePrice(typed)
  return value === undefined ? { problem: `Write a whole number of ${currencyName}, such as 80.` } : { value }
}
