import { money } from '#platform/domain/text/numbers.ts'
import { adminTabs } from './tabs.ts'

/** The address of the payment events that have failed. */
export const failedEventsPath = `${adminTabs.pathOf('payments')}?events=failed`

/** Whether an address shows only the events that have failed. */
export const showsFailedEvents = ({ search }: Pick<Location, 'search'>): boolean =>
  new URLSearchParams(search).get('events') === 'failed'

/** How far the replay of the failed events has come. */
export interface Replay {
  all: number
  done: number
  /** Those that failed again, and why. */
  failed: readonly { id: string; message: string }[]
}

const events = (count: number): string => `${count} ${count === 1 ? 'event' : 'events'}`

/** Says how far a replay has come, or what came of it. */
export function replayText({ all, done, failed }: Replay, isRunning: boolean): string {
  if (isRunning) return `Replaying: ${done} of ${events(all)}.`
  if (all === 0) return 'No event has failed.'
  const stopped = done < all ? `Stopped after ${done} of ${events(all)}. ` : ''
  const replayed = done - failed.length
  return failed.length === 0
    ? `${stopped}${events(replayed)} replayed.`
    : `${stopped}${events(replayed)} replayed, ${failed.length} failed again:`
}

/** Groups the events that failed again by the reason. */
export function byMessage(failed: Replay['failed']): [message: string, ids: string[]][] {
  const groups = new Map<string, string[]>()
  for (const { id, message } of failed) groups.set(message, [...(groups.get(message) ?? []), id])
  return [...groups]
}

/** What Stripe reports, in words. The reason of an invoice is added to those of invoices. */
const eventWords: Record<string, string> = {
  'customer.subscription.created': 'Subscription begun',
  'customer.subscription.updated': 'Subscription changed',
  'customer.subscription.deleted': 'Subscription ended',
  'customer.subscription.paused': 'Subscription paused',
  'customer.subscription.resumed': 'Subscription resumed',
  'customer.subscription.pending_update_applied': 'Plan change paid',
  'customer.subscription.pending_update_expired': 'Plan change not paid in time',
  'invoice.paid': 'paid',
  'invoice.payment_failed': 'not paid: the card was refused',
  'invoice.payment_action_required': 'waits for the bank’s confirmation',
  'invoice.voided': 'voided',
  'invoice.finalization_failed': 'could not be made final',
  'invoice.marked_uncollectible': 'written off',
  'charge.refunded': 'Payment refunded',
  'charge.dispute.created': 'Payment disputed',
  'charge.dispute.funds_withdrawn': 'Disputed amount taken back by the bank',
  'charge.dispute.funds_reinstated': 'Disputed amount returned by the bank',
  'charge.dispute.closed': 'Dispute decided',
  'radar.early_fraud_warning.created': 'Fraud warning of the bank',
}

/** What an invoice is for, by Stripe's reason. */
const invoiceNames: Record<string, string> = {
  subscription_create: 'First payment',
  subscription_cycle: 'Renewal',
  subscription_update: 'Plan change',
}

interface StripeEvent {
  type: string
  /** In cents; null if the event is not about money. */
  amount: number | null
  currency: string | null
  billing_reason: string | null
}

/** Says what an event of Stripe reports, as in "Renewal paid" with its amount. A type that is not handled is named as it is. */
export function describeEvent({ type, amount, currency, billing_reason: reason }: StripeEvent): string {
  const words = eventWords[type]
  if (words === undefined) return type
  const what = type.startsWith('invoice.') ? `${invoiceNames[reason ?? ''] ?? 'Invoice'} ${words}` : words
  return amount === null || currency === null
    ? what
    : `${what}, ${money(amount, currency, amount % 100 === 0 ? 0 : 2)}`
}

/** What became of an event of which nothing is to be done, by its outcome. Only failed ones need a look. */
const outcomeWords: Record<string, string> = {
  not_ours: 'of another product',
  gone: 'gone at Stripe',
  stale: 'known already',
  superseded: 'known already',
  unknown_customer: 'of no customer',
}

/** Says what became of an event that was handled, and whether it changed something. */
export function describeOutcome(outcome: string | null): { words: string; isEffective: boolean } {
  const words = outcomeWords[outcome ?? '']
  const done = outcome === null || outcome === 'synced' ? 'handled' : outcome.replaceAll('_', ' ')
  return { words: words ?? done, isEffective: words === undefined }
}
