import type { Stripe } from 'stripe'
import { change, idOf, newId, type Account } from '../account.ts'
import { invalid } from '../errors.ts'

/**
 * Opens a dispute: the cardholder contests a charge, or what is left of it, with their bank, which takes the money back.
 * @throws StripeFailure 400 if the charge is disputed or was refunded
 */
export function dispute(account: Account, before: Stripe.Charge): Stripe.Dispute {
  if (before.disputed || before.refunded) throw invalid(`Charge ${before.id} cannot be disputed.`)
  const charge = change(account, 'charges', before, { disputed: true })
  const made = {
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: account.now() + 9 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    reason: 'fraudulent',
    status: 'needs_response',
  } satisfies Stripe.Dispute
  account.store.put('disputes', made.id, made)
  account.emit('charge.dispute.created', made)
  account.emit('charge.dispute.funds_withdrawn', made)
  return made
}

/**
 * Ends the dispute of a charge: the bank gives the money back, or keeps it for the cardholder.
 * @throws StripeFailure 400 unless one is open
 */
export function closeDispute(account: Account, charge: Stripe.Charge, isWon: boolean): Stripe.Dispute {
  const before = openDispute(account, charge)
  if (!before) throw invalid(`Charge ${charge.id} has no open dispute.`)
  const closed = change(account, 'disputes', before, {
    status: isWon ? 'won' : 'lost',
    is_charge_refundable: isWon,
  })
  account.emit('charge.dispute.closed', closed, before)
  if (isWon) account.emit('charge.dispute.funds_reinstated', closed)
  return closed
}

const openDispute = ({ store }: Account, charge: Stripe.Charge): Stripe.Dispute | undefined =>
  store.all('disputes').find((one) => idOf(one.charge) === charge.id && one.status === 'needs_response')

/** Creates an early fraud warning: the card's bank reports a charge as fraud before it is disputed. */
export function warnOfFraud(account: Account, charge: Stripe.Charge): Stripe.Radar.EarlyFraudWarning {
  const made = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: account.now(),
    fraud_type: 'unauthorized_use_of_card',
    livemode: false,
    payment_intent: idOf(charge.payment_intent) ?? '',
  } satisfies Stripe.Radar.EarlyFraudWarning
  account.store.put('earlyFraudWarnings', made.id, made)
  account.emit('radar.early_fraud_warning.created', made)
  return made
}

/**
 * Refunds an amount of a charge, or all that is left of it if no amount is given.
 * @throws StripeFailure 400 if the bank has taken the money back
 */
export function refund(
  account: Account,
  before: Stripe.Charge,
  amount?: number,
  reason?: Stripe.Refund['reason'],
): Stripe.Refund {
  const contested = account.store
    .all('disputes')
    .some((one) => idOf(one.charge) === before.id && !one.is_charge_refundable)
  if (contested) throw invalid(`Charge ${before.id} has been charged back.`, { code: 'charge_disputed' })
  const given = amount ?? before.amount - before.amount_refunded
  const total = before.amount_refunded + given
  const charge = change(account, 'charges', before, {
    amount_refunded: total,
    refunded: total === before.amount,
  })
  const made = {
    id: newId('re'),
    object: 'refund',
    amount: given,
    balance_transaction: null,
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  } satisfies Stripe.Refund
  account.emit('refund.created', made)
  account.emit('charge.refunded', charge, before)
  return made
}

const noEvidence: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
}
