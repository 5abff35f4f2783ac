import { useState } from 'react'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { changedStatus, consequences } from '#admin/domain/status-change.ts'
import { noteMaxLength } from '#admin/domain/users.ts'
import { textProblem } from '#platform/domain/text/typed-text.ts'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'

interface Props {
  user: AdminUser
  /** Receives what was typed as the reason; undefined if nothing was. */
  onConfirm: (reason: string | undefined) => void
  onCancel: () => void
}

/** Says what Block or Activate does, and asks. */
export function ConfirmStatus({ user, onConfirm, onCancel }: Props) {
  const isBlock = changedStatus(user) === 'blocked'
  const action = isBlock ? 'Block' : 'Activate'
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      title={`${action} this account?`}
      action={action}
      isHarmless={!isBlock}
      onConfirm={() => {
        if (textProblem(reason, noteMaxLength) === undefined) onConfirm(reason.trim() || undefined)
      }}
      onCancel={onCancel}
    >
      <p className="wrap-anywhere">
        <b>{user.email}</b>
      </p>
      <div className="mt-4">
        <FormField
          id="reason"
          label="Reason"
          hint="Only admins read it. You can leave it empty."
          rows={2}
          longest={noteMaxLength}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      <dl className="mt-4 text-sm">
        {consequences(user).map(([term, text]) => (
          <div className="grid gap-x-3 gap-y-0.5 border-t py-2.5 md:grid-cols-[7rem_1fr]" key={term}>
            <dt className="font-semibold">{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </ConfirmDialog>
  )
}
