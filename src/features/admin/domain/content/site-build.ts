import * as z from 'zod/mini'
import { audioDemo, faqEntry, rowName, type ContentCollection, type RecordOf } from './admin-data.ts'

/** The settings that the site's pages show. Null means the brand's own address, or no notice. */
const shownSettings = z.object({
  contactEmail: z.nullable(z.string()),
  maintenanceNotice: z.nullable(z.string()),
})
export type ShownSettings = z.infer<typeof shownSettings>

/**
 * The content of `/build.json`: the published FAQs and demos, and the version of every database row that they were
 * built from, tombstones included (`faqs/<id>`, `audio_demos/<id>`).
 */
export const siteBuild = z.object({
  /** ISO 8601. */
  builtAt: z.string(),
  faqs: z.array(faqEntry),
  demos: z.array(audioDemo),
  settings: shownSettings,
  rows: z.record(z.string(), z.string()),
})
export type SiteBuild = z.infer<typeof siteBuild>

/** Tells whether the site shows this version of a record. A record that never had a row comes from the site's files. */
export function isPublished(
  build: SiteBuild,
  collection: ContentCollection,
  { id, updatedAt }: Pick<RecordOf<'faqs'>, 'id' | 'updatedAt'>,
): boolean {
  return updatedAt === undefined
    ? build[collection].some((each) => each.id === id)
    : build.rows[rowName(collection, id)] === updatedAt
}

/** Counts the changes that are not on the site yet: changed and deleted rows, and the settings. */
export function unpublishedChanges(
  build: SiteBuild,
  rows: Readonly<Record<string, string>>,
  settings: ShownSettings | undefined,
): number {
  const changed = Object.keys(rows).filter((key) => rows[key] !== build.rows[key]).length
  const isSet =
    settings === undefined ||
    (settings.contactEmail === build.settings.contactEmail &&
      settings.maintenanceNotice === build.settings.maintenanceNotice)
  return changed + (isSet ? 0 : 1)
}
