import { rowName, type ContentCollection, type RecordOf } from './admin-data.ts'
import type { ShownSettings, SiteBuild } from './site-build.ts'

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
