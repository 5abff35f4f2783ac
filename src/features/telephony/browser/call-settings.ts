import * as z from 'zod/mini'
import { supabase } from '#platform/browser/supabase.ts'
import {
  blockedCaller,
  callSettings,
  noCallSettings,
  type BlockedCaller,
  type CallSettings,
} from '#telephony/domain/call-settings.ts'

/** Reads how this customer wants the phone to be answered; undefined without a readable answer. */
export async function readCallSettings(userId: string): Promise<CallSettings | undefined> {
  const { data, error } = await supabase()
    .from('call_settings')
    .select(
      'paused, limit_policy, fallback_number, own_number, record_calls, record_consent_version, record_consent_at, summaries_to, summaries',
    )
    .eq('user_id', userId)
    .maybeSingle()
  if (error) return undefined
  return data === null ? noCallSettings : z.safeParse(callSettings, data).data
}

/** What a customer chooses. Texts are saved by their fields; the server stamps the consent with its time. */
export type CallSettingsChange = Partial<
  Omit<CallSettings, 'record_consent_at' | 'fallback_number' | 'own_number' | 'summaries_to'>
>

/** Writes the given columns and leaves the others as they are. Returns whether that succeeded. */
export async function saveCallSettings(userId: string, columns: CallSettingsChange): Promise<boolean> {
  const { error } = await supabase()
    .from('call_settings')
    .upsert({ user_id: userId, ...columns })
  return !error
}

/** Reads the callers that this customer has blocked, the latest first; undefined without a readable answer. */
export async function readBlockedCallers(userId: string): Promise<BlockedCaller[] | undefined> {
  const { data, error } = await supabase()
    .from('blocked_callers')
    .select('phone_number, created_at')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .order('phone_number')
  return error ? undefined : z.safeParse(z.array(blockedCaller), data).data
}

/** PostgreSQL's code for a row that is there already. */
const duplicate = '23505'

/** Blocks a caller of the signed-in customer. Returns whether the caller is blocked now. */
export async function blockCaller(number: string): Promise<boolean> {
  const { data } = await supabase().auth.getUser()
  if (!data.user) return false
  const { error } = await supabase()
    .from('blocked_callers')
    .insert({ user_id: data.user.id, phone_number: number })
  return !error || error.code === duplicate
}

/** Lets a caller through again. Returns whether that succeeded. */
export async function unblockCaller(userId: string, number: string): Promise<boolean> {
  const { error } = await supabase()
    .from('blocked_callers')
    .delete()
    .eq('user_id', userId)
    // The local database's API would read the value of `eq` as a number.
    .like('phone_number', number)
  return !error
}

/** Reads who has ended the mails about this customer's calls; undefined without a readable answer. */
export async function readEndedReaders(userId: string): Promise<string[] | undefined> {
  const { data, error } = await supabase()
    .from('call_mail_readers')
    .select('email')
    .eq('user_id', userId)
    .not('stopped_at', 'is', null)
    .order('email')
  return error
    ? undefined
    : z.safeParse(z.array(z.object({ email: z.string() })), data).data?.map(({ email }) => email)
}
