import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { changedStatus, consequences } from '#admin/domain/status-change.ts'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'

interface Props {
  user: AdminUser
  onConfirm: () => void
  onCancel: () => void
}

/** Says what Block or Activate does, and asks. */
export function ConfirmStatus({ user, onConfirm, onCancel }: Props) {
  const isBlock = changedStatus(user) === 'blocked'
  const action = isBlock ? 'Block' : 'Activate'
  return (
    <ConfirmDialog
      title={`${action} this account?`}
      action={action}
      isHarmless={!isBlock}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p className="wrap-anywhere">
        <b>{user.email}</b>
      </p>
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
