import {
  baseOf,
  tableOf,
  type AudioDemo,
  type ContentRow,
  type ContentRows,
  type FaqEntry,
  type WriteOutcome,
} from '#admin/domain/content/admin-data.ts'
import type { ShownSettings } from '#admin/domain/content/site-build.ts'
import { failureReason } from '#admin/browser/admin-failure.ts'
import { uploadDemoAudio } from './demo-audio.ts'
import { readSiteSettings } from './site-settings.ts'
import { allRows, supabase } from '#platform/browser/supabase.ts'

/** The columns of each table, under the names of the records' fields. */
const columns = {
  faqs: 'id, question, answer, updatedAt:updated_at, deletedAt:deleted_at',
  demos:
    'id, industry, title, description, audioUrl:audio_url, seconds, updatedAt:updated_at, deletedAt:deleted_at',
} as const
const uniqueViolation = '23505'

type Row<Each> = Each & { updatedAt: string; deletedAt: string | null }
const rowOf = <Each>({ deletedAt, ...record }: Row<Each>): ContentRow<Each> => ({
  record: record as Each,
  deleted: deletedAt !== null,
})
const outcomeOf = (row: Row<FaqEntry>) => ({
  record: row.deletedAt === null ? rowOf(row).record : null,
  version: row.updatedAt,
})

/** Reads all rows of FAQs and demos, tombstones included, and the settings; undefined if there is no answer. */
export async function readContentRows(): Promise<(ContentRows & { settings: ShownSettings }) | undefined> {
  const [faqs, demos, settings] = await Promise.all([
    allRows((from, to) => supabase().from('faqs').select(columns.faqs).order('id').range(from, to)),
    allRows((from, to) => supabase().from('audio_demos').select(columns.demos).order('id').range(from, to)),
    readSiteSettings(),
  ])
  if (!faqs || !demos || !settings) return undefined
  const { contactEmail, maintenanceNotice } = settings
  return {
    faqs: faqs.map(rowOf<FaqEntry>),
    demos: demos.map(rowOf<AudioDemo>),
    settings: { contactEmail, maintenanceNotice },
  }
}

/** Returns what a record's row says; undefined if its recording, which only this browser has, could not be uploaded. */
async function fieldsOf(record: FaqEntry | AudioDemo) {
  if ('question' in record) return { question: record.question, answer: record.answer }
  const { id, industry, title, description, audioUrl, seconds = null, unsaved } = record
  // A recording that was never uploaded has no address.
  const neverHeard = unsaved?.deleted && audioUrl.startsWith('data:')
  const audio_url = neverHeard ? '/none' : await uploadDemoAudio(id, audioUrl)
  return audio_url === undefined ? undefined : { industry, title, description, audio_url, seconds }
}

/** Writes an unsaved FAQ or demo if its row still has the version that the change is based on. */
export async function writeContent(record: FaqEntry | AudioDemo): Promise<WriteOutcome> {
  const name = 'question' in record ? 'faqs' : 'demos'
  const fields = await fieldsOf(record)
  if (!fields) return { kind: 'failed', reason: 'The recording could not be uploaded.' }
  const { id, unsaved } = record
  const base = baseOf(record)
  const row = {
    ...(fields as { question: string; answer: string }),
    deleted_at: unsaved?.deleted ? new Date().toISOString() : null,
  }
  // Both tables are asked, and answer, in the same way.
  const table = () => supabase().from(tableOf[name] as 'faqs')
  const written = await (
    base === null ? table().insert({ id, ...row }) : table().update(row).eq('id', id).eq('updated_at', base)
  )
    .select(columns[name] as typeof columns.faqs)
    .maybeSingle()
  if (written.data) return { kind: 'saved', ...outcomeOf(written.data) }
  if (written.error && written.error.code !== uniqueViolation)
    return { kind: 'failed', reason: failureReason(written) }
  // Somebody else has changed the row.
  const present = await table()
    .select(columns[name] as typeof columns.faqs)
    .eq('id', id)
    .maybeSingle()
  return present.data
    ? { kind: 'conflict', ...outcomeOf(present.data) }
    : { kind: 'failed', reason: failureReason(present) }
}
