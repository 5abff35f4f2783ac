import { useId, useRef, useState } from 'react'
import { normalizeEmail } from '#platform/domain/text/email.ts'
import { deleteAccount } from '#portal/browser/delete-account.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { WaitingPackages } from '#billing/ui/WaitingPackages.tsx'
import { fieldGrid, fieldLabel, inputBox, problemLine, stack } from '#platform/domain/app-variants.ts'
import { button, cell } from '#platform/domain/variants.ts'

interface Props {
  email: string
  onDeleted: () => void
}

type State =
  { step: 'closed' } | { step: 'confirming'; problem?: string; isMismatch?: boolean } | { step: 'deleting' }

/** Deletes the account once the customer has typed its e-mail address again. */
export function DeleteAccount({ email, onDeleted }: Props) {
  const [state, setState] = useState<State>({ step: 'closed' })
  const field = useRef<HTMLInputElement>(null)
  // A request was sent, and its answer did not arrive.
  const wasLost = useRef(false)
  const id = useId()

  const askAgain = (problem: string, isMismatch = false): void => {
    setState({ step: 'confirming', problem, isMismatch })
    field.current?.focus()
  }

  async function confirm(): Promise<void> {
    const typed = field.current?.value ?? ''
    if (normalizeEmail(typed) !== normalizeEmail(email))
      return askAgain(`Type ${email} to delete this account.`, true)
    setState({ step: 'deleting' })
    const answer = await deleteAccount(typed)
    if (answer.ok) return onDeleted()
    // The lost request did delete the account, so its session is not valid any more.
    if (wasLost.current && answer.failure.code === 'unauthorized') return onDeleted()
    wasLost.current ||= !answer.failure.answered
    askAgain(answer.failure.message)
  }

  const isDeleting = state.step === 'deleting'
  const { problem, isMismatch = false } = state.step === 'confirming' ? state : {}
  return (
    <div className={cell({ room: 'tall', class: stack })}>
      <h2 className="text-h4">Delete your account</h2>
      <p className="text-ink-2">
        Ends your subscription and removes your account with its settings, minutes, calls, bookings and voice
        sample. It cannot be undone.
      </p>
      <button
        className={button({ kind: 'other' })}
        type="button"
        onClick={() => setState({ step: 'confirming' })}
      >
        Delete account
      </button>
      {state.step !== 'closed' && (
        <ConfirmDialog
          title="Delete your account?"
          action={isDeleting ? 'Deleting...' : 'Delete account'}
          isBusy={isDeleting}
          onCancel={() => setState({ step: 'closed' })}
          onConfirm={() => void confirm()}
        >
          <div className={stack}>
            <p>
              Your subscription ends now, without a refund, and your agent stops answering. Your voice sample,
              your settings, your minutes, your calls and your bookings are removed. Your invoices stay with
              our payment provider.
            </p>
            <WaitingPackages />
            <div className={fieldGrid}>
              <label className={fieldLabel} htmlFor={id}>
                Type {email} to confirm
              </label>
              <input
                ref={field}
                className={inputBox()}
                id={id}
                type="email"
                autoComplete="off"
                readOnly={isDeleting}
                aria-invalid={isMismatch}
                aria-describedby={problem && `${id}-problem`}
              />
              {problem && (
                <p className={problemLine} id={`${id}-problem`} role="alert">
                  {problem}
                </p>
              )}
            </div>
          </div>
        </ConfirmDialog>
      )}
    </div>
  )
}
