import * as z from 'zod/mini'
import { supabase } from '#platform/browser/supabase.ts'

/** One page of records that this browser does not store. */
export interface Page<Each> {
  entries: readonly Each[]
  total: number
}

export const recordsPerPage = 20
/** Returns the first and the last row number of a page. */
export const span = (page: number): [number, number] => [
  page * recordsPerPage,
  (page + 1) * recordsPerPage - 1,
]

/** Adds to each entry the e-mail address of its account; null if it has no account. */
export async function withEmails<Each>(
  page: Page<Each> | undefined,
  accountOf: (entry: Each) => string | null,
): Promise<Page<Each & { email: string | null }> | undefined> {
  const ids = new Set(page?.entries.flatMap((entry) => accountOf(entry) ?? []))
  const { data } =
    ids.size > 0
      ? await supabase()
          .from('users')
          .select('id, email')
          .in('id', [...ids])
      : {}
  const emails = new Map(data?.map(({ id, email }) => [id, email]))
  const named = (entry: Each) => ({ ...entry, email: emails.get(accountOf(entry) ?? '') ?? null })
  return page && { ...page, entries: page.entries.map(named) }
}

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
export type AuditLine = z.infer<typeof auditLine> & { email: string | null }

/** Reads the audit log, newest first; undefined if there is no readable answer. */
export async function readAuditLog(page: number): Promise<Page<AuditLine> | undefined> {
  const { data, count, error } = await supabase()
    .from('audit_log')
    .select('id, at, actor_email, action, subject, subject_id, before, after', { count: 'exact' })
    .order('id', { ascending: false })
    .range(...span(page))
  const entries = z.safeParse(z.array(auditLine), data)
  if (error || !entries.success) return undefined
  return withEmails({ entries: entries.data, total: count ?? 0 }, ({ subject, subject_id }) =>
    subject === 'user_subscriptions' ? subject_id : null,
  )
}
