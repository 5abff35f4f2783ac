import * as z from 'zod/mini'
import { readPage, type Page } from '#admin/browser/content/records.ts'
import type { Result } from '#platform/domain/result.ts'
import { invokeFunction } from '#platform/browser/functions.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { failureReason, refused } from './admin-failure.ts'

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

/** Whose an account is (SQL: `account_facts`). */
const accountRow = z.object({
  email: z.string(),
  /** The name that the customer has given the business. */
  business: z.nullable(z.string()),
  created_at: z.string(),
  last_sign_in_at: z.nullable(z.string()),
  /** Whether the payer has set one. */
  has_password: z.boolean(),
  is_admin: z.boolean(),
})

/** An account, as its page in the admin area shows it. */
export interface UserAccount extends z.infer<typeof accountRow> {
  /** Null if the account has no subscription. */
  subscription: z.infer<typeof subscription> | null
  minutesUsed: number
}

/** Reads an account; null if there is none, undefined without a readable answer. */
export async function readUserAccount(id: string): Promise<UserAccount | null | undefined> {
  const [user, paid, used] = await Promise.all([
    supabase().rpc('account_facts', { p_user_id: id }),
    supabase()
      .from('user_subscriptions')
      .select(Object.keys(subscription.shape).join(', '))
      .eq('user_id', id)
      .maybeSingle(),
    supabase().from('subscription_overview').select('minutes_used').eq('user_id', id).maybeSingle(),
  ])
  if (user.error || paid.error || used.error) return undefined
  if (!user.data) return null
  const facts = z.safeParse(accountRow, user.data)
  const read = z.safeParse(z.nullable(subscription), paid.data)
  if (!facts.success || !read.success) return undefined
  const minutes = z.safeParse(z.nullable(z.object({ minutes_used: z.number() })), used.data).data
  return {
    ...facts.data,
    subscription: read.data,
    minutesUsed: minutes?.minutes_used ?? 0,
  }
}

const sentMail = z.object({ id: z.number(), kind: z.string(), provider_id: z.string(), sent_at: z.string() })
type SentMail = z.infer<typeof sentMail>

/** Reads which mails an account was sent, newest first. */
export const readSentMails = async (id: string, page: number): Promise<Page<SentMail> | undefined> =>
  readPage(
    sentMail,
    supabase()
      .from('sent_mails')
      .select('id, kind, provider_id, sent_at')
      .eq('user_id', id)
      .order('id', { ascending: false }),
    page,
  )

const minuteLine = z.object({
  id: z.number(),
  minutes: z.number(),
  reason: z.string(),
  created_at: z.string(),
})
type MinuteLine = z.infer<typeof minuteLine>

/** Reads an account's lines in the minute ledger, those of the latest calls first. */
export const readMinuteLines = async (id: string, page: number): Promise<Page<MinuteLine> | undefined> =>
  readPage(
    minuteLine,
    supabase()
      .from('minute_ledger')
      .select('id, minutes, reason, created_at')
      .eq('user_id', id)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false }),
    page,
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
  readPage(margin, supabase().rpc('customer_margin', { p_user_id: id }), page)

const note = z.object({
  id: z.number(),
  at: z.string(),
  author_email: z.string(),
  kind: z.enum(['note', 'blocked', 'activated', 'credited']),
  minutes: z.nullable(z.number()),
  note: z.string(),
})
export type Note = z.infer<typeof note>

/** Reads what admins have noted about an account, newest first. */
export const readNotes = async (id: string, page: number): Promise<Page<Note> | undefined> =>
  readPage(
    note,
    supabase()
      .from('account_notes')
      .select('id, at, author_email, kind, minutes, note')
      .eq('user_id', id)
      .order('id', { ascending: false }),
    page,
  )

/** Writes a note about an account. */
export async function writeNote(id: string, text: string): Promise<Result<true>> {
  const answer = await supabase().rpc('note_account', { p_user_id: id, p_note: text })
  if (answer.error) return refused(failureReason(answer))
  return answer.data ? { ok: true, value: true } : refused('This account no longer exists.')
}

const creditProblems = {
  too_many: 'Fewer minutes are used in this period.',
  missing: 'This account has no subscription.',
} as const

/**
 * Gives back minutes that an account has used in its period.
 * @param request the name of the press; the same one credits once
 */
export async function creditMinutes(
  id: string,
  { minutes, why, request }: { minutes: number; why: string; request: string },
): Promise<Result<true>> {
  const answer = await supabase().rpc('credit_minutes', {
    p_user_id: id,
    p_minutes: minutes,
    p_note: why,
    p_request: request,
  })
  const outcome = z.safeParse(z.enum(['credited', 'too_many', 'missing']), answer.data).data
  if (answer.error || !outcome) return refused(failureReason(answer))
  return outcome === 'credited' ? { ok: true, value: true } : refused(creditProblems[outcome])
}

/** Has the owner of an e-mail mailed a link to set a password. */
export const mailPasswordLink = (email: string) =>
  invokeFunction('request-password-reset', {
    body: { email },
    answer: z.object({ accepted: z.literal(true) }),
  })
