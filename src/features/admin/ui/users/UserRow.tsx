import { grouped } from '#platform/domain/text/numbers.ts'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { changedStatus, statusBadge } from '#admin/domain/status-change.ts'
import { userPath } from '#admin/domain/users.ts'
import { dayLabel } from '#platform/domain/text/dates.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { planName } from '#plans/domain/plans.ts'
import { ChangeMarks } from '#admin/ui/lists/ChangeMarks.tsx'
import { badge, button } from '#platform/domain/variants.ts'
import { recordCell } from '#admin/ui/lists/variants.ts'

interface Props {
  user: AdminUser
  /** Asks whether to block or activate the account. */
  onAsk: () => void
}

/** One account. An active one can be blocked, any other can be activated (specification, section 4), but no admin's own. */
export function UserRow({ user, onAsk }: Props) {
  const { email, business, plan, subscriptionStatus: status, minutesUsed, minutesLimit, createdAt } = user
  const action = changedStatus(user) === 'blocked' ? 'Block' : 'Activate'
  const state = status === null ? null : statusBadge(status, user.billingStatus)
  return (
    <tr>
      <td className={recordCell.wide}>
        <a
          className="font-semibold wrap-anywhere"
          href={userPath(user.id)}
          onClick={followInPage(userPath(user.id))}
        >
          {email}
        </a>
      </td>
      <td className={`${recordCell.text} max-md:empty:hidden`}>{business}</td>
      <td className="whitespace-nowrap">{plan === null ? 'No plan' : planName(plan)}</td>
      <td className={recordCell.amount}>
        {plan !== null && `${grouped(minutesUsed)} / ${grouped(minutesLimit)}`}
      </td>
      <td className="max-md:col-span-full lg:whitespace-nowrap">
        <span className="md:hidden">Joined </span>
        {createdAt !== undefined && dayLabel(createdAt)}
      </td>
      <td>
        <span className="flex flex-wrap items-center gap-1.5">
          {state === null ? (
            <span className={badge({ class: 'max-lg:whitespace-normal!' })}>no subscription</span>
          ) : (
            <span className={badge({ tone: state.tone, class: 'max-lg:whitespace-normal!' })}>
              {status} {state.more}
            </span>
          )}
          <ChangeMarks collection="users" record={user} />
        </span>
      </td>
      <td className={recordCell.action}>
        {!user.isAdmin && (
          <button
            className={button({ kind: 'other', size: 'small' })}
            type="button"
            aria-label={`${action} ${email}`}
            onClick={onAsk}
          >
            {action}
          </button>
        )}
      </td>
    </tr>
  )
}
