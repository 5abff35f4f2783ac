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

/** Parses the rows of an answer; undefined if they are not readable. */
export function pageOf<Schema extends z.ZodMiniType>(
  schema: Schema,
  { data, count, error }: { data: unknown; count: number | null; error: unknown },
): Page<z.infer<Schema>> | undefined {
  const entries = z.safeParse(z.array(schema), data)
  return error || !entries.success ? undefined : { entries: entries.data, total: count ?? 0 }
}

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
  const lines = pageOf(
    auditLine,
    await supabase()
      .from('audit_log')
      .select('id, at, actor_email, action, subject, subject_id, before, after', { count: 'exact' })
      .order('id', { ascending: false })
      .range(...span(page)),
  )
  return withEmails(lines, ({ subject, subject_id }) =>
    subject === 'user_subscriptions' ? subject_id : null,
  )
}
