import * as z from 'zod/mini'
import { supabase } from '#platform/browser/supabase.ts'

/** One page of records that this browser does not store. `more`: a page follows; to count them all takes long. */
export interface Page<Each> {
  entries: readonly Each[]
  more: boolean
}

export const recordsPerPage = 20
/** Returns the first row number of a page, and the one after its last, which tells whether a page follows. */
export const span = (page: number): [number, number] => [page * recordsPerPage, (page + 1) * recordsPerPage]

/** Parses the rows of a span; undefined if they are not readable. */
export function pageOf<Schema extends z.ZodMiniType>(
  schema: Schema,
  { data, error }: { data: unknown; error: unknown },
): Page<z.infer<Schema>> | undefined {
  const rows = z.safeParse(z.array(schema), data)
  if (error || !rows.success) return undefined
  return { entries: rows.data.slice(0, recordsPerPage), more: rows.data.length > recordsPerPage }
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

/**
 * Reads the audit log, newest first; undefined if there is no readable answer.
 * @param account only what was done to this account and its agent
 */
export async function readAuditLog(page: number, account?: string): Promise<Page<AuditLine> | undefined> {
  const all = supabase()
    .from('audit_log')
    .select('id, at, actor_email, action, subject, subject_id, before, after')
  const lines = pageOf(
    auditLine,
    await (account ? all.eq('subject_id', account) : all)
      .order('id', { ascending: false })
      .range(...span(page)),
  )
  return withEmails(lines, ({ subject, subject_id }) =>
    ['user_subscriptions', 'voice_agents'].includes(subject) ? subject_id : null,
  )
}
