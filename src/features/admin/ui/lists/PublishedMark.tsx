import { unpublishedChanges } from '#admin/domain/content/site-build.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { badge } from '#platform/domain/variants.ts'

/** Says that visitors see everything as it is here. What is not published yet is counted above the tabs (Publishing). */
export function PublishedMark() {
  const { server, build, rows, settings, unsaved } = useAdminData()
  if (server !== 'online' || unsaved.length > 0 || unpublishedChanges(build, rows, settings) > 0) return null
  return <span className={badge({ tone: 'ok' })}>Published</span>
}
