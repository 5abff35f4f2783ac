import type { Collection, RecordOf } from '#admin/domain/content/admin-data.ts'
import { isPublished } from '#admin/domain/content/site-build.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { badge } from '#platform/domain/variants.ts'

interface Props {
  collection: Collection
  record: RecordOf<Collection>
}

/** A badge on a record that is being saved, is not saved, or is not on the site yet. */
export function ChangeMarks({ collection, record }: Props) {
  const { unsaved, build } = useAdminData()
  const change = unsaved.find((each) => each.collection === collection && each.record.id === record.id)
  if (change?.outcome.kind === 'waiting') return <span className={badge({ tone: 'on' })}>Saving</span>
  if (change) return <span className={badge({ tone: 'bad' })}>Not saved</span>
  if (collection === 'users' || isPublished(build, collection, record)) return null
  return <span className={badge({ tone: 'warn' })}>Not published</span>
}
