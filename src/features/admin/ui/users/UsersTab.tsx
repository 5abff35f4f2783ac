import { useEffect, useRef, useState, type ChangeEvent } from 'react'
import {
  countLabel,
  countOf,
  filterOfAddress,
  rangeLabel,
  userOfAddress,
  userFilters,
  userOrders,
  usersPath,
  type UserFilter,
  type UserOrder,
  type UserQuery,
} from '#admin/domain/users.ts'
import type { AdminUser } from '#admin/domain/content/admin-data.ts'
import { changedStatus } from '#admin/domain/status-change.ts'
import { useAdminData } from '#admin/ui/AdminDataProvider.tsx'
import { ConfirmStatus } from './ConfirmStatus.tsx'
import { FormField } from '#admin/ui/lists/FormField.tsx'
import { useHeading } from '#admin/ui/lists/useHeading.ts'
import { UserPage } from './UserPage.tsx'
import { UserRow } from './UserRow.tsx'
import { WaitingStrip } from '#admin/ui/WaitingStrip.tsx'
import { ColumnNames } from '#admin/ui/lists/ColumnNames.tsx'
import { PageButtons } from '#admin/ui/lists/PageButtons.tsx'
import { TabHead } from '#admin/ui/lists/TabHead.tsx'
import { SelectInput } from '#platform/ui/fields/SelectInput.tsx'
import { dataTable, skeleton, titleRow } from '#platform/domain/app-variants.ts'
import { frame } from '#platform/domain/variants.ts'
import { useAddress } from '#admin/ui/useAddress.ts'

/** The search starts after this pause in typing. */
const pauseMs = 250

const filterNames: Record<UserFilter, string> = {
  active: 'active',
  blocked: 'blocked',
  payment_failed: 'payment_failed',
  other: 'Others',
  over_limit: 'over limit',
}

/** All accounts with plan, minutes and status, to find, block and activate; or the page of one. */
export function UsersTab() {
  const [userId, setUserId] = useState(() => userOfAddress(location))
  useAddress('users', () => setUserId(userOfAddress(location)))
  return userId === null ? <UserList /> : <UserPage key={userId} id={userId} />
}

function UserList() {
  const { users, listUsers, updateUser } = useAdminData()
  const { query, page, loading } = users
  const [search, setSearch] = useState(query.search)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { heading, thenFocus } = useHeading()
  /** The account that is to be blocked or activated. */
  const [asked, setAsked] = useState<AdminUser | null>(null)
  useEffect(() => () => clearTimeout(pause.current), [])

  const ask = (part: Partial<UserQuery>): void => {
    clearTimeout(pause.current)
    void listUsers({ ...query, search, page: 0, ...part })
  }
  const type = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setSearch(target.value)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => ask({ search: target.value }), pauseMs)
  }
  const filter = (status: UserFilter | null): void => {
    history.replaceState(null, '', usersPath(status))
    ask({ status })
  }
  /** Shows the list that the address names. Its filter is that of all accounts, not of those found before. */
  useAddress('users', () => {
    const status = filterOfAddress(location)
    if (status === query.status) return
    if (status !== null) setSearch('')
    ask(status === null ? { status } : { status, search: '' })
  })
  const goToPage = (to: number): void => thenFocus(() => ask({ page: to }))
  const optionLabel = (name: string, count: number | undefined): string =>
    count === undefined ? name : `${name}, ${countLabel(count)}`

  return (
    <section>
      <div className={frame}>
        <TabHead name="Users" heading={heading}>
          <form
            className="grid flex-[0_1_40rem] grid-cols-2 gap-3 *:first:col-span-full max-md:flex-[1_1_100%] md:grid-cols-[3fr_2fr_2fr] md:*:first:col-auto"
            role="search"
            onSubmit={(event) => {
              event.preventDefault()
              ask({})
            }}
          >
            <FormField
              id="find-user"
              label="Find by email"
              type="search"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={search}
              onChange={type}
            />
            <SelectInput
              label="Status"
              value={query.status ?? ''}
              options={[
                ['', optionLabel('All', page.counts.all)],
                ...userFilters.map(
                  (each) => [each, optionLabel(filterNames[each], countOf(page.counts, each))] as const,
                ),
              ]}
              onChange={(status) => filter(status || null)}
            />
            <SelectInput
              label="Order"
              value={query.order}
              options={Object.entries(userOrders) as [UserOrder, string][]}
              onChange={(order) => ask({ order })}
            />
          </form>
        </TabHead>
        <WaitingStrip />
        {page.users.length === 0 && loading && (
          <div className="grid gap-4 border-t p-pad">
            <div className={skeleton({ size: 'short' })} />
            <div className={skeleton({ size: 'long' })} />
          </div>
        )}
        {page.users.length > 0 && (
          <table className={dataTable({ stacked: true })} aria-busy={loading}>
            <caption className="sr-only">Users with their business, plan, minutes and status</caption>
            <ColumnNames names={['Email', 'Business', 'Plan', 'Minutes', 'Joined', 'Status', 'Action']} />
            <tbody>
              {page.users.map((user) => (
                <UserRow key={user.id} user={user} onAsk={() => setAsked(user)} />
              ))}
            </tbody>
          </table>
        )}
        <div className={`${titleRow} border-t p-pad`}>
          <p className="text-sm text-ink-2" role="status">
            {page.users.length > 0
              ? rangeLabel(query, page)
              : loading
                ? 'Loading'
                : query.search !== '' || query.status !== null
                  ? 'No user matches. Search for another part of the address, or look at all statuses.'
                  : 'No users yet. Everyone who buys a plan appears here.'}
          </p>
          {(query.page > 0 || page.more) && (
            <PageButtons words={['Previous', 'Next']} page={query.page} more={page.more} onTurn={goToPage} />
          )}
        </div>
      </div>
      {asked && (
        <ConfirmStatus
          user={asked}
          onCancel={() => setAsked(null)}
          onConfirm={(reason) => {
            setAsked(null)
            updateUser(asked.id, { subscriptionStatus: changedStatus(asked), reason })
          }}
        />
      )}
    </section>
  )
}
