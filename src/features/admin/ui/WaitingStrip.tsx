import { useEffect, useState } from 'react'
import { waiting, type Overview } from '#admin/domain/overview.ts'
import { readOverview } from '#admin/browser/overview.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { useAdminData } from './AdminDataProvider.tsx'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

/** Counts what waits for the admin. Each count is a link to the list of what it counts. */
export function WaitingStrip() {
  const { server, rows, unsaved } = useAdminData()
  const [counts, setCounts] = useState<Overview>()
  const isSaved = unsaved.length === 0
  // Read again with the rows, and once a change is saved: it may have been what waited.
  useEffect(
    () => (server === 'online' && isSaved ? takeAnswer(readOverview(), setCounts) : undefined),
    [server, rows, isSaved],
  )

  return (
    <nav className="border-t [box-shadow:0_1px_var(--color-line)]" aria-label="Waiting for you">
      <ul className="grid auto-cols-fr grid-cols-2 overflow-hidden md:grid-cols-4 min-[75rem]:grid-flow-col min-[75rem]:grid-cols-none!">
        {waiting(counts).map(({ key, name, href, count, isWaiting }) => (
          <li className="-mt-px -ml-px border-t border-l" key={key}>
            <a
              className={`group flex lamp h-full min-h-12 items-center gap-2.5 px-pad py-2.5 text-sm/[1.5] no-underline hover:bg-panel ${isWaiting ? 'lamp-lit' : '[--lamp-edge:var(--color-edge)]'}`}
              href={href}
              onClick={followInPage(href)}
            >
              <span className="group-hover:underline">{name}</span> <b className="ml-auto">{count}</b>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
