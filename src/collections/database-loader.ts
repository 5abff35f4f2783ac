import type { Loader, LoaderContext } from 'astro/loaders'
import { isRecordingUrl } from '#admin/domain/content/admin-data.ts'
import { databaseRows, type DatabaseRows, type DemoRow, type FaqRow } from './database.ts'

type Entry = { data: Record<string, unknown>; body: string }

/** Escapes HTML. Text from the admin's forms is Markdown without HTML. */
const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const last = Number.MAX_SAFE_INTEGER

/** Turns a row into an entry of its collection. `before` is the data of the file with the same id. */
const entryOf = {
  faqs: ({ question, answer }: FaqRow, before: Record<string, unknown> | undefined): Entry => ({
    data: {
      order: before?.order ?? last,
      question,
      also: before?.also,
    },
    body: answer,
  }),
  audio_demos: (row: DemoRow, before: Record<string, unknown> | undefined): Entry => {
    if (!isRecordingUrl(row.audio_url))
      throw new Error(`The demo ${row.id} has no valid address. Nothing was published.`)
    return {
      data: {
        seconds: row.seconds ?? before?.seconds,
        industry: row.industry,
        title: row.title,
        description: row.description || undefined,
        audio: row.audio_url,
      },
      body: row.description,
    }
  },
}

async function applyRows(table: 'faqs' | 'audio_demos', context: LoaderContext): Promise<void> {
  const rows: DatabaseRows = await databaseRows()
  for (const row of rows[table]) {
    if (row.deleted_at !== null) {
      context.store.delete(row.id)
      continue
    }
    const before = context.store.get(row.id)?.data
    const { data, body } =
      table === 'faqs' ? entryOf.faqs(row as FaqRow, before) : entryOf.audio_demos(row as DemoRow, before)
    context.store.set({
      id: row.id,
      data,
      body,
      digest: context.generateDigest({ ...data, body }),
      rendered: await context.renderMarkdown(escapeHtml(body)),
    })
  }
}

/**
 * Loads the files of a folder and replaces entries by the database rows with the same id. A deleted row removes its
 * entry. A dev server shows the files only, because it watches them.
 */
export const withRows = (table: 'faqs' | 'audio_demos', files: Loader): Loader => ({
  name: `${files.name} under ${table}`,
  load: async (context) => {
    await files.load(context)
    if (!context.watcher) await applyRows(table, context)
  },
})

/** Loads the version of every row in this build, by table and id. It tells the admin area what is published. */
export const rowVersions = (): Loader => ({
  name: 'row versions',
  load: async ({ store, watcher }) => {
    store.clear()
    const { faqs, audio_demos } = watcher ? { faqs: [], audio_demos: [] } : await databaseRows()
    const versions = Object.entries({ faqs, audio_demos }).flatMap(([table, rows]) =>
      rows.map(({ id, updated_at }) => [`${table}/${id}`, updated_at] as const),
    )
    // One entry, because Astro warns of an empty collection, and many a site has no rows.
    store.set({ id: 'all', data: { versions: Object.fromEntries(versions) } })
  },
})

/** Loads the admin's settings for the whole site, those that pages show. */
export const siteSettings = (): Loader => ({
  name: 'site settings',
  load: async ({ store, watcher }) => {
    store.clear()
    const [row] = watcher ? [] : (await databaseRows()).site_settings
    const { contact_email: contactEmail = null, maintenance_notice: maintenanceNotice = null } = row ?? {}
    store.set({ id: 'site', data: { contactEmail, maintenanceNotice } })
  },
})
