import type { AudioDemo, FaqEntry } from '#admin/domain/admin-data.ts'
import type { ContentRows } from '#admin/domain/admin-state.ts'
import type { UnsavedChange, WriteOutcome } from '#admin/domain/unsaved-changes.ts'
import { failureReason } from './admin-failure.ts'
import { uploadDemoAudio } from './demo-audio.ts'
import { readSiteSettings } from './site-settings.ts'
import { allRows } from '#platform/browser/all-rows.ts'
import { supabase } from '#platform/browser/supabase.ts'

const faqColumns = 'id, question, answer, updated_at, deleted_at'
const demoColumns = 'id, industry, title, description, audio_url, seconds, updated_at, deleted_at'
const uniqueViolation = '23505'

interface Versioned {
  updated_at: string
  deleted_at: string | null
}
interface FaqRow extends Versioned {
  id: string
  question: string
  answer: string
}
interface DemoRow extends Versioned {
  id: string
  industry: string
  title: string
  description: string
  audio_url: string
  seconds: number | null
}

const faqOf = ({ id, question, answer, updated_at }: FaqRow): FaqEntry => ({
  id,
  question,
  answer,
  updatedAt: updated_at,
})
const demoOf = ({
  id,
  industry,
  title,
  description,
  audio_url,
  seconds,
  updated_at,
}: DemoRow): AudioDemo => ({
  id,
  industry,
  title,
  description,
  audioUrl: audio_url,
  ...(seconds !== null && { seconds }),
  updatedAt: updated_at,
})

/** Reads all rows of FAQs and demos, tombstones included, and the settings; undefined if there is no answer. */
export async function readContentRows(): Promise<ContentRows | undefined> {
  const [faqs, demos, settings] = await Promise.all([
    allRows<FaqRow>((from, to) => supabase().from('faqs').select(faqColumns).order('id').range(from, to)),
    allRows<DemoRow>((from, to) =>
      supabase().from('audio_demos').select(demoColumns).order('id').range(from, to),
    ),
    readSiteSettings(),
  ])
  if (!faqs || !demos || !settings) return undefined
  return {
    faqs: faqs.map((row) => ({ record: faqOf(row), deleted: row.deleted_at !== null })),
    demos: demos.map((row) => ({ record: demoOf(row), deleted: row.deleted_at !== null })),
    settings: { contactEmail: settings.contactEmail, maintenanceNotice: settings.maintenanceNotice },
  }
}

interface Answer<Row> {
  data: Row | null
  error: { code: string; message: string } | null
  status: number
}

/** The requests that differ between the two tables. */
interface Table<Row extends Versioned> {
  insert: (deletedAt: string | null) => PromiseLike<Answer<Row>>
  update: (version: string, deletedAt: string | null) => PromiseLike<Answer<Row>>
  read: () => PromiseLike<Answer<Row>>
  recordOf: (row: Row) => UnsavedChange['record']
}

async function writeRow<Row extends Versioned>(
  { action, base }: UnsavedChange,
  { insert, update, read, recordOf }: Table<Row>,
): Promise<WriteOutcome> {
  const deletedAt = action === 'delete' ? new Date().toISOString() : null
  const written = await (base === null ? insert(deletedAt) : update(base, deletedAt))
  const isTaken = written.error?.code === uniqueViolation || (!written.error && !written.data)
  if (written.error && !isTaken) return { kind: 'failed', reason: failureReason(written) }
  if (written.data) return savedRow(written.data, recordOf)
  // Somebody else has changed the row.
  const present = await read()
  if (present.error || !present.data) return { kind: 'failed', reason: failureReason(present) }
  const { updated_at: version, deleted_at } = present.data
  return { kind: 'conflict', theirs: deleted_at === null ? recordOf(present.data) : null, version }
}

const savedRow = <Row extends Versioned>(row: Row, recordOf: Table<Row>['recordOf']): WriteOutcome => ({
  kind: 'saved',
  record: row.deleted_at === null ? recordOf(row) : null,
  version: row.updated_at,
})

/** Writes an FAQ if its row still has the version that the change is based on. */
export function writeFaq(change: UnsavedChange): Promise<WriteOutcome> {
  const { id, question, answer } = change.record as FaqEntry
  const table = () => supabase().from('faqs')
  return writeRow<FaqRow>(change, {
    insert: (deleted_at) =>
      table().insert({ id, question, answer, deleted_at }).select(faqColumns).maybeSingle(),
    update: (version, deleted_at) =>
      table()
        .update({ question, answer, deleted_at })
        .eq('id', id)
        .eq('updated_at', version)
        .select(faqColumns)
        .maybeSingle(),
    read: () => table().select(faqColumns).eq('id', id).maybeSingle(),
    recordOf: faqOf,
  })
}

/** Writes a demo in the same way, after uploading a recording that only this browser has. */
export async function writeDemo(change: UnsavedChange): Promise<WriteOutcome> {
  const { id, industry, title, description, audioUrl, seconds = null } = change.record as AudioDemo
  const isDeletion = change.action === 'delete'
  const url = await (isDeletion ? publishedUrl(audioUrl) : uploadDemoAudio(id, audioUrl))
  if (url === undefined) return { kind: 'failed', reason: 'The recording could not be uploaded.' }
  const row = { industry, title, description, audio_url: url, seconds }
  const table = () => supabase().from('audio_demos')
  return writeRow<DemoRow>(change, {
    insert: (deleted_at) =>
      table()
        .insert({ id, ...row, deleted_at })
        .select(demoColumns)
        .maybeSingle(),
    update: (version, deleted_at) =>
      table()
        .update({ ...row, deleted_at })
        .eq('id', id)
        .eq('updated_at', version)
        .select(demoColumns)
        .maybeSingle(),
    read: () => table().select(demoColumns).eq('id', id).maybeSingle(),
    recordOf: demoOf,
  })
}

/** Returns the URL for a tombstone. A recording that was never uploaded has none. */
const publishedUrl = (audioUrl: string): string => (audioUrl.startsWith('data:') ? '/none' : audioUrl)
