import { useState } from 'react'
import { $session, leaveDeletedAccount, signOut } from '#account/browser/session-store.ts'

interface LogOut {
  /** The page's own guard, which would lead elsewhere, keeps still meanwhile. */
  isLeaving: boolean
  /** Signs out and goes home. */
  logOut: () => void
  /** The account is gone: the same, without a word to the server. */
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
