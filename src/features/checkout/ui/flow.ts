import {
  transition,
  type CheckoutCommand,
  type CheckoutEvent,
  type CheckoutState,
  type Customer,
} from '#checkout/domain/checkout.ts'
import type { SubscribeAnswer, SubscribeRequest } from '#checkout/domain/contracts.ts'
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
  runCommon: (command: CommonCommand) => void
}

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

  const run = async (command: CheckoutCommand): Promise<CheckoutEvent | undefined> => {
    switch (command.type) {
      case 'loadCardField':
        cardField = await clients.mountCardField(() => flow.send({ type: 'edited', field: 'card' }))
        return { type: cardField ? 'cardFieldLoaded' : 'cardFieldFailed' }
      case 'lookUp':
        return lookUpEvents[await clients.lookUpUser(command.email)]
      case 'readCustomer':
        return { type: 'customerRead', customer: await clients.readCustomer() }
      case 'makePaymentMethod': {
        const made = await card().createPaymentMethod(command.email)
        return made.ok
          ? { type: 'paymentMethodMade', paymentMethodId: made.value }
          : { type: 'paymentMethodRefused', message: made.failure }
      }
      case 'subscribe': {
        const { email, planId, paymentMethodId, signedIn } = command
        const made = await clients.subscribe({ email, planId, paymentMethodId }, { signedIn })
        if (made.ok) return { type: 'subscriptionMade', answer: made.value }
        // Only the server's own message is shown; without one the specification's sentence is.
        const { code, message, answered } = made.failure
        return { type: 'subscriptionRefused', failure: { code, message: answered ? message : '' } }
      }
      case 'focus':
        // The provider's frame has its own way to focus it.
        return void (command.id === 'card' ? card().focus() : clients.runCommon(command))
      case 'confirmPayment': {
        const confirmed = await card().confirmPayment(command.clientSecret)
        return confirmed.ok
          ? { type: 'paymentConfirmed' }
          : { type: 'paymentRefused', message: confirmed.failure }
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
