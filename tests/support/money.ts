import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** Numbers of Stripe's test cards, named for what happens when they are charged. */
export const cards = {
  paying: '4242424242424242',
  otherPaying: '5555555555554444',
  declinedAtCharge: '4000000000000341',
  asksForAuthentication: '4000002500003155',
  /** Asks for 3-D Secure at every payment. */
  alwaysAsks: '4000002760003184',
} as const

/** Returns a new e-mail address. */
export const freshEmail = (): string => `buyer-${randomUUID()}@example.com`

export const customersOf = async ({ stripe }: World, email: string): Promise<Stripe.Customer[]> =>
  (await stripe.customers.list({ email, limit: 100 })).data

const perCustomer = async <T>(
  world: World,
  email: string,
  list: (customer: string) => Promise<{ data: T[] }>,
): Promise<T[]> => {
  const pages = await Promise.all((await customersOf(world, email)).map(({ id }) => list(id)))
  return pages.flatMap(({ data }) => data)
}

/** Returns the subscriptions at Stripe, including ended ones. */
export const subscriptionsOf = (world: World, email: string): Promise<Stripe.Subscription[]> =>
  perCustomer(world, email, (customer) =>
    world.stripe.subscriptions.list({ customer, status: 'all', limit: 100 }),
  )

/** Returns the successful charges of an e-mail address; declined ones are left out. */
export const chargesOf = async (world: World, email: string): Promise<Stripe.Charge[]> =>
  (await perCustomer(world, email, (customer) => world.stripe.charges.list({ customer, limit: 100 }))).filter(
    ({ paid }) => paid,
  )

export interface SubscriptionRow {
  user_id: string
  plan: string
  status: string
  billing_status: string
  minutes_limit: number
  onboarding_completed: boolean
  stripe_customer_id: string
  stripe_subscription_id: string
  /** ISO 8601. */
  current_period_end: string
  cancel_at: string | null
}

export const subscriptionRow = async (world: World, email: string): Promise<SubscriptionRow | undefined> => {
  const rows = await world.sql<SubscriptionRow>(
    'select s.* from public.user_subscriptions s join auth.users u on u.id = s.user_id where u.email = $1',
    [email],
  )
  return rows[0]
}

/** Waits until the row has this status, and returns it. */
export const rowWithStatus = (world: World, email: string, status: string): Promise<SubscriptionRow> =>
  eventually(async () => {
    const row = await subscriptionRow(world, email)
    expect(row?.status).toBe(status)
    return row as SubscriptionRow
  })

/** Returns whether the database treats the account as entitled; policies and functions use the same check. */
export const isEntitled = async (world: World, email: string): Promise<boolean> => {
  const [row] = await world.sql<{ entitled: boolean }>(
    `select coalesce(bool_or(private.is_entitled(u.id)), false) as entitled
     from auth.users u where u.email = $1`,
    [email],
  )
  return row?.entitled === true
}

/** Returns whether the e-mail address has an account, by the same table as the look-up of the checkout. */
export const hasAccount = async (world: World, email: string): Promise<boolean> =>
  (await world.sql('select from public.users where email = $1', [email])).length > 0
