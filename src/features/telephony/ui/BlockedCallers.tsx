import { useEffect, useRef, useState } from 'react'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { readBlockedCallers, unblockCaller } from '#telephony/browser/call-settings.ts'
import type { BlockedCaller } from '#telephony/domain/call-settings.ts'
import { lineList, problemLine } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'

/** The callers whom the agent does not answer. */
export function BlockedCallers({ userId }: { userId: string }) {
  const [callers, setCallers] = useState<readonly BlockedCaller[] | 'failed'>()
  const [failed, setFailed] = useState<string>()
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    void readBlockedCallers(userId).then((read) => setCallers(read ?? 'failed'))
  }, [userId])

  async function unblock(number: string): Promise<void> {
    setFailed(undefined)
    if (!(await unblockCaller(userId, number))) return setFailed(number)
    setCallers((known) =>
      Array.isArray(known) ? known.filter(({ phone_number }) => phone_number !== number) : known,
    )
    // The pressed button is gone.
    status.current?.focus({ preventScroll: true })
  }

  return (
    <>
      <p className="text-sm text-ink-2" role="status" tabIndex={-1} ref={status}>
        {callers === undefined
          ? 'Loading'
          : callers === 'failed'
            ? 'We could not load your blocked callers. Check your connection and open this page again.'
            : callers.length === 0
              ? 'Nobody is blocked. You can block a caller in the list of your calls, once you have marked a call as spam.'
              : 'Your agent does not answer these numbers.'}
      </p>
      {Array.isArray(callers) && callers.length > 0 && (
        <ul className={`${lineList} border-t`}>
          {(callers as readonly BlockedCaller[]).map(({ phone_number: number, created_at: at }) => (
            <li key={number}>
              <span>
                <b>{number}</b> <span className="text-sm text-ink-2">since {dayLabel(at)}</span>
              </span>
              <button
                className={button({ kind: 'other', size: 'small' })}
                type="button"
                onClick={() => void unblock(number)}
              >
                Unblock<span className="sr-only"> {number}</span>
              </button>
              {failed === number && (
                <p className={problemLine} role="alert">
                  Still blocked. Check your connection, then try again.
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
