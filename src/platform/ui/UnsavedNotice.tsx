import type { ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import { $shown, $unsaved, retryUnsaved } from '#platform/browser/storage/unsaved.ts'
import { button } from '#platform/domain/variants.ts'
import { notice, noticeRow } from '#platform/domain/app-variants.ts'

/** Says what was typed and is not saved, if it is not shown at its place now. */
export function UnsavedNotice({ children }: { children?: ReactNode }) {
  const shown = useStore($shown)
  const stuck = [...useStore($unsaved)].filter(([name, { isStuck }]) => isStuck && !shown.has(name))
  if (stuck.length === 0) return null
  return (
    <section className={notice} role="alert">
      <div className={noticeRow}>
        <div>
          <h2 className="text-h4">Not saved: {stuck.map(([, { label }]) => label).join(', ')}</h2>
          <p className="mt-3 text-sm text-ink-2">It is kept as long as this page is open.</p>
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          {children}
          {stuck.some(([, { retry }]) => retry) && (
            <button className={button({ kind: 'other', size: 'small' })} type="button" onClick={retryUnsaved}>
              Try again
            </button>
          )}
        </div>
      </div>
    </section>
  )
}
