import { useState } from 'react'
import { grouped } from '#platform/domain/numbers.ts'
import type { AdminUser } from '#admin/domain/admin-data.ts'
import { changedStatus, statusBadge } from '#admin/domain/status-change.ts'
import { planName } from '#plans/domain/plans.ts'
import { useAdminData } from './AdminDataProvider.tsx'
import { ChangeMarks } from './ChangeMarks.tsx'
import { ConfirmStatus } from './ConfirmStatus.tsx'

/** One account. An active one can be blocked, any other can be activated (specification, section 4). */
export function UserRow({ user }: { user: AdminUser }) {
  const { updateUser } = useAdminData()
  const { id, email, plan, subscriptionStatus: status, minutesUsed, minutesLimit } = user
  const [isAsked, setAsked] = useState(false)
  const action = changedStatus(user) === 'blocked' ? 'Block' : 'Activate'
  const badge = status === null ? null : statusBadge(status, user.billingStatus)
  return (
    <tr>
      <td className="full">
        <b className="break">{email}</b>
      </td>
      <td>{plan === null ? 'No plan' : planName(plan)}</td>
      <td className="r end nw">{plan !== null && `${grouped(minutesUsed)} / ${grouped(minutesLimit)}`}</td>
      <td>
        <span className="marks">
          {badge === null ? (
            <span className="badge">no subscription</span>
          ) : (
            <span className={`badge ${badge.tone}`}>
              {status} {badge.more}
            </span>
          )}
          <ChangeMarks collection="users" record={user} />
        </span>
      </td>
      <td className="r end">
        <button
          className="btn two small"
          type="button"
          aria-label={`${action} ${email}`}
          onClick={() => setAsked(true)}
        >
          {action}
        </button>
        {isAsked && (
          <ConfirmStatus
            user={user}
            onCancel={() => setAsked(false)}
            onConfirm={() => {
              setAsked(false)
              updateUser(id, { subscriptionStatus: changedStatus(user) })
            }}
          />
        )}
      </td>
    </tr>
  )
}
