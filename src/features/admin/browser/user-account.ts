import * as z from 'zod/mini'
import { supabase } from '#platform/browser/supabase.ts'
import { pageOf, span, type Page } from '#admin/browser/content/records.ts'

const subscription = z.object({
  plan: z.string(),
  status: z.string(),
  billing_status: z.string(),
  minutes_limit: z.number(),
  onboarding_completed: z.boolean(),
  stripe_customer_id: z.nullable(z.string()),
  current_period_start: z.nullable(z.string()),
  current_period_end: z.nullable(z.string()),
  cancel_at: z.nullable(z.string()),
  first_paid_at: z.nullable(z.string()),
  past_due_since: z.nullable(z.string()),
})

/** An account, as its page in the admin area shows it. */
export interface UserAccount {
  email: string
  /** Null if the account has no subscription. */
  subscription: z.infer<typeof subscription> | null
  minutesUsed: number
}

/** Reads an account; null if there is none, undefined without a readable answer. */
export async function readUserAccount(id: string): Promise<UserAccount | null | undefined> {
  const [user, paid, used] = await Promise.all([
    supabase().from('users').select('email').eq('id', id).maybeSingle(),
    supabase()
      .from('user_subscriptions')
      .select(Object.keys(subscription.shape).join(', '))
      .eq('user_id', id)
      .maybeSingle(),
    supabase().from('subscription_overview').select('minutes_used').eq('user_id', id).maybeSingle(),
  ])
  if (user.error || paid.error || used.error) return undefined
  if (!user.data) return null
  const read = z.safeParse(z.nullable(subscription), paid.data)
  if (!read.success) return undefined
  const minutes = z.safeParse(z.nullable(z.object({ minutes_used: z.number() })), used.data).data
  return {
    email: String(user.data.email),
    subscription: read.data,
    minutesUsed: minutes?.minutes_used ?? 0,
  }
}

const sentMail = z.object({ id: z.number(), kind: z.string(), provider_id: z.string(), sent_at: z.string() })
type SentMail = z.infer<typeof sentMail>

/** Reads which mails an account was sent, newest first. */
export const readSentMails = async (id: string, page: number): Promise<Page<SentMail> | undefined> =>
  pageOf(
    sentMail,
    await supabase()
      .from('sent_mails')
      .select('id, kind, provider_id, sent_at')
      .eq('user_id', id)
      .order('id', { ascending: false })
      .range(...span(page)),
  )

const minuteLine = z.object({
  id: z.number(),
  minutes: z.number(),
  reason: z.string(),
  created_at: z.string(),
})
type MinuteLine = z.infer<typeof minuteLine>

/** Reads an account's lines in the minute ledger, newest first. */
export const readMinuteLines = async (id: string, page: number): Promise<Page<MinuteLine> | undefined> =>
  pageOf(
    minuteLine,
    await supabase()
      .from('minute_ledger')
      .select('id, minutes, reason, created_at')
      .eq('user_id', id)
      .order('id', { ascending: false })
      .range(...span(page)),
  )

const margin = z.object({
  period_start: z.string(),
  period_end: z.string(),
  /** In cents. */
  revenue: z.number(),
  /** In cents, with fractions. */
  cost: z.number(),
  calls: z.number(),
  /** The calls of which the voice provider has not said what they cost. */
  uncosted: z.number(),
})
export type Margin = z.infer<typeof margin>

/** Reads what an account has brought and cost in its last billing periods, newest first. */
export const readMargin = async (id: string, page: number): Promise<Page<Margin> | undefined> =>
  pageOf(
    margin,
    await supabase()
      .rpc('customer_margin', { p_user_id: id })
      .range(...span(page)),
  )
