import {
  transition,
  type CheckoutCommand,
  type CheckoutEvent,
  type CheckoutState,
  type Customer,
} from '#checkout/domain/checkout.ts'
import type { SubscribeAnswer, SubscribeRequest } from '#checkout/domain/contracts.ts'
import type { Failure } from '#platform/domain/failures.ts'
import type { Result } from '#platform/domain/result.ts'
import type { CommonCommand } from '#platform/domain/transition.ts'
import { createFlow, type Flow } from '#platform/browser/flow.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'
import type { CardField } from '#checkout/browser/stripe.ts'

/** The clients that run the commands; a test passes its own. */
export interface CheckoutClients {
  mountCardField: (onChange: () => void) => Promise<CardField | undefined>
  lookUpUser: (email: string) => Promise<'found' | 'notFound' | 'failed'>
  /** Returns the signed-in customer; null for a visitor. */
  readCustomer: () => Promise<Customer | null>
  subscribe: (
    request: SubscribeRequest,
    options: { signedIn: boolean },
  ) => Promise<Result<SubscribeAnswer, FunctionFailure>>
  awaitActivation: () => Promise<void>
  /** The e-mail of a payment whose outcome is not known. */
  unanswered: { remember: (email: string) => void; forget: () => void; email: () => string | null }
  /** Waits before a request is sent again, so that the server can finish the first. */
  pause: () => Promise<void>
  runCommon: (command: CommonCommand) => void
}

type Subscribe = Extract<CheckoutCommand, { type: 'subscribe' }>

/** The refusals after which no request of this attempt can have paid, or another has. */
const settled: ReadonlySet<Failure['code']> = new Set([
  'account_exists',
  'card_declined',
  'invalid_plan',
  'invalid_request',
])

/** The steps in which a card can be typed. */
const open: ReadonlySet<CheckoutState['step']> = new Set(['identifying', 'editing', 'awaitingCardField'])

const lookUpEvents = {
  found: { type: 'accountFound' },
  notFound: { type: 'accountNotFound' },
  failed: { type: 'lookUpFailed' },
} as const satisfies Record<string, CheckoutEvent>

export function createCheckoutFlow(clients: CheckoutClients): Flow<CheckoutState, CheckoutEvent> {
  let cardField: CardField | undefined
  /** Returns the card field. The transitions use it only after it was loaded. */
  const card = (): CardField => {
    if (!cardField) throw new Error('The card field is not loaded yet')
    return cardField
  }

  const isUnanswered = (email: string): boolean => clients.unanswered.email() === email

  /** Requests the payment, and once more if there is no answer: the server charges once, and answers both alike. */
  const subscribe = async ({
    signedIn,
    email,
    planId,
    paymentMethodId,
  }: Subscribe): Promise<CheckoutEvent> => {
    const send = () => clients.subscribe({ email, planId, paymentMethodId }, { signedIn })
    const wasUnanswered = isUnanswered(email)
    clients.unanswered.remember(email)
    let made = await send()
    const isRepeated = !made.ok && !made.failure.answered
    if (isRepeated) {
      await clients.pause()
      made = await send()
    }
    if (made.ok) {
      if (made.value.status === 'active') clients.unanswered.forget()
      return { type: 'subscriptionMade', answer: made.value }
    }
    const { failure } = made
    const { answered, code } = failure
    if (code === 'account_exists' && (isRepeated || wasUnanswered)) return { type: 'earlierPaymentFound' }
    // The server may still be at the first request, in this attempt or in the one before.
    const isOpen = isRepeated ? !settled.has(code) : wasUnanswered && code === 'checkout_in_progress'
    if (!answered || isOpen) return { type: 'subscriptionUnanswered' }
    if (settled.has(code)) clients.unanswered.forget()
    return { type: 'subscriptionRefused', failure }
  }

  const run = async (command: CheckoutCommand): Promise<CheckoutEvent | undefined> => {
    switch (command.type) {
      case 'loadCardField':
        cardField = await clients.mountCardField(() => flow.send({ type: 'edited', field: 'card' }))
        return { type: cardField ? 'cardFieldLoaded' : 'cardFieldFailed' }
      case 'lookUp':
        if (isUnanswered(command.email)) return { type: 'accountNotFound' }
        return lookUpEvents[await clients.lookUpUser(command.email)]
      case 'readCustomer': {
        const customer = await clients.readCustomer()
        if (!customer?.isSubscribed || !isUnanswered(customer.email))
          return { type: 'customerRead', customer }
        clients.unanswered.forget()
        return { type: 'earlierPaymentFound' }
      }
      case 'makePaymentMethod': {
        const made = await card().createPaymentMethod(command.email)
        return made.ok
          ? { type: 'paymentMethodMade', paymentMethodId: made.value }
          : { type: 'paymentMethodRefused', message: made.failure }
      }
      case 'subscribe':
        return subscribe(command)
      case 'focus':
        // The provider's frame has its own way to focus it.
        return void (command.id === 'card' ? card().focus() : clients.runCommon(command))
      case 'confirmPayment': {
        const confirmed = await card().confirmPayment(command.clientSecret)
        if (!confirmed.ok) return { type: 'paymentRefused', message: confirmed.failure }
        clients.unanswered.forget()
        return { type: 'paymentConfirmed' }
      }
      case 'awaitActivation':
        await clients.awaitActivation()
        return { type: 'activationAwaited' }
      default:
        return void clients.runCommon(command)
    }
  }

  const flow = createFlow({ initial: { step: 'opening' } as CheckoutState, transition, run })
  // While the attempt runs, the card that it uses stays as it is.
  flow.state.listen(({ step }) => cardField?.setDisabled(!open.has(step)))
  return flow
}
