import { useState } from 'react'
import { inviteMe } from '#connections/browser/connections.ts'
import { formGrid, problemLine } from '#platform/domain/app-variants.ts'
import { button } from '#platform/domain/variants.ts'
import { notDone } from './useAction.ts'

/** Has bookings go to the account's own address as invitations. */
export function Invitations({ onChange }: { onChange: () => void }) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function invite(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    const made = await inviteMe().catch(() => undefined)
    setBusy(false)
    if (made) return onChange()
    setProblem(made === null ? 'Confirm your email address first: the email about it has the link.' : notDone)
  }

  return (
    <div className={formGrid}>
      <p className="text-sm text-ink-2">
        What you change or decline in such an entry is not read: move or cancel the booking here.
      </p>
      <button
        className={button({ kind: 'other' })}
        type="button"
        aria-disabled={isBusy}
        onClick={() => void invite()}
      >
        {isBusy ? 'Switching on...' : 'Send invitations'}
      </button>
      {problem && (
        <p className={problemLine} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
