import { useId, useState } from 'react'
import { dayAndTime } from '#platform/domain/text/dates.ts'
import {
  aboutOf,
  limitNames,
  noNumber,
  sentimentNames,
  sentimentTones,
  type ListedCall,
} from '#calls/domain/calls.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { telHref } from '#platform/domain/text/tel-href.ts'
import type { CallRowActions } from './CallMarks.tsx'
import { onDemand, useWritten } from '#platform/ui/onDemand.tsx'
import { badge, textButton } from '#platform/domain/variants.ts'

const CallDetails = onDemand(async () => (await import('./CallDetails.tsx')).CallDetails, <p>Loading</p>)

const kinds = { test: 'Test', spam: 'Spam' }
/** As large as a thumb, with little more room than its lines have. */
const inLine = '-my-2.5 py-3.5 font-normal!'
const costOf = (minutes: number): string => (minutes === 0 ? 'not counted' : `${minutes} min counted`)

interface Props {
  call: ListedCall
  /** Milliseconds since 1970. */
  now: number
  actions: CallRowActions
}

/** One call. Its recording, its transcript and what a customer can do with it open below it. */
export function CallRow({ call, now, actions }: Props) {
  const [isOpen, setOpen] = useState(false)
  const detailsId = useId()
  const { day, time } = dayAndTime(call.started_at, now)
  const about = aboutOf(call)
  const written = useWritten(call.phone_number, actions.formatNumber)
  return (
    <>
      <tr>
        <td>
          <span className="text-ink-2">{day}</span> <b>{time}</b>
        </td>
        <td className="max-md:justify-self-end">
          {call.phone_number === null ? (
            noNumber(call)
          ) : (
            <>
              {call.direction === 'outbound' && 'To '}
              <a className={textButton({ class: inLine })} href={telHref(call.phone_number)}>
                {written}
              </a>
            </>
          )}
        </td>
        <td className="max-md:col-span-full">
          <button
            className={textButton({ class: `${inLine} text-left` })}
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {about}
          </button>
        </td>
        <td>
          {call.kind === 'call' ? call.outcome : `${kinds[call.kind]}, ${costOf(call.minutes)}`}
          {call.limited_by && <div className="text-sm text-ink-2">{limitNames[call.limited_by]}</div>}
        </td>
        <td className="text-right max-md:justify-self-end">{durationLabel(call.seconds)}</td>
        <td className="max-md:col-span-full">
          {call.sentiment && (
            <span className={badge({ tone: sentimentTones[call.sentiment] })}>
              {sentimentNames[call.sentiment]}
            </span>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr id={detailsId}>
          <td colSpan={6} className="max-md:col-span-full">
            <CallDetails call={call} about={about} actions={actions} />
          </td>
        </tr>
      )}
    </>
  )
}
