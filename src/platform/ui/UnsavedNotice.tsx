import type { ReactNode } from 'react'
import { useStore } from '@nanostores/react'
import { $shown, $unsaved, retryUnsaved } from '#platform/browser/storage/unsaved.ts'
import { button } from '#platform/domain/variants.ts'
import { buttonRow } from '#platform/domain/app-variants.ts'
import { Notice } from './Notice.tsx'

/**
 * Says what was typed and is not saved, if it is not shown at its place now.
 * @param props.leadTo links to the places where it is shown; undefined is the usual one
 */
export function UnsavedNotice({ leadTo }: { leadTo?: (place: string | undefined) => ReactNode }) {
  const shown = useStore($shown)
  const stuck = [...useStore($unsaved)].filter(([name, { isStuck }]) => isStuck && !shown.has(name))
  if (stuck.length === 0) return null
  return (
    <Notice
      role="alert"
      title={`Not saved: ${stuck.map(([, { label }]) => label).join(', ')}`}
      text={<p>It is kept as long as this page is open.</p>}
    >
      <div className={buttonRow}>
        {[...new Set(stuck.map(([, { place }]) => place))].map((place) => leadTo?.(place))}
        {stuck.some(([, { retry }]) => retry) && (
          <button className={button({ kind: 'other', size: 'small' })} type="button" onClick={retryUnsaved}>
            Try again
          </button>
        )}
      </div>
    </Notice>
  )
}
