import { useEffect, useState } from 'react'
import { waiting, type Overview } from '#admin/domain/overview.ts'
import { readOverview } from '#admin/browser/overview.ts'
import { followInPage } from '#platform/ui/useTab.ts'
import { useAdminData } from './AdminDataProvider.tsx'

/** Counts what waits for the admin. Each count is a link to the list of what it counts. */
export function WaitingStrip() {
  const { server, rows, unsaved } = useAdminData()
  const [counts, setCounts] = useState<Overview>()
  const isSaved = unsaved.length === 0
  // Read again with the rows, and once a change is saved: it may have been what waited.
  useEffect(() => {
    let isStale = false
    if (server === 'online' && isSaved)
      void readOverview().then((overview) => {
        if (!isStale) setCounts(overview)
      })
    return () => {
      isStale = true
    }
  }, [server, rows, isSaved])

  return (
    <nav className="rule waits" aria-label="Waiting for you">
      <ul>
        {waiting(counts).map(({ key, name, href, count, isWaiting }) => (
          <li key={key}>
            <a
              className={isWaiting ? 'lamp lamp-lit' : 'lamp [--lamp-edge:var(--color-edge)]'}
              href={href}
              onClick={href.startsWith('#') ? undefined : followInPage(href)}
            >
              <span>{name}</span> <b>{count}</b>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
