import { describe, expect, test } from 'vitest'
import {
  transition,
  type CheckoutCommand,
  type CheckoutEvent,
  type CheckoutField,
  type CheckoutState,
} from './checkout.ts'
import type { SubscribeAnswer } from './contracts.ts'
import type { Result } from '#platform/domain/result.ts'
import type { FunctionFailure } from '#platform/browser/functions.ts'
import { toasts, type Toast } from '#platform/domain/toasts.ts'
import { createCheckoutFlow, type CheckoutClients } from '#checkout/ui/flow.ts'

const planId = 'growth'
const email = 'desk@hotel.test'
const visitor = { planId, account: null } as const
const customer = { planId, account: email } as const
const identifying: CheckoutState = { step: 'identifying', planId, card: 'ready' }
const editing: CheckoutState = { step: 'editing', ...visitor, card: 'ready' }
const editingAgain: CheckoutState = { step: 'editing', ...customer, card: 'ready' }
const awaitingCardField: CheckoutState = { step: 'awaitingCardField', ...visitor, email }
const lookingUp: CheckoutState = { step: 'lookingUp', ...visitor, email }
const making: CheckoutState = { step: 'makingPaymentMethod', ...visitor, email }
const makingAgain: CheckoutState = { step: 'makingPaymentMethod', ...customer, email }
const sent = { email, paymentMethodId: 'pm_1' }
const subscribing: CheckoutState = { step: 'subscribing', ...visitor, ...sent }
const subscribingAgain: CheckoutState = { step: 'subscribing', ...customer, ...sent }
const confirming: CheckoutState = { step: 'confirming', ...visitor, ...sent, token: 'hash' }
const confirmingBeside: CheckoutState = { step: 'confirming', ...visitor, ...sent, token: null }
const confirmingAgain: CheckoutState = { step: 'confirming', ...customer, ...sent, token: null }
const activating: CheckoutState = { step: 'activating', planId }
const leaving: CheckoutState = { step: 'leaving', planId }
const nowhere: CheckoutState = { step: 'leaving', planId: undefined }

const toPricing: CheckoutCommand[] = [
  { type: 'raiseToastForNextPage', toast: toasts.invalidPlan },
  { type: 'goTo', url: '/pricing', replace: true },
]
const toLogin: CheckoutCommand[] = [
  { type: 'raiseToastForNextPage', toast: toasts.accountExists },
  { type: 'goTo', url: '/login?email=desk%40hotel.test', replace: false },
]
const toPortal: CheckoutCommand[] = [
  { type: 'raiseToastForNextPage', toast: toasts.paymentSuccessful },
  { type: 'goTo', url: '/portal', replace: true },
]
const toBilling = (replace: boolean): CheckoutCommand[] => [
  { type: 'raiseToastForNextPage', toast: toasts.accountExists },
  { type: 'goTo', url: '/portal/billing', replace },
]
const invalid = (card: 'ready' | 'loading', message: string): CheckoutState => ({
  step: 'editing',
  ...visitor,
  card,
  problem: { field: 'email', message },
})
/** The form with a problem that a toast announces, and the commands that report it. */
const failed = (field: CheckoutField, message: string, toast: Toast): [CheckoutState, CheckoutCommand[]] => [
  { ...editing, problem: { field, message, toast } },
  [
    { type: 'raiseToast', toast },
    { type: 'focus', id: field },
  ],
]
const failedAgain: typeof failed = (field, ...report) => {
  const [state, commands] = failed(field, ...report)
  return [{ ...state, ...customer } as CheckoutState, commands]
}
const unknown = toasts.paymentUnknown({ email, account: null })
const unknownAgain = toasts.paymentUnknown({ email, account: email })
const declined: CheckoutState = {
  ...editing,
  problem: { field: 'card', message: 'Declined.', toast: toasts.cardError('Declined') },
}

type Row = [string, CheckoutState, CheckoutEvent, CheckoutState, CheckoutCommand[]]
const rows: Row[] = [
  [
    'a plan of the catalogue opens the form',
    { step: 'opening' },
    { type: 'opened', plan: 'growth' },
    { step: 'identifying', planId, card: 'loading' },
    [{ type: 'loadCardField' }, { type: 'readCustomer' }],
  ],
  [
    'the card field is loaded first',
    { step: 'identifying', planId, card: 'loading' },
    { type: 'cardFieldLoaded' },
    identifying,
    [],
  ],
  [
    'the card field fails first',
    identifying,
    { type: 'cardFieldFailed' },
    { step: 'identifying', planId, card: 'unavailable' },
    [],
  ],
  [
    'the card field is tried again first',
    { step: 'identifying', planId, card: 'unavailable' },
    { type: 'cardFieldRetried' },
    { step: 'identifying', planId, card: 'loading' },
    [{ type: 'loadCardField' }],
  ],
  ['nobody is signed in', identifying, { type: 'customerRead', customer: null }, editing, []],
  [
    'a customer whose subscription is over',
    identifying,
    { type: 'customerRead', customer: { email, isSubscribed: false } },
    editingAgain,
    [],
  ],
  [
    'a customer whose subscription runs',
    identifying,
    { type: 'customerRead', customer: { email, isSubscribed: true } },
    leaving,
    toBilling(true),
  ],
  ...[null, '', 'enterprise', 'GROWTH', '__proto__'].map((plan): Row => [
    `plan "${plan}" leads to pricing`,
    { step: 'opening' },
    { type: 'opened', plan },
    nowhere,
    toPricing,
  ]),
  ['the card field is loaded', { ...editing, card: 'loading' }, { type: 'cardFieldLoaded' }, editing, []],
  [
    'the card field is loaded after submitting',
    awaitingCardField,
    { type: 'cardFieldLoaded' },
    lookingUp,
    [{ type: 'lookUp', email }],
  ],
  [
    'the card field fails',
    { ...editing, card: 'loading' },
    { type: 'cardFieldFailed' },
    { ...editing, card: 'unavailable' },
    [],
  ],
  [
    'the card field fails after submitting',
    awaitingCardField,
    { type: 'cardFieldFailed' },
    { ...editing, card: 'unavailable' },
    [],
  ],
  [
    'the card field is tried again',
    { ...editing, card: 'unavailable' },
    { type: 'cardFieldRetried' },
    { ...editing, card: 'loading' },
    [{ type: 'loadCardField' }],
  ],
  ['nothing to try again', editing, { type: 'cardFieldRetried' }, editing, []],
  [
    'an e-mail is looked up as the database keeps it',
    editing,
    { type: 'submitted', email: '  Desk@Hotel.test ' },
    lookingUp,
    [{ type: 'lookUp', email }],
  ],
  [
    'submitted before the card field is there',
    { ...editing, card: 'loading' },
    { type: 'submitted', email },
    awaitingCardField,
    [],
  ],
  [
    'submitted without a card field tries for it again',
    { ...editing, card: 'unavailable' },
    { type: 'submitted', email },
    awaitingCardField,
    [{ type: 'loadCardField' }],
  ],
  [
    'no e-mail',
    editing,
    { type: 'submitted', email: ' ' },
    invalid('ready', 'Enter your email address.'),
    [{ type: 'focus', id: 'email' }],
  ],
  [
    'no e-mail address, and no card field yet',
    { ...editing, card: 'loading' },
    { type: 'submitted', email: 'desk' },
    invalid('loading', 'Enter an email address with an @, such as you@yourbusiness.com.'),
    [{ type: 'focus', id: 'email' }],
  ],
  ['an account exists', lookingUp, { type: 'accountFound' }, leaving, toLogin],
  [
    'no account exists',
    lookingUp,
    { type: 'accountNotFound' },
    making,
    [{ type: 'makePaymentMethod', email }],
  ],
  [
    'the look-up fails',
    lookingUp,
    { type: 'lookUpFailed' },
    ...failed('submit', 'Could not verify user. Please try again.', toasts.couldNotVerifyUser),
  ],
  [
    'a payment method',
    making,
    { type: 'paymentMethodMade', paymentMethodId: 'pm_1' },
    subscribing,
    [{ type: 'subscribe', email, planId, paymentMethodId: 'pm_1', signedIn: false }],
  ],
  [
    'a customer is not looked up, and buys with the email of the account',
    editingAgain,
    { type: 'submitted', email: 'other@hotel.test' },
    makingAgain,
    [{ type: 'makePaymentMethod', email }],
  ],
  [
    'a customer’s payment method',
    makingAgain,
    { type: 'paymentMethodMade', paymentMethodId: 'pm_1' },
    subscribingAgain,
    [{ type: 'subscribe', email, planId, paymentMethodId: 'pm_1', signedIn: true }],
  ],
  [
    'paid by a customer',
    subscribingAgain,
    { type: 'subscriptionMade', answer: { status: 'active', clientSecret: null, token: null } },
    activating,
    [{ type: 'awaitActivation' }],
  ],
  ['the plan is active', activating, { type: 'activationAwaited' }, leaving, toPortal],
  [
    'the bank asks a customer',
    subscribingAgain,
    { type: 'subscriptionMade', answer: { status: 'requires_action', clientSecret: 'pi_s', token: null } },
    confirmingAgain,
    [{ type: 'confirmPayment', clientSecret: 'pi_s' }],
  ],
  [
    'the bank agrees to a customer’s payment',
    confirmingAgain,
    { type: 'paymentConfirmed' },
    activating,
    [{ type: 'awaitActivation' }],
  ],
  [
    'the bank refuses a customer’s payment',
    confirmingAgain,
    { type: 'paymentRefused', message: 'Authentication failed' },
    ...failedAgain('card', 'Authentication failed.', {
      title: 'Payment Failed',
      description: 'Authentication failed',
      variant: 'destructive',
    }),
  ],
  [
    'the server declines a customer’s card',
    subscribingAgain,
    { type: 'subscriptionRefused', failure: { code: 'card_declined', message: 'Your card was declined.' } },
    ...failedAgain('card', 'Your card was declined.', toasts.cardError('Your card was declined.')),
  ],
  [
    'the server knows that the subscription runs',
    subscribingAgain,
    { type: 'subscriptionRefused', failure: { code: 'account_exists', message: '' } },
    leaving,
    toBilling(false),
  ],
  [
    'a card error is the title of the toast',
    making,
    { type: 'paymentMethodRefused', message: 'Your card number is incomplete.' },
    ...failed('card', 'Your card number is incomplete.', {
      title: 'Your card number is incomplete.',
      variant: 'destructive',
    }),
  ],
  [
    'paid',
    subscribing,
    { type: 'subscriptionMade', answer: { status: 'active', clientSecret: null, token: 'a b' } },
    leaving,
    [{ type: 'goTo', url: '/signup?token=a+b', replace: true }],
  ],
  [
    'the bank asks',
    subscribing,
    { type: 'subscriptionMade', answer: { status: 'requires_action', clientSecret: 'pi_s', token: 'hash' } },
    confirming,
    [{ type: 'confirmPayment', clientSecret: 'pi_s' }],
  ],
  [
    'the bank asks while another’s confirmation is open',
    subscribing,
    { type: 'subscriptionMade', answer: { status: 'requires_action', clientSecret: 'pi_s', token: null } },
    confirmingBeside,
    [{ type: 'confirmPayment', clientSecret: 'pi_s' }],
  ],
  [
    'the bank agrees → the same request is sent again, for the token',
    confirmingBeside,
    { type: 'paymentConfirmed' },
    subscribing,
    [{ type: 'subscribe', email, planId, paymentMethodId: 'pm_1', signedIn: false }],
  ],
  [
    'the bank asks, without a client secret',
    subscribing,
    { type: 'subscriptionMade', answer: { status: 'requires_action', clientSecret: null, token: 'hash' } },
    ...failed(
      'submit',
      'Could not create subscription.',
      toasts.subscriptionFailed('Could not create subscription.'),
    ),
  ],
  [
    'the server declines the card',
    subscribing,
    { type: 'subscriptionRefused', failure: { code: 'card_declined', message: 'Your card was declined.' } },
    ...failed('card', 'Your card was declined.', {
      title: 'Your card was declined.',
      variant: 'destructive',
    }),
  ],
  [
    'the server knows the account',
    subscribing,
    { type: 'subscriptionRefused', failure: { code: 'account_exists', message: '' } },
    leaving,
    toLogin,
  ],
  [
    'the server fails and says why',
    subscribing,
    { type: 'subscriptionRefused', failure: { code: 'checkout_in_progress', message: 'Wait a moment.' } },
    ...failed('submit', 'Wait a moment.', {
      title: 'Subscription Failed',
      description: 'Wait a moment.',
      variant: 'destructive',
    }),
  ],
  [
    'the server fails without a message',
    subscribing,
    { type: 'subscriptionRefused', failure: { code: 'internal', message: '' } },
    ...failed('submit', 'Could not create subscription.', {
      title: 'Subscription Failed',
      description: 'Could not create subscription.',
      variant: 'destructive',
    }),
  ],
  [
    'the bank agrees',
    confirming,
    { type: 'paymentConfirmed' },
    leaving,
    [{ type: 'goTo', url: '/signup?token=hash', replace: true }],
  ],
  [
    'the bank refuses',
    confirming,
    { type: 'paymentRefused', message: 'Authentication failed' },
    ...failed('card', 'Authentication failed.', {
      title: 'Payment Failed',
      description: 'Authentication failed',
      variant: 'destructive',
    }),
  ],
  [
    'no answer, also to the second request',
    subscribing,
    { type: 'subscriptionUnanswered' },
    ...failed('submit', unknown.description ?? '', unknown),
  ],
  [
    'no answer to a customer',
    subscribingAgain,
    { type: 'subscriptionUnanswered' },
    ...failedAgain('submit', unknownAgain.description ?? '', unknownAgain),
  ],
  [
    'an earlier request of a visitor may have paid',
    subscribing,
    { type: 'earlierPaymentFound' },
    leaving,
    [
      { type: 'raiseToastForNextPage', toast: toasts.mayHavePaid },
      { type: 'goTo', url: '/resend?email=desk%40hotel.test', replace: false },
    ],
  ],
  [
    'an earlier request of a customer has paid',
    subscribingAgain,
    { type: 'earlierPaymentFound' },
    leaving,
    toPortal,
  ],
  [
    'the page is opened again, and the plan runs',
    identifying,
    { type: 'earlierPaymentFound' },
    leaving,
    toPortal,
  ],
  ['another card corrects a declined one', declined, { type: 'edited', field: 'card' }, editing, []],
  [
    'an edit of the card does not correct the e-mail',
    invalid('ready', 'Enter your email address.'),
    { type: 'edited', field: 'card' },
    invalid('ready', 'Enter your email address.'),
    [],
  ],
  [
    'an edit of the e-mail does',
    invalid('ready', 'Enter your email address.'),
    { type: 'edited', field: 'email' },
    editing,
    [],
  ],
  ['Back from another page', leaving, { type: 'pageRestored' }, identifying, [{ type: 'readCustomer' }]],
  ['Back without a plan', nowhere, { type: 'pageRestored' }, nowhere, toPricing],
  ['Back while the attempt runs', subscribing, { type: 'pageRestored' }, subscribing, []],
]

describe('transition', () => {
  test.each(rows)('%s', (_name, state, event, expected, commands) => {
    expect(transition(state, event)).toEqual({ state: expected, commands })
  })

  test('an event changes nothing in a state that does not expect it', () => {
    const states: CheckoutState[] = [
      { step: 'opening' },
      identifying,
      editing,
      awaitingCardField,
      lookingUp,
      making,
      subscribing,
      confirming,
      activating,
      leaving,
    ]
    const expected = new Map<CheckoutEvent['type'], CheckoutState['step'][]>()
    for (const [, state, event] of rows)
      expected.set(event.type, [...(expected.get(event.type) ?? []), state.step])
    for (const [, , event] of rows) {
      for (const state of states) {
        if (expected.get(event.type)?.includes(state.step)) continue
        expect(transition(state, event)).toEqual({ state, commands: [] })
      }
    }
  })

  test('a second click submits nothing', () => {
    const first = transition(editing, { type: 'submitted', email })
    expect(transition(first.state, { type: 'submitted', email }).commands).toEqual([])
  })
})

describe('flow', () => {
  const inMemory = (answers: { subscribe: SubscribeAnswer; confirm: boolean }) => {
    const done: string[] = []
    let unanswered: string | null = null
    const clients: CheckoutClients = {
      mountCardField: async () => ({
        createPaymentMethod: async (email) => {
          done.push(`payment method for ${email}`)
          return { ok: true, value: 'pm_1' }
        },
        confirmPayment: async (secret) => {
          done.push(`confirm ${secret}`)
          return answers.confirm ? { ok: true, value: undefined } : { ok: false, failure: 'Refused.' }
        },
        setDisabled: () => undefined,
        focus: () => undefined,
      }),
      lookUpUser: async (email) => {
        done.push(`look up ${email}`)
        return 'notFound'
      },
      readCustomer: async () => null,
      awaitActivation: async () => undefined,
      unanswered: {
        remember: (email) => (unanswered = email),
        forget: () => (unanswered = null),
        email: () => unanswered,
      },
      pause: async () => void done.push('pause'),
      subscribe: async (request) => {
        done.push(`subscribe ${request.planId} with ${request.paymentMethodId}`)
        return { ok: true, value: answers.subscribe }
      },
      runCommon: (command) => {
        if (command.type === 'goTo') done.push(`${command.replace ? 'replace with' : 'go to'} ${command.url}`)
        else if (command.type === 'raiseToast') done.push(`toast ${command.toast.title}`)
        else done.push(command.type)
      },
    }
    return { done, clients, flow: createCheckoutFlow(clients) }
  }

  test('from the plan to signup, with 3-D Secure, in the order of the specification', async () => {
    const { done, flow } = inMemory({
      subscribe: { status: 'requires_action', clientSecret: 'pi_s', token: 'hash' },
      confirm: true,
    })
    flow.send({ type: 'opened', plan: 'pro' })
    await expect.poll(() => flow.state.get().step).toBe('editing')
    flow.send({ type: 'submitted', email })
    flow.send({ type: 'submitted', email })
    await expect.poll(() => flow.state.get().step).toBe('leaving')
    expect(done).toEqual([
      'look up desk@hotel.test',
      'payment method for desk@hotel.test',
      'subscribe pro with pm_1',
      'confirm pi_s',
      'replace with /signup?token=hash',
    ])
  })

  const failure = (code: FunctionFailure['code'], message = ''): Result<never, FunctionFailure> => ({
    ok: false,
    failure: { code, message, answered: message !== '' },
  })
  const silence = failure('provider_unavailable')
  const active: Result<SubscribeAnswer, FunctionFailure> = {
    ok: true,
    value: { status: 'active', clientSecret: null, token: 'hash' },
  }
  /** The flow with an account that the look-up finds once a payment was requested, and the server's answers in order. */
  const withAnswers = (...answers: Result<SubscribeAnswer, FunctionFailure>[]) => {
    const { done, clients } = inMemory({ subscribe: active.value, confirm: true })
    let isRequested = false
    const flow = createCheckoutFlow({
      ...clients,
      lookUpUser: async () => (isRequested ? 'found' : 'notFound'),
      subscribe: async (request) => {
        isRequested = true
        done.push(`subscribe with ${request.paymentMethodId}`)
        return answers.shift() ?? failure('internal', 'No more answers.')
      },
    })
    const press = async () => {
      flow.send({ type: 'pageRestored' })
      await expect.poll(() => flow.state.get().step).toBe('editing')
      flow.send({ type: 'submitted', email })
      await expect.poll(() => flow.state.get().step).toMatch(/editing|leaving/)
      return done.splice(0).filter((entry) => /^(subscribe|pause|toast|replace|go)/.test(entry))
    }
    flow.send({ type: 'opened', plan: 'starter' })
    return press
  }
  const twice = ['subscribe with pm_1', 'pause', 'subscribe with pm_1']
  const toSignup = 'replace with /signup?token=hash'

  test('180. A request without an answer is sent once more', async () => {
    expect(await withAnswers(silence, active)()).toEqual([...twice, toSignup])
  })

  test.each([
    silence,
    failure('checkout_in_progress', 'Wait.'),
    failure('rate_limited', 'Wait.'),
    failure('provider_unavailable', 'Down.'),
  ])('180. If its outcome stays unknown, the next press is not looked up: %o', async (second) => {
    const press = withAnswers(silence, second, active)
    expect(await press()).toEqual([...twice, 'toast We do not know yet'])
    expect(await press()).toEqual(['subscribe with pm_1', toSignup])
  })

  test('180. A server that fails keeps its words, and the next press is not looked up', async () => {
    const press = withAnswers(failure('provider_unavailable', 'Down.'), active)
    expect(await press()).toEqual(['subscribe with pm_1', 'toast Subscription Failed'])
    expect(await press()).toEqual(['subscribe with pm_1', toSignup])
  })

  test('180. Another card after an answer that was lost leads to the link', async () => {
    const exists = failure('account_exists', 'Exists.')
    const press = withAnswers(silence, silence, failure('checkout_in_progress', 'Wait.'), exists, exists)
    expect(await press()).toEqual([...twice, 'toast We do not know yet'])
    expect(await press()).toEqual(['subscribe with pm_1', 'toast We do not know yet'])
    const toLink = ['subscribe with pm_1', 'go to /resend?email=desk%40hotel.test']
    expect(await press()).toEqual(toLink)
    expect(await press(), 'after Back').toEqual(toLink)
  })

  test('after a decline the e-mail is looked up as ever', async () => {
    const press = withAnswers(failure('card_declined', 'Declined.'))
    expect(await press()).toEqual(['subscribe with pm_1', 'toast Declined.'])
    expect(await press()).toEqual(['go to /login?email=desk%40hotel.test'])
  })

  test('after a refused confirmation the next attempt asks the server again', async () => {
    const { done, flow } = inMemory({
      subscribe: { status: 'requires_action', clientSecret: 'pi_s', token: 'hash' },
      confirm: false,
    })
    flow.send({ type: 'opened', plan: 'pro' })
    await expect.poll(() => flow.state.get().step).toBe('editing')
    flow.send({ type: 'submitted', email })
    await expect.poll(() => done).toContain('toast Payment Failed')
    flow.send({ type: 'submitted', email })
    await expect
      .poll(() => done.filter((entry) => entry.startsWith('subscribe')))
      .toEqual(['subscribe pro with pm_1', 'subscribe pro with pm_1'])
  })
})
