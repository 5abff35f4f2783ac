import type { SupabaseClient } from '@supabase/supabase-js'
import type Stripe from 'stripe'
import { expect } from 'vitest'
import type { PlanPreview } from '#billing/domain/plan-change/plan-change-contracts.ts'
import { freshEmail, rowWithStatus } from './money.ts'
import type { Answer, World } from './world.ts'

/** A customer with a paid plan, who is signed in. */
export interface Subscriber {
  email: string
  user: string
  subscription: string
  client: SupabaseClient
  post(name: string, body: object): Promise<Answer>
  /** Previews a change and expects it to be allowed. */
  preview(plan: string): Promise<PlanPreview>
  confirm(preview: { quote: string }): Promise<Answer>
  row(): Promise<SubscriberRow>
}

interface SubscriberRow {
  plan: string
  next_plan: string
  minutes_limit: number
  cancel_at: string | null
}

/** Buys a plan with a card, and signs in. */
export async function subscriber(world: World, plan: string, card: string): Promise<Subscriber> {
  const email = freshEmail()
  const { json } = await world.subscribe(email, await world.card(card), plan)
  if (json.status === 'requires_action') await world.authenticate(String(json.clientSecret), 'complete')
  const { user_id: user, stripe_subscription_id: subscription } = await rowWithStatus(world, email, 'active')
  const client = world.client()
  const { data } = await client.auth.verifyOtp({ token_hash: String(json.token), type: 'signup' })
  await world.settled()
  const headers = { authorization: `Bearer ${data.session?.access_token}` }
  const post = (name: string, body: object) => world.post(name, body, headers)
  return {
    email,
    user,
    subscription,
    client,
    post,
    async preview(plan) {
      const answer = await post('preview-plan-change', { plan })
      expect(answer.json).toMatchObject({ quote: expect.any(String) as string })
      return answer.json as PlanPreview
    },
    confirm: ({ quote }) => post('confirm-plan-change', { quote }),
    async row() {
      const [row] = await world.sql<SubscriberRow>(
        'select plan, next_plan, minutes_limit, cancel_at from public.user_subscriptions where user_id = $1',
        [user],
      )
      if (!row) throw new Error('There is no row')
      return row
    },
  }
}

/** Returns a subscription's invoices, newest first. */
export const invoicesOf = async ({ stripe }: World, subscription: string): Promise<Stripe.Invoice[]> =>
  (await stripe.invoices.list({ subscription, limit: 100 })).data
