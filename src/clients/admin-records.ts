import * as z from 'zod/mini'
import { supabase } from './supabase.ts'

/** One page of what only the server knows. */
export interface Page<Each> {
  entries: readonly Each[]
  total: number
}

export const recordsPerPage = 20
/** First and last row of a page. */
export const span = (page: number): [number, number] => [
  page * recordsPerPage,
  (page + 1) * recordsPerPage - 1,
]

const auditLine = z.object({
  id: z.number(),
  at: z.string(),
  actor_email: z.nullable(z.string()),
  action: z.string(),
  subject: z.string(),
  subject_id: z.string(),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
})
export type AuditLine = z.infer<typeof auditLine>

/** The audit log, newest first; undefined without a readable answer. */
export async function readAuditLog(page: number): Promise<Page<AuditLine> | undefined> {
  const { data, count, error } = await supabase()
    .from('audit_log')
    .select('id, at, actor_email, action, subject, subject_id, before, after', { count: 'exact' })
    .order('id', { ascending: false })
    .range(...span(page))
  const entries = z.safeParse(z.array(auditLine), data)
  return error || !entries.success ? undefined : { entries: entries.data, total: count ?? 0 }
}
