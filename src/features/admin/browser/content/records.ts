import * as z from 'zod/mini'
import { supabase } from '#platform/browser/supabase.ts'

/** One page of records that this browser does not store. `more`: a page follows; to count them all takes long. */
export interface Page<Each> {
  entries: readonly Each[]
  more: boolean
}

export const recordsPerPage = 20

/** A query whose rows can be read in part. */
interface Rows {
  range(from: number, to: number): PromiseLike<{ data: unknown; error: unknown }>
}

/** Reads one page of a query, and whether a page follows; undefined without a readable answer. */
export async function readPage<Schema extends z.ZodMiniType>(
  schema: Schema,
  rows: Rows,
  page: number,
): Promise<Page<z.infer<Schema>> | undefined> {
  const { data, error } = await rows.range(page * recordsPerPage, (page + 1) * recordsPerPage)
  const read = z.safeParse(z.array(schema), data)
  if (error || !read.success) return undefined
  return { entries: read.data.slice(0, recordsPerPage), more: read.data.length > recordsPerPage }
}

/** Adds to each entry the e-mail address of its account; null if it has no account. */
export async function withEmails<Each>(
  read: Promise<Page<Each> | undefined>,
  accountOf: (entry: Each) => string | null,
): Promise<Page<Each & { email: string | null }> | undefined> {
  const page = await read
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
  const chosen = account ? all.eq('subject_id', account) : all
  const lines = readPage(auditLine, chosen.order('id', { ascending: false }), page)
  return withEmails(lines, ({ subject, subject_id }) =>
    ['user_subscriptions', 'voice_agents'].includes(subject) ? subject_id : null,
  )
}
