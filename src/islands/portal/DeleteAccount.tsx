import { useId, useRef, useState } from 'react'
import { normalizeEmail } from '#domain/email.ts'
import { deleteAccount } from '#clients/delete-account.ts'
import { ConfirmDialog } from '../panel/ConfirmDialog.tsx'

interface Props {
  email: string
  onDeleted: () => void
}

type State = { step: 'closed' } | { step: 'asking'; problem?: string } | { step: 'deleting' }

/** Deletes the account, once its e-mail was typed again. */
export function DeleteAccount({ email, onDeleted }: Props) {
  const [state, setState] = useState<State>({ step: 'closed' })
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  async function confirm(): Promise<void> {
    const typed = field.current?.value ?? ''
    if (normalizeEmail(typed) !== normalizeEmail(email)) {
      setState({ step: 'asking', problem: `Type ${email} to delete this account.` })
      return field.current?.focus()
    }
    setState({ step: 'deleting' })
    const answer = await deleteAccount(typed)
    if (answer.ok) return onDeleted()
    setState({ step: 'asking', problem: answer.failure.message })
  }

  const isDeleting = state.step === 'deleting'
  const problem = state.step === 'asking' ? state.problem : undefined
  return (
    <div className="tall stack">
      <h2 className="h4">Delete your account</h2>
      <p className="dim">Ends your subscription and removes what we keep of you. It cannot be undone.</p>
      <button className="btn two" type="button" onClick={() => setState({ step: 'asking' })}>
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
          <div className="stack">
            <p>
              Your subscription ends now, without a refund, and your agent stops answering. Your voice sample,
              your settings and your minutes are removed. Your invoices stay with our payment provider.
            </p>
            <div className="field">
              <label htmlFor={id}>Type {email} to confirm</label>
              <input
                ref={field}
                className="input"
                id={id}
                type="email"
                autoComplete="off"
                readOnly={isDeleting}
                aria-invalid={problem !== undefined}
                aria-describedby={`${id}-problem`}
              />
              <p className="err" id={`${id}-problem`} role="alert">
                {problem}
              </p>
            </div>
          </div>
        </ConfirmDialog>
      )}
    </div>
  )
}
