import { planName } from '#plans/domain/plans.ts'
import type { PlanPreview } from './plan-change-contracts.ts'

type Amounts = Pick<PlanPreview, 'charge' | 'back' | 'other' | 'tax' | 'balance' | 'due'>

/** The effect of a change on the customer's balance. All amounts are in cents, and none is negative. */
interface BalanceUse {
  /** The credit that pays the change, or a part of it. */
  used: number
  /** An amount that was too little to charge before, and is due with the change. */
  earlier: number
  /** An amount that is too little to charge now. */
  later: number
  /** The credit that the change gives back. */
  added: number
  /** The credit after the change. */
  left: number
}

/** Returns what a change does to the customer's balance. Stripe computes what is due; what it does not charge is kept there. */
export function balanceUse({ charge, back, other, tax, balance, due }: Amounts): BalanceUse {
  const total = charge - back + other + tax
  const used = Math.min(Math.max(0, total), Math.max(0, -balance))
  const earlier = Math.max(0, balance)
  const kept = total - used + earlier - due
  return {
    used,
    earlier,
    later: Math.max(0, kept),
    added: Math.max(0, -kept),
    left: Math.max(0, due - total - balance),
  }
}

interface PreviewRow {
  term: string
  cents: number
}

/** Returns the rows of a preview, of which the sum is charged now. */
export function previewRows(preview: PlanPreview, day: string | null): PreviewRow[] {
  const { used, earlier, later, added } = balanceUse(preview)
  const { from, to, charge, back, other, tax } = preview
  const more = [
    { term: 'Packages and other items', cents: other },
    { term: 'Tax', cents: tax },
    { term: 'Carried over from earlier', cents: earlier },
    { term: 'Paid from your credit', cents: 0 - used },
    { term: 'Added to your credit', cents: added },
    { term: 'Moved to your next invoice', cents: 0 - later },
  ]
  return [
    { term: `${planName(to)} until ${day}`, cents: charge },
    { term: `Unused time on ${planName(from)}`, cents: 0 - back },
    ...more.filter(({ cents }) => cents !== 0),
  ]
}

/** Returns the sentence about what is left of the customer's balance; null if nothing is. */
export function balanceWords(preview: PlanPreview, amount: (cents: number) => string): string | null {
  const { later, left } = balanceUse(preview)
  if (later > 0)
    return `${amount(later)} is too little to charge by itself. It is added to your next invoice.`
  return left > 0 ? `${amount(left)} of credit is left for your next invoices.` : null
}
