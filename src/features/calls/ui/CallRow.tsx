import { useId, useState } from 'react'
import { dayAndTime } from '#platform/domain/dates.ts'
import { sentimentNames, sentimentTones, turnsOfCall, type Call } from '#calls/domain/calls.ts'
import { durationLabel } from '#platform/domain/duration.ts'

const kinds = { call: null, test: 'Test, not counted', spam: 'Spam, not counted' }

/** One call. Its transcript opens below it. */
export function CallRow({ call, now }: { call: Call; now: number }) {
  const [isOpen, setOpen] = useState(false)
  const transcriptId = useId()
  const { day, time } = dayAndTime(call.started_at, now)
  const number = call.phone_number ?? 'Number withheld'
  const about = call.about ?? 'No summary'
  return (
    <>
      <tr>
        <td>
          <span className="dim">{day}</span> <b>{time}</b>
        </td>
        <td className="end">{call.direction === 'outbound' ? `To ${number}` : number}</td>
        <td className="full">
          {call.transcript === null ? (
            about
          ) : (
            <button
              className="text"
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? transcriptId : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              {about}
            </button>
          )}
        </td>
        <td>{kinds[call.kind] ?? call.outcome}</td>
        <td className="r end">{durationLabel(call.seconds)}</td>
        <td className="full">
          {call.sentiment && (
            <span className={`badge ${sentimentTones[call.sentiment]}`}>
              {sentimentNames[call.sentiment]}
            </span>
          )}
        </td>
      </tr>
      {isOpen && call.transcript !== null && (
        <tr className="said" id={transcriptId}>
          <td colSpan={6} className="full">
            <ol aria-label={`What was said: ${about}`}>
              {turnsOfCall(call.transcript).map((turn, index) => (
                <li key={index}>
                  <b className="label">{'who' in turn && turn.who}</b>
                  <span>{turn.words}</span>
                </li>
              ))}
            </ol>
          </td>
        </tr>
      )}
    </>
  )
}
