import * as z from 'zod/mini'
import type { Result } from '#platform/domain/result.ts'
import { supabase } from '#platform/browser/supabase.ts'
import { failureReason, refused } from './admin-failure.ts'
import { readPage, type Page } from '#admin/browser/content/records.ts'

const lead = z.object({
  id: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  kind: z.string(),
  wish: z.string(),
  page: z.string(),
  created_at: z.string(),
})
export type Lead = z.infer<typeof lead>

/** Reads the leads that are not done, newest first. */
export const readOpenLeads = async (page: number): Promise<Page<Lead> | undefined> =>
  readPage(
    lead,
    supabase()
      .from('leads')
      .select('id, kind, name, email, phone, wish, page, created_at', { count: 'exact' })
      .is('done_at', null)
      .order('created_at', { ascending: false }),
    page,
  )

/** Marks a lead as done, which takes it off the list. */
export async function markLeadDone(id: string): Promise<Result<true>> {
  const answer = await supabase()
    .from('leads')
    .update({ done_at: new Date().toISOString() })
    .eq('id', id)
    .select('id')
  return !answer.error && answer.data.length > 0 ? { ok: true, value: true } : refused(failureReason(answer))
}
