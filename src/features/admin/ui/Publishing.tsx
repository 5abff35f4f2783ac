import { grouped } from '#platform/domain/text/numbers.ts'
import { useEffect } from 'react'
import { useStore } from '@nanostores/react'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { unpublishedChanges } from '#admin/domain/content/site-build.ts'
import { $publication, startPublication } from '#admin/browser/content/publication.ts'
import { useAdminData } from './AdminDataProvider.tsx'
import { quoted } from './lists/variants.ts'
import { notice, noticeRow } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'

/** Counts the unpublished changes, and publishes them. */
export function Publishing() {
  const { build, rows, settings, unsaved, reload } = useAdminData()
  const publication = useStore($publication)
  const { status } = publication
  useEffect(() => {
    if (status === 'published') void reload()
  }, [status, reload])

  const behind = build ? unpublishedChanges(build, rows, settings) : 0
  const isBusy = status === 'requesting' || status === 'building'
  if (behind === 0 && !isBusy && status !== 'failed' && status !== 'published') return null
  return (
    <section className={notice}>
      <div className={noticeRow}>
        <div>
          <div role="status">
            <h2 className="text-h4">
              {isBusy
                ? 'Publishing'
                : status === 'failed'
                  ? 'Not published'
                  : behind > 0
                    ? `${grouped(behind)} ${behind === 1 ? 'change is' : 'changes are'} not on the site yet`
                    : 'Published'}
            </h2>
          </div>
          <p className="mt-3 text-sm text-ink-2">
            {publication.status === 'building'
              ? `The site is being built, ${publication.seconds} s so far. You can keep working.`
              : publication.status === 'failed'
                ? publication.reason
                : behind > 0
                  ? unsaved.length > 0
                    ? 'What is not saved to the server is not published.'
                    : `Visitors see ${behind === 1 ? 'it' : 'them'} once you publish.`
                  : `The site shows everything. Built on ${dayLabel(build?.builtAt ?? null) ?? 'an unknown day'}.`}
          </p>
          {publication.status === 'failed' && publication.problem && (
            <p className={`${quoted} mt-3 text-sm wrap-anywhere whitespace-pre-line`}>
              {publication.problem}
            </p>
          )}
        </div>
        {(behind > 0 || status === 'failed' || isBusy) && (
          <button
            className={button({ size: 'small' })}
            type="button"
            aria-disabled={isBusy}
            onClick={() => void startPublication()}
          >
            {isBusy ? 'Publishing...' : 'Publish'}
          </button>
        )}
      </div>
    </section>
  )
}
