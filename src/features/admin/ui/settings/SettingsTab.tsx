import { useEffect, useState } from 'react'
import { readAuditLog } from '#admin/browser/content/records.ts'
import { readSiteSettings, type SiteSettings } from '#admin/browser/content/site-settings.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { auditColumns, AuditLineRow } from './AuditLineRow.tsx'
import { Backups } from './Backups.tsx'
import { FixedLimits } from './FixedLimits.tsx'
import { JumpLinks } from '#admin/ui/lists/JumpLinks.tsx'
import { NoAnswer } from '#admin/ui/lists/NoAnswer.tsx'
import { PublishedMark } from '#admin/ui/lists/PublishedMark.tsx'
import { RecordTable } from '#admin/ui/lists/RecordTable.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { fillFrame, skeleton } from '#platform/domain/app-variants.ts'
import { cell, gridRow } from '#platform/domain/variants.ts'
import { takeAnswer } from '#platform/ui/hooks/take-answer.ts'

type Loaded = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; settings: SiteSettings }

const auditLog = { id: 'audit-log', name: 'Audit log' }
const parts = [
  { id: 'site', name: 'The site' },
  { id: 'limits', name: 'Limits in force' },
  { id: 'copies', name: 'Exports and backups' },
  auditLog,
]

/** The site's settings, exports and backups, and the audit log. */
export function SettingsTab() {
  const { reload } = useAdminData()
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const [saved, setSaved] = useState(0)
  useEffect(
    () =>
      takeAnswer(readSiteSettings(), (settings) =>
        setLoaded(settings ? { status: 'ready', settings } : { status: 'failed' }),
      ),
    [attempt],
  )

  const bucket = loaded.status === 'ready' ? loaded.settings.backupBucket : null
  return (
    <section>
      <div className={fillFrame}>
        <TabHead name="Settings" mark={<PublishedMark />} />
        <JumpLinks tab="settings" parts={parts} />
        <div className={`${gridRow} border-t`}>
          <div className={cell({ span: 8, class: 'grid content-start gap-4' })}>
            <h2 className="text-h4" id="site" tabIndex={-1}>
              The site
            </h2>
            {loaded.status === 'loading' && (
              <div className={skeleton({ size: 'block' })} role="status" aria-label="Loading" />
            )}
            {loaded.status === 'failed' && (
              <NoAnswer
                of="the settings"
                onRetry={() => {
                  setLoaded({ status: 'loading' })
                  setAttempt(attempt + 1)
                }}
              />
            )}
            {loaded.status === 'ready' && (
              <SettingsForm
                settings={loaded.settings}
                onSaved={(settings) => {
                  setLoaded({ status: 'ready', settings })
                  setSaved(saved + 1)
                  void reload()
                }}
              />
            )}
          </div>
          <FixedLimits />
        </div>
        <Backups bucket={bucket} />
        <RecordTable
          part={auditLog}
          version={saved}
          empty="Nothing has been changed yet. Every change appears here, with who made it."
          columns={auditColumns}
          read={readAuditLog}
          row={(line) => <AuditLineRow key={line.id} line={line} />}
        />
      </div>
    </section>
  )
}
