import { supabase } from '#platform/browser/supabase.ts'

/** PostgREST's word for "no row" (specification, section 7). */
const noRow = 'PGRST116'

/**
 * Looks an account up by e-mail, as anybody may: row-level security shows a caller the one row whose e-mail it names
 * in the header.
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
