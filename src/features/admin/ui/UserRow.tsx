import { grouped } from '#platform/domain/numbers.ts'
import type { AdminUser } from '#admin/domain/admin-data.ts'
import { planName } from '#plans/domain/plans.ts'
import { statusTone } from '#billing/domain/status.ts'
import { useAdminData } from './AdminDataProvider.tsx'
import { ChangeMarks } from './ChangeMarks.tsx'

/** One account. An active one can be blocked, any other can be activated (specification, section 4). */
export function UserRow({ user }: { user: AdminUser }) {
  const { updateUser } = useAdminData()
  const { id, email, plan, subscriptionStatus: status, minutesUsed, minutesLimit } = user
  const isActive = status === 'active'
  return (
    <tr>
      <td className="full">
        <b className="break">{email}</b>
      </td>
      <td>{plan === null ? 'No plan' : planName(plan)}</td>
      <td className="r end nw">{plan !== null && `${grouped(minutesUsed)} / ${grouped(minutesLimit)}`}</td>
      <td>
        <span className="marks">
          {status === null ? (
            <span className="badge">no subscription</span>
          ) : (
            <span className={`badge ${statusTone(status)}`}>{status}</span>
          )}
          <ChangeMarks collection="users" record={user} />
        </span>
      </td>
      <td className="r end">
        <button
          className="btn two small"
          type="button"
          aria-label={`${isActive ? 'Block' : 'Activate'} ${email}`}
          onClick={({ detail }) => {
            // The second click of a double click would undo the first.
            if (detail < 2) updateUser(id, { subscriptionStatus: isActive ? 'blocked' : 'active' })
          }}
        >
          {isActive ? 'Block' : 'Activate'}
        </button>
      </td>
    </tr>
  )
}
