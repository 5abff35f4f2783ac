import { useEffect, useState } from 'react'
import { noteHeard, readDoubtedCalls } from '#calls/browser/calls.ts'
import type { DoubtedCall } from '#calls/domain/calls.ts'
import { dayAndTime } from '#platform/domain/text/dates.ts'
import { frame, gridRow, cell, badge, button } from '#platform/domain/variants.ts'
import { problemLine } from '#platform/domain/app-variants.ts'
import { CallTranscript } from './CallTranscript.tsx'

const nothing = {
  booked: 'said that something is booked, and no booking was made in this call',
  moved: 'said that a booking is moved, and none was moved in this call',
  cancelled: 'said that a booking is cancelled, and none was cancelled in this call',
} as const

/** The calls to which the owner should listen: what the agent said there, and what it did, differ. */
export function DoubtedCalls() {
  const [calls, setCalls] = useState<DoubtedCall[]>([])
  const [isUnsaved, setUnsaved] = useState(false)
  const [now] = useState(Date.now)
  useEffect(() => void readDoubtedCalls().then((read) => setCalls(read ?? [])), [])
  async function heard(id: string): Promise<void> {
    const isNoted = await noteHeard(id, true).catch(() => false)
    setUnsaved(!isNoted)
    if (isNoted) setCalls((all) => all.filter((call) => call.id !== id))
  }
  if (calls.length === 0) return null
  return (
    <section className={frame} aria-labelledby="doubted">
      <div className={gridRow}>
        <div className={cell({ span: 12, class: 'grid gap-3' })}>
          <h2 className="text-h4" id="doubted">
            <span className={badge({ tone: 'bad', class: 'mr-3' })}>Listen</span>
            The agent may have promised something
          </h2>
          <ul className="grid gap-3">
            {calls.map((call) => (
              <Doubted key={call.id} {...call} now={now} onHeard={() => void heard(call.id)} />
            ))}
          </ul>
          {isUnsaved && (
            <p className={problemLine} role="alert">
              Not saved. Check your connection and try again.
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

function Doubted({ now, onHeard, ...call }: DoubtedCall & { now: number; onHeard: () => void }) {
  const { day, time } = dayAndTime(call.started_at, now)
  const who = call.phone_number ?? 'number withheld'
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 border-t pt-3">
      <div className="grid gap-1.5">
        <p>
          <b>
            {day} {time}
          </b>
          , {call.phone_number ? <a href={`tel:${call.phone_number}`}>{who}</a> : who}
          {call.about && `: ${call.about}`}
        </p>
        <p className="text-sm text-ink-2">Your agent {nothing[call.promised]}.</p>
        {call.transcript && (
          <details>
            <summary>Transcript</summary>
            <CallTranscript about={call.about ?? who} transcript={call.transcript} />
          </details>
        )}
      </div>
      <button
        className={button({ kind: 'other', size: 'small' })}
        type="button"
        aria-label={`Heard: ${day} ${time}, ${who}`}
        onClick={onHeard}
      >
        Heard
      </button>
    </li>
  )
}
