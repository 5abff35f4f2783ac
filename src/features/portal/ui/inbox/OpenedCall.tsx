import { useEffect, useRef, useState } from 'react'
import { Reach } from '#agent/ui/Reach.tsx'
import { $forgotten } from '#calls/browser/callers-data.ts'
import { readCall } from '#calls/browser/calls.ts'
import { aboutOf, noNumber, type ListedCall } from '#calls/domain/calls.ts'
import { CallDetails } from '#calls/ui/CallDetails.tsx'
import type { CallRowActions } from '#calls/ui/CallMarks.tsx'
import { routes } from '#platform/domain/routes.ts'
import { dayAndTime } from '#platform/domain/text/dates.ts'
import { durationLabel } from '#platform/domain/text/duration.ts'
import { problemLine, titleRow } from '#platform/domain/app-variants.ts'
import { button, frame, textButton } from '#platform/domain/variants.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'

type Read = { status: 'loading' } | { status: 'failed' } | { status: 'read'; call: ListedCall | null }

interface Props {
  id: string
  actions: CallRowActions
}

/** The call to which a link has led. */
export function OpenedCall({ id, actions }: Props) {
  const [read, setRead] = useState<Read>({ status: 'loading' })
  const [tries, setTries] = useState(1)
  const [now] = useState(Date.now)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    let isGone = false
    void readCall(id)
      .catch(() => undefined)
      .then((call) => {
        if (!isGone) setRead(call === undefined ? { status: 'failed' } : { status: 'read', call })
      })
    return () => void (isGone = true)
  }, [id, tries])
  const isThere = read.status === 'read'
  useEffect(() => {
    if (isThere) heading.current?.focus()
  }, [isThere])
  const again = (): void => setTries((before) => before + 1)
  useEffect(() => $forgotten.listen(again), [])

  const call = read.status === 'read' ? read.call : null
  const at = call && dayAndTime(call.started_at, now)
  return (
    <section className={`${frame} grid gap-3 p-pad`} aria-labelledby="opened-call">
      <div className={titleRow}>
        <h2 className="text-h4" id="opened-call" ref={heading} tabIndex={-1}>
          {call ? aboutOf(call) : 'Call'}
        </h2>
        <a
          className={textButton({ size: 'small' })}
          href={routes.portal}
          onClick={(event) => {
            followInPage(routes.portal)(event)
            document.getElementById('inbox')?.focus({ preventScroll: true })
          }}
        >
          Close the call
        </a>
      </div>
      {read.status === 'loading' && <p role="status">Loading</p>}
      {read.status === 'failed' && (
        <div className={titleRow} role="alert">
          <p className={problemLine}>We could not load this call. Check your connection and try again.</p>
          <button className={button({ kind: 'other', size: 'small' })} type="button" onClick={again}>
            Try again
          </button>
        </div>
      )}
      {read.status === 'read' && !call && (
        <p role="status">This call is not in your log. It was removed, or it belongs to another account.</p>
      )}
      {call && at && (
        <>
          <p className="flex flex-wrap items-center gap-x-5">
            <Reach phone={call.phone_number} none={noNumber(call)} />
            <span>
              {at.day} {at.time}, {durationLabel(call.seconds)}
            </span>
            {call.outcome !== null && <span>{call.outcome}</span>}
          </p>
          <CallDetails
            call={call}
            about={aboutOf(call)}
            actions={{
              ...actions,
              mark: async (...mark) => {
                const marked = await actions.mark(...mark)
                again()
                return marked
              },
              unmark: async (unmarked) => {
                const minutes = await actions.unmark(unmarked)
                again()
                return minutes
              },
            }}
          />
        </>
      )}
    </section>
  )
}
