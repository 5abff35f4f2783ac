import { userPath } from '#admin/domain/users.ts'
import type { OwingAccount } from '#admin/browser/payment-records.ts'
import { followInPage } from '#platform/ui/hooks/useTab.ts'
import { grouped, money } from '#platform/domain/text/numbers.ts'
import { currency, planName } from '#plans/domain/plans.ts'
import { Moment } from '#admin/ui/lists/Moment.tsx'
import { recordCell } from '#admin/ui/lists/variants.ts'

export const owingColumns = [
  'Since',
  'Email',
  'Amount',
  'Minutes used',
  'Next try',
  'Grace ends',
  'Last email',
] as const

export const OwingAccountRow = ({ account }: { account: OwingAccount }) => (
  <tr>
    <td className={recordCell.moment}>
      <Moment iso={account.since} />
    </td>
    <td className={recordCell.text}>
      {account.user_id === null ? (
        'Deleted account'
      ) : (
        <a href={userPath(account.user_id)} onClick={followInPage(userPath(account.user_id))}>
          {account.email}
        </a>
      )}
      <br />
      <span className="text-ink-2">{planName(account.plan)}</span>
    </td>
    <td className={recordCell.amount}>
      {account.amount === null ? 'unknown' : money(account.amount, account.currency ?? currency)}
    </td>
    <td className="whitespace-nowrap max-md:col-span-full md:text-right">
      <span className="md:hidden">Minutes used: </span>
      {grouped(account.minutes)}
    </td>
    <td className={`${recordCell.moment} max-md:col-span-full`}>
      <span className="md:hidden">Next try: </span>
      {account.next_attempt ? <Moment iso={account.next_attempt} /> : 'none'}
    </td>
    <td className={`${recordCell.moment} max-md:col-span-full`}>
      <span className="md:hidden">Grace ends: </span>
      {account.grace_ends ? <Moment iso={account.grace_ends} /> : 'plan has ended'}
    </td>
    <td className={`${recordCell.moment} max-md:col-span-full`}>
      <span className="md:hidden">Last email: </span>
      {account.mailed_at ? <Moment iso={account.mailed_at} /> : 'none'}
    </td>
  </tr>
)
