import { describe, expect, test } from 'vitest'
import type { SubscribeAnswer } from '#checkout/domain/contracts.ts'
import { toasts } from '#platform/domain/toasts.ts'
import type { Result } from '#platform/domain/result.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'
import type { CardField } from './card-field.ts'
import { openCheckout, pay, type CheckoutClients } from './pay.ts'

const email = 'desk@hotel.test'
const visitor = { planId: 'growth', account: null } as const
const customer = { planId: 'growth', account: email } as const

type Answer = Result<SubscribeAnswer, FunctionFailure>
const active = (token: string | null): Answer => ({
  ok: true,
  value: { status: 'active', clientSecret: null, token },
})
const secure = (token: string | null, clientSecret: string | null = 'pi_s'): Answer => ({
  ok: true,
  value: { status: 'requires_action', clientSecret, token },
})
const refused = (code: FunctionFailure['code'], message: string): Answer => ({
  ok: false,
  failure: { code, message, answered: true },
})
const silence: Answer = {
  ok: false,
  failure: { code: 'provider_unavailable', message: 'We could not reach the server.', answered: false },
}
const exists = refused('account_exists', 'Exists.')

/** The clients with the server's answers in order; `done` lists what was asked for, `kept` the e-mail of an open payment. */
function shop(answers: Answer[] = [], more: Partial<CheckoutClients> = {}, kept: string | null = null) {
  const done: string[] = []
  let unanswered = kept
  /** The first request makes the account. */
  let isRequested = false
  const card: Pick<CardField, 'createPaymentMethod' | 'confirmPayment'> = {
    createPaymentMethod: async (email: string) => {
      done.push(`payment method for ${email}`)
      return { ok: true, value: 'pm_1' } as const
    },
    confirmPayment: async (secret: string) => {
      done.push(`confirm ${secret}`)
      return { ok: true, value: undefined } as const
    },
  }
  const clients: CheckoutClients = {
    readCustomer: async () => null,
    card: async () => card,
    isCardEmpty: () => false,
    notePaid: (plan) => void done.push(`paid ${plan}`),
    lookUpUser: async (email) => {
      done.push(`look up ${email}`)
      return isRequested ? 'found' : 'notFound'
    },
    subscribe: async ({ planId, paymentMethodId }, { signedIn }) => {
      isRequested = true
      done.push(`subscribe ${planId} with ${paymentMethodId}${signedIn ? ', signed in' : ''}`)
      return answers.shift() ?? refused('internal', 'No more answers.')
    },
    pause: async () => void done.push('pause'),
    awaitActivation: async () => void done.push('await activation'),
    unanswered: {
      remember: (email) => (unanswered = email),
      forget: () => (unanswered = null),
      email: () => unanswered,
    },
    ...more,
  }
  return { done, clients, card, kept: () => unanswered }
}
type Shop = ReturnType<typeof shop>
const withCard = (more: Partial<Shop['card']>, answers: Answer[] = []): Shop =>
  shop(answers, { card: async () => ({ ...shop().card, ...more }) })
const failing = (message: string) => async () => ({ ok: false, failure: message }) as const

const toLogin = { goTo: '/login?email=desk%40hotel.test', toast: toasts.accountExists }
const toBilling = { goTo: '/portal/billing', toast: toasts.accountExists }
const toPortal = { goTo: '/portal', toast: toasts.paymentSuccessful, replace: true }
const toSignup = { goTo: '/signup?token=hash', replace: true }
const toLink = { goTo: '/resend?email=desk%40hotel.test', toast: toasts.mayHavePaid }
const declined = (message: string) => ({ problem: { field: 'card', toast: toasts.cardError(message) } })
const failed = (message: string | undefined) => ({
  problem: { field: 'submit', toast: toasts.subscriptionFailed(message) },
})
const unknown = (account: string | null) => {
  const toast = toasts.paymentUnknown({ email, account })
  return { problem: { field: 'submit', message: toast.description, toast } }
}

describe('opening', () => {
  const owed = 50
  const buyer = (isSubscribed: boolean) => async () => ({ email, isSubscribed, owedMinutes: owed })
  test.each<[string, 'growth' | null, Partial<CheckoutClients>, string | null, object]>([
    ['no plan', null, {}, null, { goTo: '/pricing', toast: toasts.invalidPlan, replace: true }],
    ['a visitor', 'growth', {}, null, { customer: null }],
    [
      'a customer whose subscription is over',
      'growth',
      { readCustomer: buyer(false) },
      email,
      { customer: { email, isSubscribed: false, owedMinutes: owed } },
    ],
    [
      '63. a customer whose subscription runs',
      'growth',
      { readCustomer: buyer(true) },
      null,
      { ...toBilling, goTo: '/portal/billing?plan=growth', replace: true },
    ],
    ['an earlier request has paid', 'growth', { readCustomer: buyer(true) }, email, toPortal],
  ])('%s', async (_, plan, more, kept, outcome) => {
    const { clients } = shop([], more, kept)
    expect(await openCheckout(plan, clients)).toEqual(outcome)
  })

  test('a payment that was found is no longer remembered', async () => {
    const { clients, kept } = shop([], { readCustomer: buyer(true) }, email)
    await openCheckout('growth', clients)
    expect(kept()).toBeNull()
  })
})

describe('a visitor', () => {
  test.each<[string, string, Shop, object]>([
    [
      'no e-mail',
      ' ',
      shop(),
      { problem: { field: 'email', message: 'Enter your email address.', also: [] } },
    ],
    [
      'nothing at all',
      '',
      shop([], { isCardEmpty: () => true }),
      {
        problem: {
          field: 'email',
          message: 'Enter your email address.',
          also: [{ field: 'card', message: 'Enter your card details.' }],
        },
      },
    ],
    [
      'no e-mail address',
      'desk',
      shop(),
      {
        problem: {
          field: 'email',
          message: 'Enter an email address with an @, such as you@yourbusiness.com.',
          also: [],
        },
      },
    ],
    ['the card field does not load', email, shop([], { card: async () => undefined }), {}],
    ['an account exists', email, shop([], { lookUpUser: async () => 'found' }), toLogin],
    [
      'the look-up fails',
      email,
      shop([], { lookUpUser: async () => 'failed' }),
      {
        problem: {
          field: 'submit',
          message: 'Could not verify user. Please try again.',
          toast: toasts.couldNotVerifyUser,
        },
      },
    ],
    [
      'a card error is the title of the toast',
      email,
      withCard({ createPaymentMethod: failing('Your card number is incomplete.') }),
      {
        problem: {
          field: 'card',
          message: 'Your card number is incomplete.',
          toast: { title: 'Your card number is incomplete.', variant: 'destructive' },
        },
      },
    ],
    ['paid', email, shop([active('a b')]), { goTo: '/signup?token=a+b', replace: true }],
    ['3-D Secure', email, shop([secure('hash')]), toSignup],
    ['3-D Secure beside another card’s', email, shop([secure(null), active('hash')]), toSignup],
    ['3-D Secure without a client secret', email, shop([secure('hash', null)]), failed(undefined)],
    [
      'the bank refuses',
      email,
      withCard({ confirmPayment: failing('Authentication failed') }, [secure('hash')]),
      {
        problem: {
          field: 'card',
          message: 'Authentication failed.',
          toast: { title: 'Payment Failed', description: 'Authentication failed', variant: 'destructive' },
        },
      },
    ],
    ['4. the server declines the card', email, shop([refused('card_declined', 'No.')]), declined('No.')],
    ['the server knows the account', email, shop([exists]), toLogin],
    ['the server fails and says why', email, shop([refused('internal', 'Wait.')]), failed('Wait.')],
    [
      'the server fails without a message',
      email,
      shop([refused('internal', '')]),
      { problem: { field: 'submit', message: 'Could not create subscription.' } },
    ],
  ])('%s', async (_, typed, { clients }, outcome) => {
    expect(await pay(visitor, typed, clients)).toMatchObject(outcome)
  })

  test('from the e-mail to signup, with 3-D Secure, in the order of the specification', async () => {
    const { done, clients, kept } = shop([secure(null), active('hash')])
    expect(await pay(visitor, '  Desk@Hotel.test ', clients)).toEqual(toSignup)
    expect(done).toEqual([
      'look up desk@hotel.test',
      'payment method for desk@hotel.test',
      'subscribe growth with pm_1',
      'confirm pi_s',
      'subscribe growth with pm_1',
      'paid growth',
    ])
    expect(kept()).toBeNull()
  })

  test.each([
    ['without an e-mail nothing', ' ', {}, []],
    ['without a card field nobody', email, { card: async () => undefined }, []],
    ['if the look-up fails, nobody else', email, { lookUpUser: async () => 'failed' as const }, []],
  ])('%s is asked', async (_, typed, more, steps) => {
    const { done, clients } = shop([active('hash')], more)
    await pay(visitor, typed, clients)
    expect(done).toEqual(steps)
  })
})

describe('a customer who buys again', () => {
  test.each<[string, Shop, object]>([
    ['paid', shop([active(null)]), toPortal],
    ['3-D Secure', shop([secure(null)]), toPortal],
    [
      'the bank refuses',
      withCard({ confirmPayment: failing('No.') }, [secure(null)]),
      { problem: { field: 'card', toast: toasts.paymentFailed('No.') } },
    ],
    ['the server declines the card', shop([refused('card_declined', 'No.')]), declined('No.')],
    ['the server knows that the subscription runs', shop([exists]), toBilling],
    ['no answer', shop([silence, silence]), unknown(email)],
    ['an earlier request has paid', shop([exists], {}, email), toPortal],
  ])('%s', async (_, { clients }, outcome) => {
    expect(await pay(customer, '', clients)).toMatchObject(outcome)
  })

  test('is not looked up, buys with the e-mail of the account, and waits until the plan is active', async () => {
    const { done, clients } = shop([active(null)])
    await pay(customer, 'other@hotel.test', clients)
    expect(done).toEqual([
      'payment method for desk@hotel.test',
      'subscribe growth with pm_1, signed in',
      'await activation',
    ])
  })
})

describe('an answer that is lost', () => {
  /** Presses the button: how it ends, and whether the server was asked once or twice. */
  const presses = (...answers: Answer[]) => {
    const { done, clients } = shop(answers)
    return async () => {
      const outcome = await pay(visitor, email, clients)
      return { outcome, asked: done.splice(0).filter((step) => /^(subscribe|pause)/.test(step)).length }
    }
  }
  const once = (outcome: object) => ({ outcome, asked: 1 })
  const twice = (outcome: object) => ({ outcome, asked: 3 })

  test('180. A request without an answer is sent once more', async () => {
    expect(await presses(silence, active('hash'))()).toEqual(twice(toSignup))
  })

  test.each([
    silence,
    refused('checkout_in_progress', 'Wait.'),
    refused('rate_limited', 'Wait.'),
    refused('provider_unavailable', 'Down.'),
  ])('180. If its outcome stays unknown, the next press is not looked up: %o', async (second) => {
    const press = presses(silence, second, active('hash'))
    expect(await press()).toEqual(twice(unknown(null)))
    expect(await press()).toEqual(once(toSignup))
  })

  test('180. A server that fails keeps its words, and the next press is not looked up', async () => {
    const press = presses(refused('provider_unavailable', 'Down.'), active('hash'))
    expect(await press()).toMatchObject(once(failed('Down.')))
    expect(await press()).toEqual(once(toSignup))
  })

  test('180. Another card after an answer that was lost leads to the link', async () => {
    const press = presses(silence, silence, refused('checkout_in_progress', 'Wait.'), exists, exists)
    expect(await press()).toEqual(twice(unknown(null)))
    expect(await press()).toEqual(once(unknown(null)))
    expect(await press()).toEqual(once(toLink))
    expect(await press(), 'after Back').toEqual(once(toLink))
  })

  test('after a decline the e-mail is looked up as ever', async () => {
    const press = presses(refused('card_declined', 'Declined.'))
    expect(await press()).toMatchObject(once(declined('Declined.')))
    expect(await press()).toEqual({ outcome: toLogin, asked: 0 })
  })

  test('after a refused confirmation the next attempt asks the server again', async () => {
    const { clients, done } = withCard({ confirmPayment: failing('No.') }, [secure('hash'), secure('hash')])
    await pay(visitor, email, clients)
    await pay(visitor, email, clients)
    expect(done.filter((step) => step.startsWith('subscribe'))).toHaveLength(2)
  })
})
