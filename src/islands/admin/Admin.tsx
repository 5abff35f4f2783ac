import { useState } from 'react'
import { useStore } from '@nanostores/react'
import { adminPassage } from '#domain/guards.ts'
import { planName } from '#domain/plans.ts'
import { routes } from '#domain/routes.ts'
import { statusTone } from '#domain/status.ts'
import { $adminUsers, loadAdminUsers } from '#stores/admin-users.ts'
import { $session, signOut } from '#stores/session.ts'
import { Logo } from '../panel/Logo.tsx'
import { useRedirect } from '../panel/redirect.ts'
import { Waiting } from '../panel/Waiting.tsx'

/** /admin: for the admin alone. The database shows nobody else more than their own row. */
export function Admin() {
  const session = useStore($session)
  const passage = adminPassage(session)
  const [isLeaving, setLeaving] = useState(false)
  useRedirect(passage.kind === 'go' && !isLeaving ? passage.to : null)

  async function logOut(): Promise<void> {
    setLeaving(true)
    await signOut()
    if ($session.get().status === 'signedIn') setLeaving(false)
  }

  return (
    <>
      <header className="bar inverse">
        <div className="frame app">
          <Logo />
          <nav className="tabs" aria-label="Administration">
            <ul>
              <li>
                <a href={routes.admin} aria-current="page">
                  Users
                </a>
              </li>
            </ul>
          </nav>
          <button className="text out" type="button" onClick={() => void logOut()}>
            Logout
          </button>
        </div>
      </header>
      <main id="main">{passage.kind === 'enter' ? <Users /> : <Waiting />}</main>
    </>
  )
}

function Users() {
  const list = useStore($adminUsers)
  if (list.status !== 'ready')
    return <Waiting failed={list.status === 'failed'} onRetry={() => void loadAdminUsers()} />
  return (
    <section>
      <div className="frame">
        <div className="title adm">
          <h1 className="mid">Users</h1>
          <p className="sm dim">{list.users.length} in all</p>
        </div>
        {list.users.length === 0 ? (
          <p className="last">No users yet. Whoever buys a plan appears here.</p>
        ) : (
          <table className="stacked table">
            <caption className="sr">Users with their plan, minutes and status</caption>
            <thead>
              <tr>
                <th className="label" scope="col">
                  Email
                </th>
                <th className="label" scope="col">
                  Plan
                </th>
                <th className="label r" scope="col">
                  Minutes
                </th>
                <th className="label" scope="col">
                  Status
                </th>
              </tr>
            </thead>
            <tbody>
              {list.users.map((user) => (
                <tr key={user.id}>
                  <td className="full">
                    <b className="break">{user.email}</b>
                  </td>
                  <td>{user.plan === null ? 'None' : planName(user.plan)}</td>
                  <td className="r end nw">
                    {user.minutesUsed.toLocaleString('en-US')} / {user.minutesLimit.toLocaleString('en-US')}
                  </td>
                  <td>
                    {user.status === null ? (
                      <span className="badge">no subscription</span>
                    ) : (
                      <span className={`badge ${statusTone(user.status)}`}>{user.status}</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  )
}
