import type { PostgrestClient } from '@supabase/postgrest-js'
import * as z from 'zod/mini'
import { supabase } from '#platform/browser/supabase.ts'

export type SavedOver<Value> =
  | { kind: 'saved' }
  /** Another tab or device has saved another value since. */
  | { kind: 'overtaken'; theirs: Value }
  | { kind: 'failed' }

const anyRow = z.nullable(z.looseObject({ updated_at: z.string() }))
const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Saves a column of the customer's own row, if it still has the value that the page knows. Other columns may have changed.
 * @param known the value that was changed on the page
 */
export async function saveOver<Value>(
  table: 'agent_settings' | 'call_settings',
  userId: string,
  column: string,
  { value, known }: { value: Value; known: Value },
): Promise<SavedOver<Value>> {
  // The client's types follow one table and one column only.
  const rows = () => (supabase() as unknown as PostgrestClient).from(table)
  for (let nth = 0; nth < 3; nth++) {
    const { data: row, error } = await rows().select('*').eq('user_id', userId).maybeSingle().retry(false)
    const read = z.safeParse(anyRow, row)
    if (error || !read.success) return { kind: 'failed' }
    const theirs = read.data && (read.data[column] as Value)
    if (read.data && same(theirs, value)) return { kind: 'saved' }
    if (read.data && !same(theirs, known)) return { kind: 'overtaken', theirs: theirs as Value }
    const change = { user_id: userId, [column]: value }
    const written = await (
      read.data
        ? rows().update(change).eq('user_id', userId).eq('updated_at', read.data.updated_at)
        : rows().upsert(change, { onConflict: 'user_id', ignoreDuplicates: true })
    )
      .select('user_id')
      .maybeSingle()
    if (written.error) return { kind: 'failed' }
    if (written.data) return { kind: 'saved' }
  }
  return { kind: 'failed' }
}
