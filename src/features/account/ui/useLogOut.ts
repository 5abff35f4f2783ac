import { useState } from 'react'
import { $session, leaveDeletedAccount, signOut } from '#account/browser/session-store.ts'

interface LogOut {
  /** The page's guard must not redirect while this is true. */
  isLeaving: boolean
  /** Signs out and goes to the home page. */
  logOut: () => void
  /** Does the same for a deleted account, without asking the server. */
  leaveDeleted: () => void
}

export function useLogOut(): LogOut {
  const [isLeaving, setLeaving] = useState(false)
  const leave = async (end: () => Promise<void>): Promise<void> => {
    setLeaving(true)
    await end()
    if ($session.get().status === 'signedIn') setLeaving(false)
  }
  return {
    isLeaving,
    logOut: () => void leave(signOut),
    leaveDeleted: () => void leave(leaveDeletedAccount),
  }
}
