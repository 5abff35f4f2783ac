import { storageKey } from '#site'
import { tabStorage } from '#platform/browser/storage/storage.ts'
import { supabase } from '#platform/browser/supabase.ts'

/** PostgREST's error code for "no row" (specification, section 7). */
const noRow = 'PGRST116'

/**
 * Looks up an account by e-mail, as every visitor may: row-level security allows the one row whose e-mail is in the
 * header.
 * @param email trimmed and in lower case, as the table keeps it
 */
export async function lookUpUser(email: string): Promise<'found' | 'notFound' | 'failed'> {
  const { data, error } = await supabase()
    .from('users')
    .select('id')
    .eq('email', email)
    .setHeader('x-lookup-email', email)
    .single()
  if (error) return error.code === noRow ? 'notFound' : 'failed'
  return data ? 'found' : 'failed'
}

const key = storageKey('unanswered_payment')

/**
 * Remembers, in this tab alone, for which e-mail a payment was requested whose outcome is not known yet. Whoever has paid
 * without knowing it has an account by now, so the look-up no longer tells a payer from somebody else: the server does.
 */
export const unansweredPayment = {
  remember: (email: string) => void tabStorage.write(key, email),
  forget: () => tabStorage.remove(key),
  /** Returns the e-mail, or null. */
  email: () => tabStorage.read(key),
}
