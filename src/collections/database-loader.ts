import type { Loader, LoaderContext } from 'astro/loaders'
import { databaseRows, type DatabaseRows, type DemoRow, type FaqRow } from './database.ts'

type Entry = { data: Record<string, unknown>; body: string }

/** Text that was typed into a form is Markdown, but no HTML. */
const plain = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const last = Number.MAX_SAFE_INTEGER

/** A row as an entry of its collection; `before` is what the file of the same id holds. */
const entryOf = {
  faqs: ({ question, answer }: FaqRow, before: Record<string, unknown> | undefined): Entry => ({
    data: {
      order: before?.order ?? last,
      question,
      ...(before?.also !== undefined && { also: before.also }),
    },
    body: answer,
  }),
  audio_demos: (row: DemoRow, before: Record<string, unknown> | undefined): Entry => ({
    data: {
      seconds: row.seconds ?? before?.seconds,
      industry: row.industry,
      title: row.title,
      ...(row.description && { description: row.description }),
      audio: row.audio_url,
    },
    body: row.description,
  }),
}

async function lay(table: 'faqs' | 'audio_demos', context: LoaderContext): Promise<void> {
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
      rendered: await context.renderMarkdown(plain(body)),
    })
  }
}

/**
 * Lays the database's rows over a folder's files by id; a row that is deleted takes the file's entry away. A dev
 * server, which watches the files, shows the files.
 */
export const withRows = (table: 'faqs' | 'audio_demos', files: Loader): Loader => ({
  name: `${files.name} under ${table}`,
  load: async (context) => {
    await files.load(context)
    if (!context.watcher) await lay(table, context)
  },
})

/** The version of every row that went into the build, by table and id: what is published. */
export const rowVersions = (): Loader => ({
  name: 'row versions',
  load: async ({ store, watcher }) => {
    store.clear()
    if (watcher) return
    const { faqs, audio_demos } = await databaseRows()
    for (const [table, rows] of Object.entries({ faqs, audio_demos }))
      for (const row of rows) store.set({ id: `${table}/${row.id}`, data: { version: row.updated_at } })
  },
})

/** What the admin has set for the whole site, as far as pages show it. */
export const siteSettings = (): Loader => ({
  name: 'site settings',
  load: async ({ store, watcher }) => {
    store.clear()
    const [row] = watcher ? [] : (await databaseRows()).site_settings
    const { contact_email: contactEmail = null, maintenance_notice: maintenanceNotice = null } = row ?? {}
    store.set({ id: 'site', data: { contactEmail, maintenanceNotice } })
  },
})
