import { useEffect, useState } from 'react'
import { readRetention, saveKeepDays } from '#calls/browser/callers-data.ts'
import { keepDays, type KeepDays as Days, type Retention } from '#calls/domain/retention.ts'
import { formGrid, problemLine, stack } from '#platform/domain/app-variants.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { cell } from '#platform/domain/variants.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'

const options = keepDays.map((days) => [String(days), `${days} days`] as const)

/** Chooses after how many days what callers have said and left is deleted. Fewer days are asked about first. */
export function KeepDays({ userId }: { userId: string }) {
  const [retention, setRetention] = useState<Retention | null>(null)
  const [asked, setAsked] = useState<Days | null>(null)
  const [outcome, setOutcome] = useState<'' | 'saving' | 'saved' | 'failed'>('')
  useEffect(() => {
    void readRetention(userId).then((read) => (read ? setRetention(read) : setOutcome('failed')))
  }, [userId])

  async function save(days: Days): Promise<void> {
    setOutcome('saving')
    const isSaved = await saveKeepDays(userId, days)
    setAsked(null)
    setOutcome(isSaved ? 'saved' : 'failed')
    if (isSaved) setRetention((before) => before && { ...before, keepDays: days })
  }
  function choose(value: string): void {
    const days = keepDays.find((each) => String(each) === value)
    if (!days || !retention || outcome === 'saving') return
    if (days < retention.keepDays) setAsked(days)
    else void save(days)
  }

  const begins = retention?.beginsAt ? dayLabel(new Date(retention.beginsAt).toISOString()) : null
  return (
    <div className={cell({ span: 8, room: 'tall', class: stack })}>
      <h2 className="text-h4">What callers leave</h2>
      {retention && (
        <div className={formGrid}>
          <SelectInput
            label="Delete it after"
            value={String(retention.keepDays)}
            options={options}
            onChange={choose}
            hint="Transcripts, summaries, numbers, messages and past bookings are deleted then, here and at our voice provider, recordings after 90 days at the latest; time, length and minutes of each call stay for your bill."
          />
        </div>
      )}
      {begins && <p className="text-ink-2">Nothing is deleted before {begins}: until now, all was kept.</p>}
      <p
        className={outcome === 'failed' ? problemLine : 'text-sm'}
        role={outcome === 'failed' ? 'alert' : 'status'}
      >
        {outcome === 'saved' && 'Saved'}
        {outcome === 'failed' &&
          (retention
            ? 'Not saved. Check your connection and try again.'
            : 'We could not read how long it is kept. Load the page again.')}
      </p>
      {asked && (
        <ConfirmDialog
          title={`Delete what is older than ${asked} days?`}
          action="Delete it"
          isBusy={outcome === 'saving'}
          onCancel={() => setAsked(null)}
          onConfirm={() => void save(asked)}
        >
          <p>
            What callers said and left more than {asked} days ago is deleted within minutes
            {begins && `, from ${begins} on`}, and nobody can bring it back. Export your data first if you
            want to keep it.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
